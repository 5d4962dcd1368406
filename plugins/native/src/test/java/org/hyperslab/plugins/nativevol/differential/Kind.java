package org.hyperslab.plugins.nativevol.differential;

import java.lang.reflect.Array;
import java.util.HexFormat;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.StringPadding;

/**
 * The types of the elements in test files; differential.py has the same types under the same names.
 */
enum Kind {
  I8(Datatypes.I8LE, byte.class),
  U8(Datatypes.U8LE, short.class),
  I16BE(Datatypes.I16BE, short.class),
  U16(Datatypes.U16LE, int.class),
  I32(Datatypes.I32LE, int.class),
  I32BE(Datatypes.I32BE, int.class),
  I64(Datatypes.I64LE, long.class),
  F16(Datatypes.F16LE, float.class),
  F32BE(Datatypes.F32BE, float.class),
  F64(Datatypes.F64LE, double.class),
  STRING(Datatypes.fixedString(6, StringPadding.NULLPAD, CharacterSet.ASCII), String.class),
  TEXT(Datatypes.vlenString(), String.class),
  ENUM(
      EnumType.builder(Datatypes.I8LE)
          .constant("BLUE", 2) // by name, as h5py sorts them
          .constant("GREEN", 1)
          .constant("RED", 0)
          .build(),
      Colour.class),
  PAIR(Pair.TYPE, Pair.class),
  TEXTS(
      CompoundType.builder()
          .member("id", Datatypes.I64LE)
          .member("text", Datatypes.vlenString())
          .build(),
      Texts.class),
  NESTED(
      CompoundType.builder()
          .member("inner", Pair.TYPE)
          .member("v", Datatypes.array(Datatypes.I16LE, 3))
          .build(),
      Nested.class),
  ARRAY(Datatypes.array(Datatypes.I16LE, 3), short[].class),
  VLEN(Datatypes.vlen(Datatypes.I32LE), int[].class),
  OPAQUE(Datatypes.opaque(5, ""), byte[].class),
  REF(Datatypes.OBJECT_REFERENCE, Reference.ToObject.class);

  /** An enumeration. */
  enum Colour {
    RED,
    GREEN,
    BLUE
  }

  /** A compound. */
  record Pair(int a, double b, String n) {
    static final CompoundType TYPE =
        CompoundType.builder()
            .member("a", Datatypes.I32LE)
            .member("b", Datatypes.F64BE)
            .member("n", Datatypes.fixedString(4, StringPadding.NULLPAD, CharacterSet.ASCII))
            .build();
  }

  /** A compound with text. */
  record Texts(long id, String text) {}

  /** A compound in another, and an array. */
  record Nested(Pair inner, short[] v) {}

  final Datatype type;
  private final Class<?> element;

  Kind(Datatype type, Class<?> element) {
    this.type = type;
    this.element = element;
  }

  /** Its name in edits. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Kind of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Returns whether fill values are tested: only for plain integers. */
  boolean isInteger() {
    return ordinal() <= I64.ordinal();
  }

  /** The class of a flat array of elements. */
  Class<?> arrayClass() {
    return element.arrayType();
  }

  /** Elements that follow from a number. */
  Object values(int seed, int count, Reference root) {
    Object all = Array.newInstance(element, count);
    for (int i = 0; i < count; i++) {
      Array.set(all, i, value((seed * 31 + i * 17) % 97, root));
    }
    return all;
  }

  private Object value(int x, Reference root) {
    return switch (this) {
      case I8 -> (byte) x;
      case U8, I16BE -> (short) x;
      case U16, I32, I32BE -> x;
      case I64 -> (long) x;
      case F16, F32BE -> x / 4f;
      case F64 -> x / 4.0;
      case STRING -> "s" + x;
      case TEXT -> "t" + x + "x".repeat(x % 40);
      case ENUM -> Colour.values()[x % 3];
      case PAIR -> pair(x);
      case TEXTS -> new Texts(x, "t" + x);
      case NESTED -> new Nested(pair(x), shorts(x));
      case ARRAY -> shorts(x);
      case VLEN -> IntStream.range(x, x + x % 5).toArray();
      case OPAQUE -> new byte[] {(byte) x, 1, 2, 3, -1};
      case REF -> root;
    };
  }

  private static Pair pair(int x) {
    return new Pair(x, x / 4.0, "n" + x % 50);
  }

  private static short[] shorts(int x) {
    return new short[] {(short) x, (short) (x + 1), (short) (x + 2)};
  }

  /** Returns elements as text, as differential.py prints them. */
  String text(Object array) {
    StringJoiner joiner = new StringJoiner(";");
    for (int i = 0; i < Array.getLength(array); i++) {
      joiner.add(one(Array.get(array, i)));
    }
    return joiner.toString();
  }

  private static String one(Object value) {
    return switch (value) {
      case null -> "";
      case Float f -> Math.round(f * 4) + "q";
      case Double d -> Math.round(d * 4) + "q";
      case Colour colour -> Integer.toString(colour.ordinal());
      case Pair pair -> "(" + pair.a + " " + one(pair.b) + " " + pair.n + ")";
      case Texts texts -> "(" + texts.id + " " + (texts.text == null ? "" : texts.text) + ")";
      case Nested nested -> "(" + one(nested.inner) + " " + one(nested.v) + ")";
      case byte[] bytes -> HexFormat.of().formatHex(bytes);
      case Reference _ -> "ref";
      default -> value.getClass().isArray() ? list(value) : value.toString();
    };
  }

  private static String list(Object array) {
    StringJoiner joiner = new StringJoiner(" ", "[", "]");
    for (int i = 0; i < Array.getLength(array); i++) {
      joiner.add(one(Array.get(array, i)));
    }
    return joiner.toString();
  }
}
