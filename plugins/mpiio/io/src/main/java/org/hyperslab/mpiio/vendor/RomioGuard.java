package org.hyperslab.mpiio.vendor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.hyperslab.mpi.MpiDatatype;
import org.hyperslab.mpi.MpiFileHandle;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.file.Transfer;
import org.hyperslab.mpiio.staged.AccessExtents;

/**
 * Works around defects of ROMIO before an access, so that it conforms to MPI (MPICH 4.0.2, and the
 * ROMIO of Open MPI 4.1.4).
 *
 * <p><b>Holes.</b> If a collective write leaves holes behind the old end of a file, ROMIO reads its
 * window, does not notice that the read is short, and writes the whole window back: bytes of other
 * data, even of other files, get into the holes. Each rank that writes past the end therefore first
 * writes its last element independently, so that the windows read zeros. No message is needed,
 * because no aggregator begins before all ranks have called.
 *
 * <p><b>The individual pointer.</b> After an access that ends with a repetition of a filetype that
 * begins with a gap, the next collective access by the pointer goes to bytes outside the view. A
 * seek to the current position of the pointer corrects this.
 *
 * <p>Thread rule: one thread at a time.
 *
 * @param comm the ranks of the file
 * @param file the open file, with the view of the access
 */
record RomioGuard(Communicator comm, MpiFileHandle file) {

  /** The hint that identifies ROMIO. */
  private static final String KNOWN_BY = "romio_cb_write";

  /** Returns whether a file's library needs this. */
  static boolean isNeeded(MpiFileHandle file) {
    try (var info = file.info()) {
      return info.toMap().containsKey(KNOWN_BY);
    }
  }

  /**
   * Prepares the next access; collective if the access is.
   *
   * @param etype the library's etype
   */
  void prepare(Transfer transfer, FileView view, MpiDatatype etype) {
    if (transfer.pointer() == Transfer.Pointer.INDIVIDUAL) {
      file.seek(file.position(), MpiFileHandle.Whence.START);
    }
    boolean placed = transfer.pointer() != Transfer.Pointer.SHARED || transfer.collective();
    if (transfer.write() && placed) {
      extend(transfer, view, etype);
    }
  }

  /** Extends the file to the end of a write. */
  private void extend(Transfer transfer, FileView view, MpiDatatype type) {
    if (!view.representation().verbatim()) {
      return; // elements of other sizes: the library knows where they end, we do not
    }
    long etypes = transfer.buffer().bytes() / view.etypeBytes();
    long last = start(transfer, etypes) + etypes - 1;
    int size = (int) view.etypeBytes();
    if (etypes == 0 || AccessExtents.inFile(view, last, size).endExclusive() <= file.size()) {
      return;
    }
    long bytes = transfer.buffer().bytes();
    try (Arena arena = Arena.ofConfined()) {
      long extent = Math.max(view.etype().extent(), view.etype().map().high());
      MemorySegment element = arena.allocate(extent, Long.BYTES);
      MemorySegment packed = arena.allocate(size, Long.BYTES);
      AccessExtents.inMemory(transfer.buffer(), bytes).copyOut(bytes - size, packed, 0, size);
      AccessExtents.inMemory(new MemoryBuffer(element, 0, 1, view.etype()), size)
          .copyIn(0, packed, 0, size);
      file.writeAt(last, element, 1, type);
    }
  }

  private long start(Transfer transfer, long etypes) {
    return switch (transfer.pointer()) {
      case EXPLICIT -> transfer.offset();
      case INDIVIDUAL -> file.position();
      case SHARED -> ordered(etypes);
    };
  }

  /** Returns the start of this rank's part of a write in rank order. */
  private long ordered(long etypes) {
    long[] before = {etypes};
    comm.exclusiveScan(before, Reduction.SUM);
    long[] place = {comm.rank() == 0 ? file.shared().position() : 0};
    comm.allReduce(place, Reduction.SUM);
    return place[0] + (comm.rank() == 0 ? 0 : before[0]);
  }
}
