package org.hyperslab.mpiio.declared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.PutWindow;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.junit.jupiter.api.Test;

/** Tests which declarations get the same window, and that its numbers begin anew for each. */
final class KeptWindowTest {

  private static final long EPOCHS = 10;

  private static PutWindow lend(KeptWindow windows, Communicator comm, long... bytes) {
    return windows.lend(comm, bytes, EPOCHS).orElseThrow();
  }

  @Test
  void lendsTheSameMemoryAgainIfItIsLongEnough() {
    ThreadWorld.run(
        2,
        comm -> {
          KeptWindow windows = new KeptWindow();
          PutWindow first = lend(windows, comm, 100, 50);
          long place = first.own().address();
          PutWindow concurrent = lend(windows, comm, 100, 50);
          assertThat(concurrent.own().address()).isNotEqualTo(place);
          concurrent.close();
          first.close();
          comm.barrier();
          PutWindow shorter = lend(windows, comm, 0, 50);
          assertThat(shorter.own().address()).isEqualTo(place);
          shorter.close();
          comm.barrier();
          PutWindow longer = lend(windows, comm, 100, 51);
          assertThat(longer.own().byteSize()).isEqualTo(comm.rank() == 0 ? 100 : 51);
          longer.close();
          comm.barrier();
          windows.close();
        });
  }

  @Test
  void epochsRestartWithEachUse() {
    ThreadWorld.run(
        2,
        comm -> {
          KeptWindow windows = new KeptWindow();
          for (byte value = 1; value <= 3; value++) {
            PutWindow window = lend(windows, comm, 8, 0);
            comm.barrier();
            if (comm.rank() == 0) {
              assertThat(window.fenced(1)).isEqualTo(-1);
              window.expose(3);
              comm.barrier();
              comm.barrier();
              assertThat(window.fenced(1)).isEqualTo(4);
              assertThat(window.own().get(ValueLayout.JAVA_BYTE, 7)).isEqualTo(value);
            } else {
              comm.barrier();
              assertThat(window.exposed(0)).isEqualTo(3);
              window.put(0, 7, MemorySegment.ofArray(new byte[] {value}));
              window.fence(0, 4);
              comm.barrier();
            }
            window.close();
            comm.barrier();
          }
          windows.close();
        });
  }

  @Test
  void windowIsFreedWithTheCommunicator() {
    ThreadWorld.run(
        2,
        comm -> {
          Communicator ranks = comm.duplicate();
          KeptWindow windows = ranks.remembered(KeptWindow.class, KeptWindow::new);
          PutWindow window = lend(windows, ranks, 8, 8);
          MemorySegment own = window.own();
          window.close();
          comm.barrier();
          ranks.close();
          comm.barrier();
          assertThatThrownBy(() -> own.fill((byte) 2)).isInstanceOf(IllegalStateException.class);
        });
  }

  @Test
  void windowThatWasGivenUpIsFreedWhenNoRankUsesIt() {
    ThreadWorld.run(
        2,
        comm -> {
          KeptWindow windows = new KeptWindow();
          PutWindow window = lend(windows, comm, 8, 8);
          MemorySegment own = window.own();
          if (comm.rank() == 0) {
            window.giveUp();
            window.giveUp();
            comm.barrier();
            comm.barrier();
            assertThat(own.get(ValueLayout.JAVA_BYTE, 7)).isEqualTo((byte) 5);
            comm.barrier();
          } else {
            comm.barrier();
            window.put(0, 7, MemorySegment.ofArray(new byte[] {5}));
            comm.barrier();
            comm.barrier();
            window.giveUp();
          }
          comm.barrier();
          assertThatThrownBy(() -> own.fill((byte) 2)).isInstanceOf(IllegalStateException.class);
          PutWindow next = lend(windows, comm, 8, 8);
          next.own().fill((byte) 1);
          next.close();
          comm.barrier();
          windows.close();
        });
  }
}
