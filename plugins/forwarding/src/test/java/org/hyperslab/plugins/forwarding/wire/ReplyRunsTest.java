package org.hyperslab.plugins.forwarding.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which replies are combined into one frame. */
@Timeout(300)
final class ReplyRunsTest {

  /** Answers a ping with frames, followed by a pong. */
  private record Answering(boolean runs, List<Frame> answers) implements FrameHandler {
    @Override
    public void opened(Connection connection) {
      if (runs) {
        connection.sendRuns();
      }
    }

    @Override
    public MemorySegment memory(Connection connection, Frame head, long bytes) {
      throw new AssertionError("no payload is sent");
    }

    @Override
    public void frame(Connection connection, Frame frame) {
      answers.forEach(connection::send);
      connection.send(Frame.bare(FrameType.PONG, frame.id()));
    }

    @Override
    public void closed(Connection connection, Throwable reason) {}
  }

  /** Keeps what comes, as text. */
  private record Keeping(BlockingQueue<String> frames) implements FrameHandler {
    @Override
    public void opened(Connection connection) {
      connection.send(Frame.bare(FrameType.PING, 1));
    }

    @Override
    public MemorySegment memory(Connection connection, Frame head, long bytes) {
      throw new AssertionError("no payload is sent");
    }

    @Override
    public void frame(Connection connection, Frame frame) {
      frames.add(
          frame.type()
              + " "
              + frame.flags()
              + " "
              + frame.id()
              + ".."
              + frame.lastAnswered()
              + " "
              + frame.control().length);
    }

    @Override
    public void closed(Connection connection, Throwable reason) {}
  }

  private static Frame reply(int flags, long id) {
    return new Frame(FrameType.REPLY, flags, id, 0, new byte[0], List.of());
  }

  /** Sends replies, and returns the frames that arrive before the pong. */
  private static List<String> arriving(boolean runs, List<Frame> answers)
      throws InterruptedException {
    List<String> arrived = new ArrayList<>();
    try (TemporaryFolder folder = TemporaryFolder.create("runs");
        WireServer server =
            WireServer.listen(
                new Address.Unix(folder.file("socket").toString()),
                Optional.empty(),
                WireLimits.DEFAULT,
                1,
                new Answering(runs, answers));
        WireClient client = new WireClient(WireNetwork.ofSystem(), 1)) {
      Keeping keeping = new Keeping(new LinkedBlockingQueue<>());
      client.connect(
          server.address(), Optional.empty(), WireLimits.DEFAULT, Duration.ofSeconds(30), keeping);
      for (String next = keeping.frames.take();
          !next.startsWith("PONG");
          next = keeping.frames.take()) {
        arrived.add(next);
      }
    }
    return arrived;
  }

  private static List<Frame> mixed() {
    return List.of(
        reply(0, 1),
        reply(0, 2),
        reply(0, 3),
        Frame.of(FrameType.FAILURE, 4, new byte[5]),
        reply(0, 5),
        Frame.of(FrameType.REPLY, 6, new byte[7]),
        reply(0, 7),
        reply(0, 8),
        reply(0, 10),
        reply(0, 9),
        reply(Acknowledge.EARLY, 10),
        reply(Acknowledge.EARLY, 11),
        reply(0, 12));
  }

  @Test
  void consecutiveRepliesWithoutResultsBecomeOneFrame() throws InterruptedException {
    assertThat(arriving(true, mixed()))
        .containsExactly(
            "REPLY 0 1..3 0",
            "FAILURE 0 4..4 5",
            "REPLY 0 5..5 0",
            "REPLY 0 6..6 7",
            "REPLY 0 7..8 0",
            "REPLY 0 10..10 0",
            "REPLY 0 9..9 0",
            "REPLY 4 10..11 0",
            "REPLY 0 12..12 0");
  }

  @Test
  void clientWithoutReplyRunsGetsSingleReplies() throws InterruptedException {
    List<Frame> answers = mixed();
    assertThat(arriving(false, answers))
        .containsExactlyElementsOf(
            answers.stream()
                .map(frame ->
                    frame.type()
                        + " "
                        + frame.flags()
                        + " "
                        + frame.id()
                        + ".."
                        + frame.id()
                        + " "
                        + frame.control().length)
                .toList());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyOneOfManyRepliesArrivesOnce(boolean runs) throws InterruptedException {
    List<Frame> answers = new ArrayList<>();
    for (long id = 1; id <= 10_000; id++) {
      answers.add(reply(0, id));
    }
    long next = 1;
    for (String frame : arriving(runs, answers)) {
      String[] ends = frame.split(" ")[2].split("\\.\\.");
      assertThat(Long.parseLong(ends[0])).isEqualTo(next);
      next = Long.parseLong(ends[1]) + 1;
    }
    assertThat(next).isEqualTo(10_001);
  }
}
