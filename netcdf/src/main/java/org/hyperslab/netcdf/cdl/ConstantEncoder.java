package org.hyperslab.netcdf.cdl;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.value.ElementCodec;
import org.jspecify.annotations.Nullable;

/**
 * Converts constants to elements in memory form. An integer takes the place of any number if it is
 * in range; a number with a fraction is cut off for an integer.
 *
 * <p>Thread rule: immutable.
 */
final class ConstantEncoder {

  private static final long MAX_BYTES = 1L << 30;

  private final String where;
  private final int line;

  ConstantEncoder(String where, int line) {
    this.where = where;
    this.line = line;
  }

  InvalidUseException wrong(String actual, String expected) {
    return CdlLexer.wrong(actual + " for " + where, expected, line);
  }

  /** Returns room for elements, in memory form. */
  DataBuffer room(Datatype memory, long count) {
    if (count > 0 && memory.size() > MAX_BYTES / count) {
      throw new LimitExceededException(
          "elements: actual="
              + count
              + " of "
              + memory.size()
              + " bytes, expected at most 1 GiB in one list of CDL, at="
              + where);
    }
    return DataBuffer.allocate(memory, count);
  }

  /** Returns elements of a type. */
  DataBuffer encode(List<CdlConstant> constants, Datatype memory, @Nullable DataBuffer fill) {
    DataBuffer data = room(memory, constants.size());
    for (int i = 0; i < constants.size(); i++) {
      long at = (long) i * memory.size();
      if (constants.get(i) instanceof CdlConstant.Fill && fill != null) {
        copy(memory, fill, data, at);
      } else {
        put(constants.get(i), memory, data.elements(), at, data.heap());
      }
    }
    return data;
  }

  /** A value with parts elsewhere is not copied by its bytes. */
  private static void copy(Datatype memory, DataBuffer fill, DataBuffer data, long at) {
    if (memory.hasOutOfLineParts()) {
      ElementCodec codec = ElementCodec.of(memory);
      codec.encode(codec.decode(fill.elements(), 0, fill.heap()), data.elements(), at, data.heap());
    } else {
      MemorySegment.copy(fill.elements(), 0, data.elements(), at, memory.size());
    }
  }

  private void put(
      CdlConstant constant, Datatype type, MemorySegment elements, long at, VlenHeap heap) {
    switch (type) {
      case IntegerType number -> setInteger(number, integer(constant, number), elements, at);
      case FloatType number -> setReal(number, real(constant, number), elements, at);
      case StringType _ -> elements.set(ValueLayout.JAVA_BYTE, at, character(constant));
      case VlenStringType _ -> heap.putString(elements, at, string(constant));
      case EnumType names ->
          setInteger(names.base(), BigInteger.valueOf(named(constant, names)), elements, at);
      case OpaqueType opaque ->
          MemorySegment.copy(
              opaque(constant, opaque.size()),
              0,
              elements,
              ValueLayout.JAVA_BYTE,
              at,
              opaque.size());
      case CompoundType compound -> compound(constant, compound, elements, at, heap);
      case ArrayType array -> array(constant, array, elements, at, heap);
      case VlenType sequence -> sequence(constant, sequence, elements, at, heap);
      default -> throw wrong(type.describe(), "a type of netCDF");
    }
  }

  // --- numbers ---

  private BigInteger integer(CdlConstant constant, IntegerType type) {
    BigInteger value =
        switch (constant) {
          case CdlConstant.Whole whole -> whole.value();
          case CdlConstant.Character character -> BigInteger.valueOf(character.value());
          case CdlConstant.Hexadecimal digits -> hexadecimal(digits);
          case CdlConstant.Real real when Double.isFinite(real.value()) ->
              new BigDecimal(real.value()).toBigInteger();
          case CdlConstant.Fill _ -> VariableText.defaultInteger(type);
          default -> throw wrong(shown(constant), "an integer");
        };
    int bits = 8 * type.size();
    boolean inRange =
        type.signed() ? value.bitLength() < bits : value.signum() >= 0 && value.bitLength() <= bits;
    if (!inRange) {
      throw wrong(value.toString(), "an integer in the range of " + CdlNames.primitive(type));
    }
    return value;
  }

  /** The time to read many digits would grow with the square of their number. */
  private BigInteger hexadecimal(CdlConstant.Hexadecimal constant) {
    String digits = constant.digits();
    if (digits.length() > 2 * Long.BYTES) {
      throw wrong("0x and " + digits.length() + " digits", "at most 16 digits of an integer");
    }
    return new BigInteger(digits, 16);
  }

  private static void setInteger(
      IntegerType type, BigInteger value, MemorySegment elements, long at) {
    set(type.size(), type.order(), value.longValue(), elements, at);
  }

  private double real(CdlConstant constant, FloatType type) {
    return switch (constant) {
      case CdlConstant.Whole whole -> whole.value().doubleValue();
      case CdlConstant.Character character -> character.value();
      case CdlConstant.Hexadecimal digits -> hexadecimal(digits).doubleValue();
      case CdlConstant.Real real -> real.value();
      case CdlConstant.Fill _ -> VariableText.DEFAULT_REAL;
      default -> throw wrong(shown(constant), "a number");
    };
  }

  private static void setReal(FloatType type, double value, MemorySegment elements, long at) {
    long bits =
        type.size() == 4
            ? Float.floatToRawIntBits((float) value)
            : Double.doubleToRawLongBits(value);
    set(type.size(), type.order(), bits, elements, at);
  }

  private static void set(int size, Endian endian, long bits, MemorySegment elements, long at) {
    ByteOrder order = endian == Endian.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    switch (size) {
      case 1 -> elements.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
      case 2 -> elements.set(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order), at, (short) bits);
      case 4 -> elements.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(order), at, (int) bits);
      default -> elements.set(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order), at, bits);
    }
  }

  // --- texts ---

  private byte character(CdlConstant constant) {
    byte[] bytes = bytes(constant);
    if (bytes.length > 1) {
      throw wrong(bytes.length + " characters", "one");
    }
    return bytes.length == 0 ? 0 : bytes[0];
  }

  /** Returns the characters of a constant. */
  byte[] bytes(CdlConstant constant) {
    return switch (constant) {
      case CdlConstant.Text text -> text.bytes();
      case CdlConstant.Character character -> new byte[] {character.value()};
      case CdlConstant.Fill _ -> new byte[1];
      case CdlConstant.Whole whole when whole.value().bitLength() <= 8 ->
          new byte[] {whole.value().byteValue()};
      default -> throw wrong(shown(constant), "text");
    };
  }

  /** Returns the characters of constants, one after another. */
  byte[] joined(List<CdlConstant> constants) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    constants.forEach(constant -> all.writeBytes(bytes(constant)));
    return all.toByteArray();
  }

  /** Returns a string; null for one that does not exist. */
  @Nullable String string(CdlConstant constant) {
    return switch (constant) {
      case CdlConstant.Text text -> NameBytes.decode(text.bytes());
      case CdlConstant.Nil _ -> null;
      case CdlConstant.Fill _ -> "";
      default -> throw wrong(shown(constant), "text");
    };
  }

  // --- types of users ---

  private long named(CdlConstant constant, EnumType type) {
    return switch (constant) {
      case CdlConstant.Name name ->
          type.constant(name.name())
              .orElseThrow(() -> wrong(name.name(), "a value of the enumeration"))
              .value();
      case CdlConstant.Whole whole -> integer(whole, type.base()).longValue();
      case CdlConstant.Fill _ -> 0;
      default -> throw wrong(shown(constant), "a value of the enumeration");
    };
  }

  private byte[] opaque(CdlConstant constant, int size) {
    byte[] bytes = new byte[size];
    if (constant instanceof CdlConstant.Fill) {
      return bytes;
    }
    if (!(constant instanceof CdlConstant.Hexadecimal digits)) {
      throw wrong(shown(constant), "0x and hexadecimal digits");
    }
    String text = digits.digits();
    for (int i = 0; i < size && 2 * i < text.length(); i++) {
      int high = Character.digit(text.charAt(2 * i), 16);
      int low = 2 * i + 1 < text.length() ? Character.digit(text.charAt(2 * i + 1), 16) : 0;
      bytes[i] = (byte) (16 * high + low);
    }
    return bytes;
  }

  private List<CdlConstant> items(CdlConstant constant) {
    return switch (constant) {
      case CdlConstant.Items items -> items.values();
      case CdlConstant.Fill _ -> List.of();
      default -> throw wrong(shown(constant), "values in braces");
    };
  }

  private void compound(
      CdlConstant constant, CompoundType type, MemorySegment elements, long at, VlenHeap heap) {
    List<CdlConstant> items = items(constant);
    if (items.size() > type.members().size()) {
      throw wrong(items.size() + " values", "at most " + type.members().size() + " fields");
    }
    for (int i = 0; i < type.members().size(); i++) {
      CompoundType.Member member = type.members().get(i);
      CdlConstant value = i < items.size() ? items.get(i) : new CdlConstant.Fill();
      put(value, member.type(), elements, at + member.offset(), heap);
    }
  }

  private void array(
      CdlConstant constant, ArrayType type, MemorySegment elements, long at, VlenHeap heap) {
    Datatype base = type.base();
    long count = type.size() / base.size();
    List<CdlConstant> items = items(constant);
    if (base instanceof StringType) {
      byte[] rows = CharacterRows.of(items, type.dimensions().getLast(), count, this);
      MemorySegment.copy(rows, 0, elements, ValueLayout.JAVA_BYTE, at, rows.length);
      return;
    }
    if (items.size() > count) {
      throw wrong(items.size() + " values", "at most " + count);
    }
    for (int i = 0; i < count; i++) {
      CdlConstant value = i < items.size() ? items.get(i) : new CdlConstant.Fill();
      put(value, base, elements, at + (long) i * base.size(), heap);
    }
  }

  private void sequence(
      CdlConstant constant, VlenType type, MemorySegment elements, long at, VlenHeap heap) {
    Datatype base = type.base();
    List<CdlConstant> items = items(constant);
    if (base instanceof StringType) {
      heap.writeSequence(elements, at, MemorySegment.ofArray(joined(items)), 1);
      return;
    }
    MemorySegment inner = room(base, items.size()).elements();
    for (int i = 0; i < items.size(); i++) {
      put(items.get(i), base, inner, (long) i * base.size(), heap);
    }
    heap.writeSequence(elements, at, inner, base.size());
  }

  private static String shown(CdlConstant constant) {
    return switch (constant) {
      case CdlConstant.Text _ -> "text";
      case CdlConstant.Character _ -> "a character";
      case CdlConstant.Whole whole -> whole.value().toString();
      case CdlConstant.Real real -> Double.toString(real.value());
      case CdlConstant.Hexadecimal digits -> "0x" + digits.digits();
      case CdlConstant.Name name -> name.name();
      case CdlConstant.Fill _ -> "_";
      case CdlConstant.Nil _ -> "NIL";
      case CdlConstant.Items _ -> "values in braces";
    };
  }
}
