package org.hyperslab.plugins.codec;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.VlenHeap;

/** Reads the parts of a payload as one sequence of bytes. Thread rule: stateless. */
final class Payload {

  private Payload() {}

  /** Returns bytes of the payload, without a copy if they lie in one part. */
  static MemorySegment slice(EncodedMessage encoded, long offset, long bytes) {
    long before = 0;
    for (MemorySegment part : encoded.payload()) {
      long at = offset - before;
      if (at >= 0 && at < part.byteSize() && bytes <= part.byteSize() - at) {
        return part.asSlice(at, bytes);
      }
      before += part.byteSize();
    }
    return bytes == 0 ? MemorySegment.ofArray(new byte[0]) : copy(encoded, offset, bytes);
  }

  private static MemorySegment copy(EncodedMessage encoded, long offset, long bytes) {
    MemorySegment all = DecodeLimits.fresh(bytes);
    long before = 0;
    for (MemorySegment part : encoded.payload()) {
      long from = Math.max(offset, before);
      long end = Math.min(offset + bytes, before + part.byteSize());
      if (from < end) {
        MemorySegment.copy(part, from - before, all, from - offset, end - from);
      }
      before += part.byteSize();
    }
    return all;
  }

  /** Returns bytes of the payload as a list of parts, without a copy. */
  static List<MemorySegment> part(EncodedMessage encoded, long offset, long bytes) {
    List<MemorySegment> parts = new ArrayList<>();
    long before = 0;
    for (MemorySegment part : encoded.payload()) {
      long from = Math.max(offset, before);
      long end = Math.min(offset + bytes, before + part.byteSize());
      if (from < end) {
        parts.add(part.asSlice(from - before, end - from));
      }
      before += part.byteSize();
    }
    return parts;
  }

  /** Requires a payload of exactly a number of bytes of elements and of heap. */
  static void requireSizes(EncodedMessage encoded, long elementBytes, long heapBytes) {
    long actual = encoded.payloadBytes();
    if (elementBytes < 0 || heapBytes < 0 || actual - elementBytes != heapBytes) {
      throw MalformedMessage.of(
          "payload", "bytes actual=" + actual + ", expected=" + elementBytes + " and " + heapBytes);
    }
  }

  /** Returns the elements and the heap behind them, to be read. */
  static DataBuffer buffer(EncodedMessage encoded, long elementBytes, long heapBytes) {
    requireSizes(encoded, elementBytes, heapBytes);
    MemorySegment elements = slice(encoded, 0, elementBytes);
    return heapBytes == 0
        ? DataBuffer.of(elements)
        : new DataBuffer(elements, VlenHeap.of(slice(encoded, elementBytes, heapBytes)));
  }

  /** Returns the number of bytes of all the segments. */
  static long bytes(List<MemorySegment> segments) {
    long bytes = 0;
    for (MemorySegment segment : segments) {
      bytes += segment.byteSize();
    }
    return bytes;
  }
}
