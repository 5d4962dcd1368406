package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Set;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.hint.Hints;

/**
 * A program that MPI allows (MPI 4.1, section 6.12): each rank starts a collective access only
 * after the rank before it has reported that it has started and tested its own. The program ends
 * only if no test waits for other ranks.
 */
final class LateStart {

  private static final int BLOCKS = 1000;
  private static final int BLOCK_BYTES = 24;

  private final Communicator comm;
  private final boolean confined;
  private boolean vendor;

  /**
   * A program.
   *
   * @param confined whether the memory is that of a confined arena
   */
  LateStart(Communicator comm, boolean confined) {
    this.comm = comm;
    this.confined = confined;
  }

  /** Writes interleaved blocks, two accesses at a time, and reads them back. */
  void run(Path path, Hints hints) {
    vendor = hints.others().getOrDefault("io", "own").equals("vendor");
    try (Arena arena = confined ? Arena.ofConfined() : Arena.ofShared();
        MpiFile file =
            MpiFile.open(comm, path, Set.of(AccessMode.CREATE, AccessMode.READ_WRITE), hints)) {
      file.setView(blocks());
      long bytes = (long) BLOCKS * BLOCK_BYTES;
      MemorySegment first = arena.allocate(bytes).fill((byte) (comm.rank() + 1));
      MemorySegment second = arena.allocate(bytes).fill((byte) (comm.rank() + 101));
      inTurn(
          () -> file.startWriteAtAll(0, MemoryBuffer.of(first)),
          () -> file.startWriteAtAll(bytes, MemoryBuffer.of(second)));
      file.sync();
      MemorySegment back = arena.allocate(2 * bytes);
      inTurn(
          () -> file.startReadAtAll(0, MemoryBuffer.of(back.asSlice(0, bytes))),
          () -> file.startReadAtAll(bytes, MemoryBuffer.of(back.asSlice(bytes))));
      assertThat(back.asSlice(0, bytes).mismatch(first)).isEqualTo(-1);
      assertThat(back.asSlice(bytes).mismatch(second)).isEqualTo(-1);
    }
  }

  private FileView blocks() {
    DerivedType bytes = DerivedType.contiguous(BLOCK_BYTES, DerivedType.BYTE);
    DerivedType block = DerivedType.resized(0, (long) comm.size() * BLOCK_BYTES, bytes);
    return FileView.of((long) comm.rank() * BLOCK_BYTES, DerivedType.BYTE, block);
  }

  /** Starts an access. */
  private interface Start {
    FileRequest start();
  }

  private void inTurn(Start first, Start second) {
    MemorySegment token = MemorySegment.ofArray(new byte[1]);
    int rank = comm.rank();
    if (rank > 0) {
      comm.receive(token, rank - 1, 1);
    }
    FileRequest one = first.start();
    FileRequest two = vendor ? one : second.start(); // see VendorEngine on ROMIO
    boolean last = rank + 1 == comm.size();
    for (int i = 0; i < 50; i++) {
      boolean ended = one.test() & two.test();
      // Open MPI's own engine carries out the part of each rank without the others.
      assertThat(ended && !last && !vendor).isFalse();
    }
    if (!last) {
      comm.send(token, rank + 1, 1);
    }
    while (!two.test()) {
      Thread.onSpinWait();
    }
    two.await();
    one.await();
    if (vendor) {
      two = second.start();
      two.await();
    }
    assertThat(one.test()).isTrue();
    assertThat(two.test()).isTrue();
  }
}
