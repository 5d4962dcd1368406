package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.driver.Driving;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.testkit.store.FaultStore;
import org.hyperslab.testkit.store.WriteLog;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests what collective writes do with the holes between their extents: a write back of a hole
 * undoes a concurrent write there.
 */
final class StartedHolesTest {

  private static final int RANKS = 3;
  private static final int PIECE = 8;
  private static final int PIECES = 100;

  /** The extents of a rank: its pieces are followed by those of the others and a hole. */
  private static ExtentRuns extents(int rank) {
    return ExtentRuns.strided((long) rank * PIECE, PIECE, (RANKS + 1L) * PIECE, PIECES);
  }

  private static boolean isInHole(long offset) {
    return offset / PIECE % (RANKS + 1) == RANKS;
  }

  private static long bytesWrittenIntoHoles(FaultStore store) {
    long bytes = 0;
    for (WriteLog.Entry entry : store.log().entries()) {
      if (entry instanceof WriteLog.Written(long offset, MemorySegment written)) {
        for (long i = 0; i < written.byteSize(); i++) {
          bytes += isInHole(offset + i) ? 1 : 0;
        }
      }
    }
    return bytes;
  }

  private static void onRanks(
      FaultStore store, String hints, BiConsumer<Communicator, CollectiveIo> body) {
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          Hints all = Hints.parse(hints);
          try (CollectiveIo io = CollectiveIo.open(comm, store, all, FileSystemTraits.local())) {
            io.prepare();
            body.accept(comm, io);
          }
        });
  }

  private static FaultStore write(String hints, boolean started) {
    FaultStore store = new FaultStore(new MemoryStore("holes of " + hints));
    onRanks(store, hints, (comm, io) -> write(comm, io, started));
    byte[] content = new byte[(int) store.size()];
    store.read(0, MemorySegment.ofArray(content));
    for (int i = 0; i < content.length; i++) {
      assertThat(content[i]).as("byte %d", i).isEqualTo((byte) (isInHole(i) ? 0 : 1));
    }
    return store;
  }

  private static void write(Communicator comm, CollectiveIo io, boolean started) {
    byte[] ones = new byte[PIECE * PIECES];
    Arrays.fill(ones, (byte) 1);
    MemoryExtents memory = MemoryExtents.contiguous(MemorySegment.ofArray(ones));
    ExtentRuns mine = extents(comm.rank());
    if (!started) {
      io.write(mine, memory);
      return;
    }
    StartedTransfer transfer =
        io.startWrite(mine, memory, io.helpers(Runnable::run, () -> {}, null));
    Driving.toEnd(() -> transfer.advance(true));
    transfer.outcome();
  }

  private static final String SHARED = "hyperslab_collective=two-phase";
  private static final String MESSAGES = SHARED + " hyperslab_shared_memory=disable";

  @ParameterizedTest
  @ValueSource(strings = {SHARED, MESSAGES})
  void blockingWritesWriteHolesBackBecauseNoOtherAccessIsInProgress(String hints) {
    assertThat(bytesWrittenIntoHoles(write(hints, false))).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SHARED,
        MESSAGES,
        SHARED + " romio_ds_write=enable",
        MESSAGES + " romio_ds_write=enable"
      })
  void startedWritesChangeNoByteOutsideTheirExtents(String hints) {
    assertThat(bytesWrittenIntoHoles(write(hints, true))).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {SHARED, MESSAGES})
  void aScheduleKeptFromABlockingWriteIsNotUsedForAStartedOne(String hints) {
    FaultStore store = new FaultStore(new MemoryStore("kept of " + hints));
    onRanks(
        store,
        hints,
        (comm, io) -> {
          write(comm, io, false);
          comm.barrier();
          if (comm.rank() == 0) {
            store.log().clear();
          }
          comm.barrier();
          write(comm, io, true);
        });
    assertThat(bytesWrittenIntoHoles(store)).isZero();
  }
}
