package org.hyperslab.convert.rewrite;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenHeap;

/**
 * Reads variable-length strings as fixed-length strings of the length of the longest one, because
 * NumPy and classic netCDF have no variable-length strings. For NumPy the length is four bytes for
 * each character, as in NumPy, where a byte that is not UTF-8 is a character; for netCDF it is the
 * length of the bytes.
 *
 * @param strings the variable of strings
 * @param bytes the fixed length in bytes
 * @param heapBytes the maximum size of the strings of one block, in bytes
 */
public record FixedText(Variable strings, int bytes, long heapBytes) implements ElementReader {

  /** From how many strings on those that are not stored are not looked at one by one. */
  private static final long MANY = 1 << 20;

  /** Two bytes at least, because netCDF takes an array of strings of one for a single string. */
  private static final int MIN_BYTES = 2;

  /**
   * Returns a variable of fixed-length strings with four bytes for each character. Reads all
   * strings once to find the longest.
   *
   * @param strings a variable of variable-length strings
   * @param work reads the strings, and receives a report if they cannot be converted
   * @return the variable, or empty if the strings cannot be converted and the user tolerates this
   */
  public static Optional<Variable> ofCharacters(Variable strings, ConversionRun work) {
    int longest = longest(strings, work, FixedText::characters);
    return of(strings, longest, 4, CharacterSet.UTF8, work);
  }

  /**
   * Returns a variable of fixed strings, as {@link #ofCharacters}, as long as the bytes, of the
   * character set ASCII if they are not UTF-8.
   */
  public static Optional<Variable> ofBytes(Variable strings, ConversionRun work) {
    AtomicBoolean isUtf8 = new AtomicBoolean(true);
    int longest =
        longest(
            strings,
            work,
            text -> {
              if (!isUtf8(text)) {
                isUtf8.set(false);
              }
              return (int) text.byteSize();
            });
    CharacterSet charset = isUtf8.get() ? CharacterSet.UTF8 : CharacterSet.ASCII;
    return of(strings, longest, 1, charset, work);
  }

  private static Optional<Variable> of(
      Variable strings, int longest, int unitBytes, CharacterSet charset, ConversionRun work) {
    int bytes = Math.max(MIN_BYTES, Math.multiplyExact(unitBytes, Math.max(1, longest)));
    long all = Math.multiplyExact(strings.space().elementCount(), (long) bytes);
    if (all > work.expandedBytes()) {
      work.reportLoss(
          "strings of up to "
              + longest
              + (unitBytes == 1 ? " bytes," : " characters,")
              + " which would take "
              + all
              + " bytes; --max-expanded allows so many",
          strings.path());
      return Optional.empty();
    }
    StringType type = new StringType(bytes, StringPadding.NULLPAD, charset);
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

  private static int longest(
      Variable strings, ConversionRun work, ToIntFunction<MemorySegment> measure) {
    AtomicInteger longest = new AtomicInteger();
    ConversionRun.BlockSink sink =
        (box, elements) -> {
          int most = 0;
          for (long i = 0; i < box.elements(); i++) {
            most = Math.max(most, measure.applyAsInt(bytes(elements, i)));
          }
          longest.accumulateAndGet(most, Math::max);
        };
    boolean isNull = strings.space().kind() == Dataspace.Kind.NULL;
    Optional<List<Boxes.Box>> stored =
        isNull || strings.space().elementCount() < MANY
            ? Optional.empty()
            : strings.elements().stored();
    if (stored.isPresent()) {
      work.scan(strings, stored.get(), sink);
      strings
          .traits()
          .fill()
          .ifPresent(
              fill -> longest.accumulateAndGet(measure.applyAsInt(bytes(fill, 0)), Math::max));
    } else if (!isNull) {
      work.scan(strings, sink);
    }
    return longest.get();
  }

  /**
   * Returns the bytes of a string up to the first NUL, at which HDF5's programs end it.
   *
   * @param elements strings in memory
   * @param index the index of the string, from 0
   * @return its bytes; none for a null pointer
   */
  public static MemorySegment bytes(DataBuffer elements, long index) {
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

  /**
   * Returns whether bytes are UTF-8.
   *
   * @param bytes of a text
   */
  static boolean isUtf8(MemorySegment bytes) {
    return NameBytes.isUtf8(NameBytes.decode(bytes.toArray(ValueLayout.JAVA_BYTE)));
  }

  /** Returns the number of code points; a byte that is not UTF-8 is one. */
  private static int characters(MemorySegment bytes) {
    String text = NameBytes.decode(bytes.toArray(ValueLayout.JAVA_BYTE));
    return text.codePointCount(0, text.length());
  }

  @Override
  public void read(long[] start, long[] count, DataBuffer target) {
    long elements = Dataspace.product(count);
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
