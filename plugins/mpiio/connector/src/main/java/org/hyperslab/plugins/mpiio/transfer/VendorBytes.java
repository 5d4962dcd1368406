package org.hyperslab.plugins.mpiio.transfer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.StorageException;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.LongList;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.plugins.mpiio.agree.Agreement;

/**
 * Collective transfers of a file's bytes by the MPI library's own MPI-IO (hint {@code io=vendor}):
 * each list of extents becomes a view, and its memory a datatype.
 *
 * <p>Thread rule: one thread at a time. Every method is collective, and an error of one rank is an
 * error of all.
 */
final class VendorBytes implements AutoCloseable {

  private final Agreement agreement;
  private final MpiFile file;

  /**
   * Opens a file that exists.
   *
   * @param writable whether it will be written to
   */
  VendorBytes(Agreement agreement, Path path, boolean writable, Hints hints) {
    this.agreement = agreement;
    AccessMode mode = writable ? AccessMode.READ_WRITE : AccessMode.READ_ONLY;
    this.file = MpiFile.open(agreement.comm(), path, Set.of(mode), hints);
  }

  /** Writes; other ranks see it when this returns. */
  void write(ExtentList extents, MemoryExtents memory) {
    transfer(extents, memory, true);
  }

  /** Reads the extents of this rank into memory; collective. */
  void read(ExtentList extents, MemoryExtents memory) {
    transfer(extents, memory, false);
  }

  private void transfer(ExtentList extents, MemoryExtents memory, boolean write) {
    HyperslabException failure = null;
    try {
      ExtentRuns runs = ExtentRuns.copyOf(extents);
      file.setView(view(runs));
      MemoryBuffer buffer = buffer(memory);
      long moved = (write ? file.writeAtAll(0, buffer) : file.readAtAll(0, buffer)).bytes();
      if (moved != runs.totalBytes()) {
        throw new StorageException(
            "vendor's MPI-IO: actual=" + moved + " bytes moved, expected=" + runs.totalBytes());
      }
    } catch (RuntimeException | Error e) {
      failure = SharedFailure.typed(e, write ? "write" : "read");
    }
    agreement.requireSuccess(failure);
  }

  private static FileView view(ExtentRuns runs) {
    if (runs.isEmpty()) {
      return FileView.bytes();
    }
    int count = runs.runs();
    long first = runs.first();
    long[] places = new long[count];
    List<DerivedType> types = new ArrayList<>(count);
    for (int run = 0; run < count; run++) {
      places[run] = runs.runOffset(run) - first;
      types.add(
          DerivedType.hvector(
              runs.runCount(run), runs.runLength(run), runs.runStride(run), DerivedType.BYTE));
    }
    DerivedType seen = DerivedType.struct(LongList.repeated(1, count), LongList.of(places), types);
    return FileView.of(first, DerivedType.BYTE, seen);
  }

  private static MemoryBuffer buffer(MemoryExtents memory) {
    long bytes = memory.totalBytes();
    if (bytes == 0) {
      return MemoryBuffer.none();
    }
    if (memory.count() == 1) {
      return MemoryBuffer.of(memory.slice(0, bytes));
    }
    long[] places = new long[Math.toIntExact(memory.count())];
    long[] lengths = new long[places.length];
    int pieces = 0;
    for (long at = 0; at < bytes; at += lengths[pieces++]) {
      places[pieces] = memory.offsetOf(at);
      lengths[pieces] = memory.contiguousFrom(at);
    }
    DerivedType type =
        DerivedType.hindexed(
            LongList.of(Arrays.copyOf(lengths, pieces)),
            LongList.of(Arrays.copyOf(places, pieces)),
            DerivedType.BYTE);
    return MemoryBuffer.of(memory.base(), 1, type);
  }

  /** Returns the component that moves the bytes, for messages. */
  String explain() {
    return file.explain();
  }

  @Override
  public void close() {
    file.close();
  }
}
