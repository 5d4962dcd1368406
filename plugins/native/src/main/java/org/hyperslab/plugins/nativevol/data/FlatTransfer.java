package org.hyperslab.plugins.nativevol.data;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenAccess;
import org.hyperslab.format.type.convert.Conversion;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Moves selected elements between memory and storage that is one array of bytes. What needs no
 * conversion goes straight from one to the other; the rest in strips through a scratch buffer.
 *
 * <p>Thread rule: confined; the bytes may be shared.
 */
final class FlatTransfer {

  private static final int STRIP_BYTES = 256 << 10;

  private final FlatBytes bytes;
  private final Datatype fileType;
  private final Dataspace fileSpace;
  private final VlenAccess fileHeap;
  private final Transfer transfer;
  private final DataBuffer buffer;
  private final int fileSize;
  private final int memorySize;

  FlatTransfer(
      FlatBytes bytes,
      DatasetDescription dataset,
      VlenAccess fileHeap,
      Transfer transfer,
      DataBuffer buffer) {
    this.bytes = bytes;
    this.fileType = dataset.type();
    this.fileSpace = dataset.space();
    this.fileHeap = fileHeap;
    this.transfer = transfer;
    this.buffer = buffer;
    this.fileSize = fileType.size();
    this.memorySize = transfer.memoryType().size();
  }

  private RunPairs pairs() {
    return RunPairs.of(
        transfer.fileSelection(),
        fileSpace.dims(),
        transfer.memorySelection(),
        transfer.memorySpace().dims());
  }

  /** Reads. */
  void read() {
    Converter converter = Converter.between(fileType, transfer.memoryType());
    RunPairs pairs = pairs();
    MemorySegment target = buffer.elements();
    if (converter.isNoOp()) {
      while (pairs.next()) {
        long length = pairs.length() * memorySize;
        bytes.read(
            pairs.fileOffset() * fileSize,
            target.asSlice(pairs.memoryOffset() * memorySize, length));
      }
      return;
    }
    Conversion conversion = converter.open(fileHeap, buffer.heap());
    int strip = Math.max(1, STRIP_BYTES / fileSize);
    MemorySegment scratch = MemorySegment.ofArray(new byte[Math.multiplyExact(strip, fileSize)]);
    while (pairs.next()) {
      for (long done = 0; done < pairs.length(); done += strip) {
        long count = Math.min(strip, pairs.length() - done);
        bytes.read(
            (pairs.fileOffset() + done) * fileSize, scratch.asSlice(0, count * fileSize));
        conversion.convert(
            scratch, 0, target, (pairs.memoryOffset() + done) * memorySize, count);
      }
    }
  }

  /** Writes. */
  void write() {
    Converter converter = Converter.between(transfer.memoryType(), fileType);
    RunPairs pairs = pairs();
    MemorySegment source = buffer.elements();
    if (converter.isNoOp()) {
      while (pairs.next()) {
        long length = pairs.length() * memorySize;
        bytes.write(
            pairs.fileOffset() * fileSize,
            source.asSlice(pairs.memoryOffset() * memorySize, length));
      }
      return;
    }
    Conversion conversion = converter.open(buffer.heap(), fileHeap);
    int strip = Math.max(1, STRIP_BYTES / fileSize);
    MemorySegment scratch = MemorySegment.ofArray(new byte[Math.multiplyExact(strip, fileSize)]);
    while (pairs.next()) {
      for (long done = 0; done < pairs.length(); done += strip) {
        long count = Math.min(strip, pairs.length() - done);
        MemorySegment part = scratch.asSlice(0, count * fileSize);
        if (converter.needsBackground()) {
          bytes.read((pairs.fileOffset() + done) * fileSize, part);
        }
        conversion.convert(
            source, (pairs.memoryOffset() + done) * memorySize, scratch, 0, count);
        bytes.write((pairs.fileOffset() + done) * fileSize, part);
      }
    }
  }
}
