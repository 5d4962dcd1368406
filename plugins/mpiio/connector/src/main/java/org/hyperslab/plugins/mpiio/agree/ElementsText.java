package org.hyperslab.plugins.mpiio.agree;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.convert.Converter;

/**
 * Describes elements in a short text that is the same for equal values, whatever their layout in
 * memory: the number of bytes, their CRC32C, and the bytes themselves if they are few.
 *
 * <p>Thread rule: stateless.
 */
final class ElementsText {

  /** The maximum number of bytes shown. */
  private static final int SHOWN_BYTES = 32;

  private static final int BLOCK_BYTES = 8192;

  private ElementsText() {}

  /** Returns the text of the first {@code most} elements of a buffer, or of all if it has fewer. */
  static String of(Datatype type, DataBuffer buffer, long most) {
    long count = Math.min(most, buffer.elements().byteSize() / Math.max(1, type.size()));
    if (!type.hasOutOfLineParts() && !(type instanceof CompoundType)) {
      return of(List.of(buffer.elements().asSlice(0, count * type.size())));
    }
    // Gaps between members, and the order of values in a heap, are not part of the values.
    Datatype packed = type instanceof CompoundType compound ? compound.packed().inMemory() : type;
    DataBuffer copy = DataBuffer.allocate(packed, count);
    if (count > 0) {
      Converter.between(type, packed)
          .open(buffer.heap(), copy.heap())
          .convert(buffer.elements(), 0, copy.elements(), 0, count);
    }
    List<MemorySegment> parts = new ArrayList<>();
    parts.add(copy.elements());
    if (copy.heap() != VlenHeap.none()) {
      parts.addAll(copy.heap().blocks());
    }
    return of(parts);
  }

  /** Returns the text of bytes. */
  static String of(List<MemorySegment> parts) {
    CRC32C crc = new CRC32C();
    byte[] block = new byte[BLOCK_BYTES];
    String shown = "";
    long bytes = 0;
    for (MemorySegment part : parts) {
      for (long at = 0; at < part.byteSize(); at += BLOCK_BYTES) {
        int length = (int) Math.min(BLOCK_BYTES, part.byteSize() - at);
        MemorySegment.copy(part, at, MemorySegment.ofArray(block), 0, length);
        crc.update(block, 0, length);
        bytes += length;
        shown = bytes <= SHOWN_BYTES ? shown + HexFormat.of().formatHex(block, 0, length) : "";
      }
    }
    return bytes
        + " bytes"
        + (shown.isEmpty() ? "" : " " + shown)
        + " with CRC "
        + Long.toHexString(crc.getValue());
  }
}
