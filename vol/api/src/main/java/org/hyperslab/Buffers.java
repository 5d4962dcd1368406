package org.hyperslab;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.jspecify.annotations.Nullable;

/**
 * Wraps NIO buffers as memory, used in place from position to limit.
 *
 * <p>The memory holds what the buffer's own {@code get} methods would read, so {@code order()} is
 * respected. A buffer of numbers holds that Java type. A ByteBuffer holds elements of the stored
 * type in memory form, with every number in them in the buffer's byte order.
 */
final class Buffers {

  private Buffers() {}

  /**
   * Returns whether a buffer holds numbers of a Java type rather than elements of the stored type.
   */
  static boolean isOfNumbers(Buffer buffer) {
    return !(buffer instanceof ByteBuffer);
  }

  /**
   * Returns a buffer as memory.
   *
   * @param stored the type of the elements of a ByteBuffer; null for bytes
   */
  static Memory wrap(Buffer buffer, @Nullable Datatype stored) {
    Datatype type = typeOf(buffer, stored);
    int bytesOfOne = type.memorySize();
    MemorySegment elements = segment(buffer);
    if (elements.byteSize() % bytesOfOne != 0) {
      throw new InvalidUseException(
          "ByteBuffer: actual="
              + elements.byteSize()
              + " bytes from position to limit, expected=a multiple of "
              + bytesOfOne
              + " for elements of "
              + type.describe());
    }
    return new Memory(
            type,
            Dataspace.simple(elements.byteSize() / bytesOfOne),
            Selection.all(),
            DataBuffer.of(elements))
        .requireAccessible();
  }

  private static MemorySegment segment(Buffer buffer) {
    if (buffer instanceof CharBuffer chars && !chars.isDirect() && chars.isReadOnly()) {
      // A CharBuffer around a text has no memory.
      char[] copy = new char[chars.remaining()];
      chars.duplicate().get(copy);
      MemorySegment swapped = MemorySegment.ofArray(copy);
      return swapped.asReadOnly();
    }
    return MemorySegment.ofBuffer(buffer);
  }

  private static Datatype typeOf(Buffer buffer, @Nullable Datatype stored) {
    return switch (buffer) {
      case ByteBuffer b -> stored == null ? Datatypes.NATIVE_BYTE : elements(stored, b.order());
      case ShortBuffer b -> ordered(Datatypes.NATIVE_SHORT, endian(b.order()));
      case IntBuffer b -> ordered(Datatypes.NATIVE_INT, endian(b.order()));
      case LongBuffer b -> ordered(Datatypes.NATIVE_LONG, endian(b.order()));
      case FloatBuffer b -> ordered(Datatypes.NATIVE_FLOAT, endian(b.order()));
      case DoubleBuffer b -> ordered(Datatypes.NATIVE_DOUBLE, endian(b.order()));
      case CharBuffer b -> ordered(Datatypes.NATIVE_UNSIGNED_SHORT, endian(charOrder(b)));
    };
  }

  private static ByteOrder charOrder(CharBuffer chars) {
    return !chars.isDirect() && chars.isReadOnly() ? ByteOrder.nativeOrder() : chars.order();
  }

  private static Datatype elements(Datatype stored, ByteOrder order) {
    if (stored.hasOutOfLineParts()) {
      throw new InvalidUseException(
          "ByteBuffer: actual=elements of "
              + stored.describe()
              + ", which are not stored in the elements, expected=a type of fixed "
              + "size; use Java arrays"
              + " or a Memory");
    }
    return ordered(stored.inMemory(), endian(order));
  }

  private static Endian endian(ByteOrder order) {
    return order == ByteOrder.BIG_ENDIAN ? Endian.BIG : Endian.LITTLE;
  }

  /**
   * Returns a type with every number in the given byte order and unchanged sizes and offsets.
   * Enumerations in the other order become integers, because conversion between enumerations loses
   * numbers without a name.
   */
  private static Datatype ordered(Datatype type, Endian order) {
    return switch (type) {
      case IntegerType t -> integer(t, order);
      case FloatType t -> real(t, order);
      case BitfieldType t ->
          new BitfieldType(
              t.size(), order, t.precision(), t.offset(), t.lowPadding(), t.highPadding());
      case TimeType t -> new TimeType(t.size(), order, t.precision());
      case EnumType t -> t.base().order() == order ? t : integer(t.base(), order);
      case ComplexType t -> new ComplexType(real(t.base(), order));
      case ArrayType t -> new ArrayType(t.dimensions(), ordered(t.base(), order));
      case CompoundType t -> new CompoundType(t.size(), members(t, order));
      case StringType t -> t;
      case OpaqueType t -> t;
      case ReferenceType t -> t;
      case VlenType t -> t;
      case VlenStringType t -> t;
    };
  }

  private static List<CompoundType.Member> members(CompoundType type, Endian order) {
    return type.members().stream()
        .map(m -> new CompoundType.Member(m.name(), m.offset(), ordered(m.type(), order)))
        .toList();
  }

  private static IntegerType integer(IntegerType t, Endian order) {
    return new IntegerType(
        t.size(),
        t.size() == 1 ? t.order() : order,
        t.signed(),
        t.precision(),
        t.offset(),
        t.lowPadding(),
        t.highPadding());
  }

  private static FloatType real(FloatType type, Endian order) {
    return type.order() == Endian.VAX ? type : type.withOrder(order);
  }
}
