package org.hyperslab.convert;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenHeap;

/**
 * Reads strings of variable length as strings of a fixed length that the longest fits into, which
 * NumPy has instead. The length is four bytes for each character, as NumPy's text has.
 *
 * @param strings the variable of strings
 * @param bytes the length, a multiple of 4
 * @param heapBytes bytes that the strings of one block may take
 */
record FixedText(Variable strings, int bytes, long heapBytes) implements ElementReader {

  /** Stands for a string that is not UTF-8. */
  private static final int INVALID = Integer.MAX_VALUE;

  /**
   * Returns a variable of fixed strings. All strings are read once, to find the longest.
   *
   * @param strings a variable of strings of variable length
   * @param work moves the strings, and hears if there is no such variable
   * @return the variable; empty if that is tolerated
   */
  static Optional<Variable> of(Variable strings, Work work) {
    OptionalInt longest = longest(strings, work);
    if (longest.isEmpty()) {
      work.lose("text that is not UTF-8", strings.path());
      return Optional.empty();
    }
    int bytes = Math.multiplyExact(4, Math.max(1, longest.getAsInt()));
    long all = Math.multiplyExact(strings.space().elementCount(), (long) bytes);
    if (all > work.expandedBytes()) {
      work.lose(
          "strings of up to "
              + bytes / 4
              + " characters, which would take "
              + all
              + " bytes; --max-expanded allows so many",
          strings.path());
      return Optional.empty();
    }
    StringType type = new StringType(bytes, StringPadding.NULLPAD, CharacterSet.UTF8);
    Variable.Traits traits = strings.traits();
    return Optional.of(
        new Variable(
            strings.path(),
            type,
            strings.space(),
            new Variable.Traits(
                traits.dimensions(),
                traits.attributes(),
                traits.chunk(),
                traits.filters(),
                Optional.empty()),
            new FixedText(strings, bytes, work.memoryBytes())));
  }

  private static OptionalInt longest(Variable strings, Work work) {
    AtomicInteger longest = new AtomicInteger();
    if (strings.space().kind() != Dataspace.Kind.NULL) {
      work.scan(
          strings,
          (box, elements) -> {
            int most = 0;
            for (long i = 0; i < box.elements(); i++) {
              most = Math.max(most, characters(bytes(elements, i)));
            }
            longest.accumulateAndGet(most, Math::max);
          });
    }
    return longest.get() == INVALID ? OptionalInt.empty() : OptionalInt.of(longest.get());
  }

  /**
   * Returns the bytes of a string, up to a NUL, where HDF5's programs end it.
   *
   * @param elements strings in memory
   * @param index which, from 0
   * @return its bytes; none for a null pointer
   */
  static MemorySegment bytes(DataBuffer elements, long index) {
    long at = index * VlenHeap.SLOT_BYTES;
    if (VlenHeap.isNull(elements.elements(), at)) {
      return MemorySegment.ofArray(new byte[0]);
    }
    MemorySegment bytes = elements.heap().readSequence(elements.elements(), at, 1);
    for (long i = 0; i < bytes.byteSize(); i++) {
      if (bytes.get(ValueLayout.JAVA_BYTE, i) == 0) {
        return bytes.asSlice(0, i);
      }
    }
    return bytes;
  }

  /** Counts code points; {@link #INVALID} if the bytes are not UTF-8. */
  private static int characters(MemorySegment utf8) {
    ByteBuffer bytes = ByteBuffer.wrap(utf8.toArray(ValueLayout.JAVA_BYTE));
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      return text.codePointCount(0, text.length());
    } catch (CharacterCodingException _) {
      return INVALID;
    }
  }

  @Override
  public void read(long[] start, long[] count, DataBuffer target) {
    long elements = Boxes.product(count);
    MemorySegment slots = MemorySegment.ofArray(new long[Math.toIntExact(2 * elements)]);
    DataBuffer read = new DataBuffer(slots, new VlenHeap(heapBytes));
    strings.elements().read(start, count, read);
    target.elements().asSlice(0, elements * bytes).fill((byte) 0);
    for (long i = 0; i < elements; i++) {
      MemorySegment text = bytes(read, i);
      if (text.byteSize() > bytes) {
        throw new UnsupportedFeatureException(
            "text: actual="
                + text.byteSize()
                + " bytes, expected<="
                + bytes
                + " as when it was measured, at="
                + strings.path());
      }
      MemorySegment.copy(text, 0, target.elements(), i * bytes, text.byteSize());
    }
  }

  @Override
  public long[] block(long[] dims, long most) {
    return strings.elements().block(dims, most);
  }
}
