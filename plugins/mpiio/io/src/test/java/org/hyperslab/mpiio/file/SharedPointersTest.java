package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.pointer.LockedFilePointer;
import org.hyperslab.mpiio.pointer.MappedPointer;
import org.hyperslab.mpiio.pointer.PointerClient;
import org.hyperslab.mpiio.pointer.PointerServer;
import org.hyperslab.mpiio.pointer.SharedFilePointer;
import org.hyperslab.mpiio.store.FileRangeLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the shared file pointers of ranks that are processes. */
final class SharedPointersTest {

  @TempDir private Path folder;

  private static final int TAKES = 2000;

  /** Tests that ranks reserve disjoint ranges that together are complete. */
  private static void takeAll(List<SharedFilePointer> ofRanks) {
    ConcurrentSkipListSet<Long> taken = new ConcurrentSkipListSet<>();
    ThreadWorld.run(
        ofRanks.size(),
        comm -> {
          for (int i = 0; i < TAKES; i++) {
            taken.add(ofRanks.get(comm.rank()).take(3));
          }
        });
    assertThat(taken).hasSize(TAKES * ofRanks.size());
    assertThat(taken.first()).isEqualTo(7);
    assertThat(ofRanks.getFirst().get()).isEqualTo(7 + 3L * TAKES * ofRanks.size());
    ofRanks.getFirst().set(5);
    assertThat(ofRanks.getLast().get()).isEqualTo(5);
    ofRanks.reversed().forEach(SharedFilePointer::close);
  }

  @Test
  void mappedPointerIsSharedByAllRanks() {
    Path file = folder.resolve("pointer");
    takeAll(
        List.of(
            new MappedPointer(file, 7, true),
            new MappedPointer(file, 7, false),
            new MappedPointer(file, 7, false)));
    assertThat(file).doesNotExist();
  }

  @Test
  void rankThatHoldsTheLockIsAbandoned() {
    Path file = folder.resolve("pointer");
    ThreadWorld.run(
        2,
        comm -> {
          LockedFilePointer pointer = new LockedFilePointer(file, 7, comm);
          assertThat(pointer.get()).isEqualTo(7);
          comm.barrier();
          FileRangeLock.Limit mine =
              new FileRangeLock.Limit(comm.rank(), comm.ticker(), Long.MAX_VALUE);
          try (FileRangeLock lock = FileRangeLock.amongProcesses(file).limited(mine)) {
            if (comm.rank() == 0) {
              lock.lock(0, Long.BYTES);
            }
            comm.barrier();
            if (comm.rank() == 1) {
              pointer.limit(TimeUnit.MILLISECONDS.toNanos(50));
              assertThatThrownBy(() -> pointer.take(3))
                  .isInstanceOf(MpiException.class)
                  .hasMessageContaining("held by rank 0 (bytes 0 to 7) for 50 ms");
              pointer.limit(Long.MAX_VALUE);
            }
            comm.barrier();
          }
          comm.barrier();
          pointer.take(3);
          comm.barrier();
          assertThat(pointer.get()).isEqualTo(13);
          comm.barrier();
          pointer.close();
        });
  }

  @Test
  void helperPointerIsSharedByAllClientsWithTheToken() throws IOException {
    PointerServer helper = new PointerServer(InetAddress.getLoopbackAddress(), 99, 4, 7);
    PointerServer.Where where = helper.where();
    try (Socket stranger = new Socket(where.address(), where.port())) {
      DataOutputStream out = new DataOutputStream(stranger.getOutputStream());
      out.writeLong(98);
      assertThat(new DataInputStream(stranger.getInputStream()).read()).as("closed").isEqualTo(-1);
    }
    takeAll(
        List.of(
            new PointerClient(helper, where),
            new PointerClient(null, where),
            new PointerClient(null, where)));
  }

  /** The system accepts connections to a process that has been stopped, which never answers. */
  @Test
  void helperThatDoesNotAnswerIsAbandoned() throws IOException {
    try (ServerSocket stopped = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      PointerServer.Where where =
          new PointerServer.Where(stopped.getInetAddress(), stopped.getLocalPort(), 99);
      PointerClient client = new PointerClient(null, where);
      client.limitExactly(30);
      assertThatThrownBy(() -> client.take(3))
          .isInstanceOf(MpiException.class)
          .hasMessageContaining("no answer from the helper of rank 0 at " + where)
          .hasMessageContaining("within 30 ms")
          .hasMessageContaining("hyperslab_deadline");
      client.limitExactly(0);
      assertThatThrownBy(client::get).as("at once").hasMessageContaining("given up before");
      client.close();
    }
  }
}
