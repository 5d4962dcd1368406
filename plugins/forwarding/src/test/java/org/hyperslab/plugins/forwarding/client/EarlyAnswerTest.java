package org.hyperslab.plugins.forwarding.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.plugins.forwarding.wire.Connection;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameHandler;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.plugins.forwarding.wire.Welcome;
import org.hyperslab.plugins.forwarding.wire.WireClient;
import org.hyperslab.plugins.forwarding.wire.WireLimits;
import org.hyperslab.plugins.forwarding.wire.WireNetwork;
import org.hyperslab.plugins.forwarding.wire.WireServer;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.base.Scheduling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that the failure of an edit that was acknowledged early is reported exactly once, by the
 * next flush or close.
 */
@Timeout(300)
final class EarlyAnswerTest {

  /** Says that it has received each edit, and then that it failed; flushes succeed. */
  private record FailingLate(CompletableFuture<Void> seen) implements FrameHandler {
    @Override
    public void opened(Connection connection) {}

    @Override
    public MemorySegment memory(Connection connection, Frame head, long bytes) {
      return MemorySegment.ofArray(new byte[(int) bytes]);
    }

    @Override
    public void frame(Connection connection, Frame frame) {
      switch (frame.type()) {
        case HELLO -> {
          Welcome welcome = new Welcome(1, 1 << 20, 1 << 20, 1 << 30, 0, List.of(), 1 << 20, "");
          connection.send(Frame.of(FrameType.WELCOME, 0, welcome.encode()));
        }
        case REQUEST -> answer(connection, frame);
        case PONG -> seen.complete(null);
        default -> {}
      }
    }

    private static void answer(Connection connection, Frame frame) {
      if (frame.id() > 1) {
        byte[] nothing =
            OperationCodec.encodeResult(new FileOperation.Flush(new Handle(1)), null).control();
        connection.send(Frame.of(FrameType.REPLY, frame.id(), nothing));
        return;
      }
      connection.send(
          new Frame(FrameType.REPLY, Acknowledge.EARLY, frame.id(), 0, new byte[0], List.of()));
      byte[] failure = OperationCodec.encodeError(new StorageException("disk: actual=full"));
      connection.send(Frame.of(FrameType.FAILURE, frame.id(), failure));
      connection.send(Frame.bare(FrameType.PING, 0));
    }

    @Override
    public void closed(Connection connection, Throwable reason) {}
  }

  /** Holds the first task; later runs all tasks in the calling thread. */
  private static final class Holding implements Executor {
    private final BlockingQueue<Runnable> held = new LinkedBlockingQueue<>();
    private volatile boolean holds = true;

    @Override
    public void execute(Runnable task) {
      if (holds) {
        held.add(task);
      } else {
        task.run();
      }
    }

    void release() throws InterruptedException {
      holds = false;
      held.take().run();
    }
  }

  @Test
  void failureAfterAnEarlyAnswerIsReportedOnce() throws Exception {
    FailingLate behaviour = new FailingLate(new CompletableFuture<>());
    Holding threads = new Holding();
    try (TemporaryFolder folder = TemporaryFolder.create("early-answer");
        WireServer server =
            WireServer.listen(
                new Address.Unix(folder.file("socket").toString()),
                Optional.empty(),
                WireLimits.DEFAULT,
                1,
                behaviour);
        WireClient wire = new WireClient(WireNetwork.ofSystem(), 1)) {
      Handle file = Handle.fresh();
      LateFailures late = new LateFailures();
      late.submitted(new FileOperation.Open(file, "f.h5", OpenOptions.EDIT));
      ServerLink link =
          new ServerLink(
              server.address(),
              ClientOptions.peer(server.address(), "test", Optional.empty(), Optional.empty()),
              wire,
              new BufferPool(1 << 20),
              threads,
              Scheduling.ofJvm(),
              late);
      DataBuffer one = DataBuffer.allocate(Datatypes.NATIVE_INT, 1);
      CompletableFuture<Void> written =
          link.submit(
              new AttributeOperation.Write(Location.of(file), "a", Datatypes.NATIVE_INT, one),
              Acknowledge.RECEIVED);
      // With a caller that waits, both answers are delivered at the same time, the later one first.
      CompletableFuture<Boolean> told = written.thenApply(done -> true);
      behaviour.seen.join();
      threads.release();
      assertThat(told.join()).as("what the caller was told first").isTrue();
      assertThatThrownBy(
              () -> link.submit(new FileOperation.Flush(file), Acknowledge.APPLIED).join())
          .hasCauseInstanceOf(StorageException.class);
      link.submit(new FileOperation.Flush(file), Acknowledge.APPLIED).join();
      link.close();
    }
  }
}
