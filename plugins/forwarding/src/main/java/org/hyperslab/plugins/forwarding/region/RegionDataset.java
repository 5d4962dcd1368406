package org.hyperslab.plugins.forwarding.region;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.convert.Conversion;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;

/**
 * A contiguous dataset whose elements are read and written without its home. Its space in the file
 * is not reused while its handle at the home is open, even if the last link to it is deleted.
 *
 * <p>Thread rule: any thread; the caller orders overlapping transfers.
 *
 * @param file the file that contains the dataset
 * @param handle the handle of the dataset at the home
 * @param info the home's information on the dataset
 */
record RegionDataset(RegionFile file, Handle handle, DatasetInfo info) {

  private static final long SCRATCH_BYTES = 256 << 10;

  /** {@return whether the elements of a dataset can be accessed in this way} */
  static boolean isPlain(DatasetInfo info) {
    return info.storage().offset() >= 0
        && info.storage().allocatedBytes() > 0
        && !info.type().hasOutOfLineParts();
  }

  /**
   * Writes run by run. Bytes between the runs are never written, because they may belong to another
   * server.
   */
  void write(Transfer transfer, DataBuffer source) {
    if (transfer.requireFits(info.space(), source) == 0) {
      return;
    }
    Converter converter = Converter.between(transfer.memoryType(), info.type());
    Conversion conversion = converter.isNoOp() ? null : converter.open();
    long size = info.type().size();
    MemorySegment converted = conversion == null ? null : scratch(size);
    each(
        transfer,
        converted == null ? Long.MAX_VALUE : converted.byteSize() / size,
        (at, memory, elements) -> {
          if (conversion == null) {
            file.store().write(at, memory(source, memory, elements * size));
            return;
          }
          MemorySegment bytes = converted.asSlice(0, elements * size);
          if (converter.needsBackground()) {
            read(file.store(), at, bytes);
          }
          conversion.convert(source.elements(), memory, bytes, 0, elements);
          file.store().write(at, bytes);
        });
  }

  void read(Transfer transfer, DataBuffer target) {
    if (transfer.requireFits(info.space(), target) == 0) {
      return;
    }
    Converter converter = Converter.between(info.type(), transfer.memoryType());
    Conversion conversion = converter.isNoOp() ? null : converter.open();
    long size = info.type().size();
    MemorySegment stored = conversion == null ? null : scratch(size);
    each(
        transfer,
        stored == null ? Long.MAX_VALUE : stored.byteSize() / size,
        (at, memory, elements) -> {
          if (conversion == null) {
            read(file.store(), at, memory(target, memory, elements * size));
            return;
          }
          MemorySegment bytes = stored.asSlice(0, elements * size);
          read(file.store(), at, bytes);
          conversion.convert(bytes, 0, target.elements(), memory, elements);
        });
  }

  private static MemorySegment memory(DataBuffer buffer, long at, long bytes) {
    return buffer.elements().asSlice(at, bytes);
  }

  private static MemorySegment scratch(long elementBytes) {
    return MemorySegment.ofArray(new byte[Math.toIntExact(Math.max(SCRATCH_BYTES, elementBytes))]);
  }

  /** Receives runs, as offsets in the file and in memory and a length, in bytes. */
  private interface Run {
    void move(long at, long memory, long elements);
  }

  private void each(Transfer transfer, long most, Run run) {
    RunPairs pairs =
        RunPairs.of(
            transfer.fileSelection(),
            info.space().dims(),
            transfer.memorySelection(),
            transfer.memorySpace().dims());
    long size = info.type().size();
    long memorySize = transfer.memoryType().size();
    long base = info.storage().offset();
    while (pairs.next()) {
      for (long done = 0; done < pairs.length(); done += most) {
        long elements = Math.min(most, pairs.length() - done);
        long offset = Math.multiplyExact(pairs.fileOffset() + done, size);
        run.move(Math.addExact(base, offset), (pairs.memoryOffset() + done) * memorySize, elements);
        if (most == Long.MAX_VALUE) {
          break;
        }
      }
    }
  }

  /** Reads bytes; those beyond the end of the file have never been written and read as zeros. */
  private static void read(ByteStore store, long at, MemorySegment target) {
    long there = Math.clamp(store.size() - at, 0, target.byteSize());
    if (there > 0) {
      store.read(at, target.asSlice(0, there));
    }
    target.asSlice(there).fill((byte) 0);
  }
}
