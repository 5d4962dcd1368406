package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Generates random pairs of convertible types, and elements of the first. Known differences are
 * avoided, each with its reason; {@code docs/conversions.md} lists them.
 */
final class ConversionGenerator {

  /** Formats of neither IEEE nor any processor, as bits of exponent and mantissa. */
  private static final int[][] ODD_FLOATS = {
    {8, 7}, {8, 15}, {6, 17}, {11, 20}, {11, 36}, {10, 29}
  };

  /**
   * The number of mantissa bits that every float format here has, so that conversions are exact.
   */
  private static final int COMMON_MANTISSA_BITS = 6;

  private final Random random;
  private final TypeGenerator types;

  ConversionGenerator(Random random) {
    this.random = random;
    this.types = new TypeGenerator(random, false);
  }

  /**
   * Two types, and elements of the first.
   *
   * @param source the first type
   * @param target the second type
   * @param elements the values of the elements as trees
   */
  record Pair(TypeSpec source, TypeSpec target, List<Object> elements) {

    /** Returns the elements' bytes in hexadecimal. */
    String bytes() {
      byte[] bytes = new byte[elements.size() * source.size()];
      for (int i = 0; i < elements.size(); i++) {
        ElementBytes.put(source, elements.get(i), bytes, i * source.size());
      }
      return HexFormat.of().formatHex(bytes);
    }
  }

  /** Returns a pair with a number of elements. */
  Pair pair(int count) {
    return switch (random.nextInt(10)) {
      case 0 -> oddFloats(count);
      case 1 -> enums(count);
      case 2 -> strings(count);
      case 3 -> compounds(count);
      case 4 -> arrays(count);
      default -> numbers(count);
    };
  }

  // --- numbers ---

  private Pair numbers(int count) {
    TypeSpec source = number();
    TypeSpec target = number();
    while (isKnown(source, target)) {
      source = number();
      target = number();
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(value(source, target));
    }
    return new Pair(source, target, values);
  }

  private TypeSpec number() {
    return types.chance(60) ? types.integer() : types.real();
  }

  private static boolean isKnown(TypeSpec source, TypeSpec target) {
    return isOnlySwapped(source, target) || isHalf(source, target) || isHalf(target, source);
  }

  /** Returns whether the library only swaps the bytes of a pair and ignores sign and precision. */
  private static boolean isOnlySwapped(TypeSpec source, TypeSpec target) {
    return source instanceof TypeSpec.Int a
        && target instanceof TypeSpec.Int b
        && a.size() == b.size()
        && a.big() != b.big();
  }

  /**
   * Returns whether a pair converts half precision, where HDF5 1.10 converts negative numbers to
   * large integers, and integers that are too large to NaN.
   */
  private static boolean isHalf(TypeSpec real, TypeSpec whole) {
    return real instanceof TypeSpec.Real && real.size() == 2 && whole instanceof TypeSpec.Int;
  }

  /**
   * Returns an element. Avoids NaN and the smallest numbers of the narrower type, which HDF5 1.10
   * rounds to half their size.
   */
  private String value(TypeSpec type, TypeSpec target) {
    String hex = (String) types.value(type, List::of);
    long smallest =
        target instanceof TypeSpec.Real narrow && narrow.size() < type.size()
            ? 1 - narrow.fields().bias()
            : Long.MIN_VALUE;
    while (type instanceof TypeSpec.Real real && isKnown(real, hex, smallest)) {
      hex = (String) types.value(type, List::of);
    }
    return hex;
  }

  private static boolean isKnown(TypeSpec.Real type, String hex, long smallest) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    long bits = 0;
    for (int i = 0; i < bytes.length; i++) {
      bits = bits << 8 | bytes[type.big() ? i : bytes.length - 1 - i] & 0xFF;
    }
    long ones = (1L << type.fields().exponentBits()) - 1;
    long exponent = bits >>> type.fields().exponent() & ones;
    return exponent == ones || bits != 0 && exponent - type.fields().bias() < smallest;
  }

  // --- other floats ---

  /**
   * Returns values that both formats represent exactly, because the library rounds halves up when
   * it converts in software.
   */
  private Pair oddFloats(int count) {
    TypeSpec.Real odd = oddFloat();
    TypeSpec.Real other = types.chance(50) ? oddFloat() : wideFloat();
    boolean forth = types.chance(50);
    TypeSpec.Real source = forth ? odd : other;
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(exact(source));
    }
    return new Pair(source, forth ? other : odd, values);
  }

  private TypeSpec.Real wideFloat() {
    TypeSpec.Real real = types.real();
    return real.size() == 2 ? wideFloat() : real;
  }

  private TypeSpec.Real oddFloat() {
    int[] bits = ODD_FLOATS[random.nextInt(ODD_FLOATS.length)];
    int precision = 1 + bits[0] + bits[1];
    int size = (precision + 7) / 8;
    TypeSpec.RealFields fields =
        new TypeSpec.RealFields(
            precision - 1, bits[1], bits[0], 0, bits[1], (1 << bits[0] - 1) - 1);
    return new TypeSpec.Real(size, types.chance(40), precision, 0, fields);
  }

  private String exact(TypeSpec.Real type) {
    TypeSpec.RealFields fields = type.fields();
    long mantissa = random.nextLong(1L << COMMON_MANTISSA_BITS);
    long exponent = (long) fields.bias() + random.nextInt(21) - 10;
    long bits =
        random.nextLong(2) << fields.sign()
            | exponent << fields.exponent()
            | mantissa << fields.mantissa() + fields.mantissaBits() - COMMON_MANTISSA_BITS;
    byte[] bytes = new byte[type.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[type.big() ? bytes.length - 1 - i : i] = (byte) (bits >>> 8 * i);
    }
    return HexFormat.of().formatHex(bytes);
  }

  // --- named numbers ---

  /** Returns enumerations of the same names in another order, with other values; or integers. */
  private Pair enums(int count) {
    List<Integer> names = new ArrayList<>(List.of(0, 1, 2, 3, 4));
    TypeSpec.Enum source = enumeration(names, 1 + random.nextInt(9));
    Collections.shuffle(names, random);
    TypeSpec target =
        types.chance(70) ? enumeration(names, 1 + random.nextInt(9)) : wide(source.base());
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(types.one(source.constants()).hex());
    }
    return new Pair(source, target, values);
  }

  private TypeSpec.Enum enumeration(List<Integer> names, int step) {
    int size = 1 << random.nextInt(4);
    TypeSpec.Int base = new TypeSpec.Int(size, types.chance(40), types.chance(50), 8 * size, 0);
    List<TypeSpec.Constant> constants = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      constants.add(new TypeSpec.Constant("N" + names.get(i), hex(base, (i + 1L) * step)));
    }
    return new TypeSpec.Enum(base, constants);
  }

  /** Returns an integer of another size, because those of equal size are only swapped. */
  private TypeSpec.Int wide(TypeSpec.Int base) {
    int size = base.size() == 8 ? 4 : 8;
    return new TypeSpec.Int(size, types.chance(40), true, 8 * size, 0);
  }

  private static String hex(TypeSpec.Int base, long value) {
    byte[] bytes = new byte[base.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[base.big() ? bytes.length - 1 - i : i] = (byte) (value >> 8 * i);
    }
    return HexFormat.of().formatHex(bytes);
  }

  // --- texts, and values made of values ---

  private Pair strings(int count) {
    String set = types.chance(50) ? "utf8" : "ascii";
    TypeSpec.Text source = text(set);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(types.value(source, List::of));
    }
    return new Pair(source, text(set), values);
  }

  private TypeSpec.Text text(String set) {
    return new TypeSpec.Text(
        1 + random.nextInt(12), types.one(List.of("nullterm", "nullpad", "spacepad")), set);
  }

  /** Returns compounds of which the second has some members of the first, in another order. */
  private Pair compounds(int count) {
    List<Pair> parts = new ArrayList<>();
    for (int i = 2 + random.nextInt(3); i > 0; i--) {
      parts.add(types.chance(70) ? numbers(count) : strings(count));
    }
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      kept.add(i);
    }
    Collections.shuffle(kept, random);
    kept.subList(1 + random.nextInt(kept.size()), kept.size()).clear();
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      values.add(parts.stream().map(part -> part.elements().get(number)).toList());
    }
    List<TypeSpec.Member> from = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      add(from, "m" + i, parts.get(i).source());
    }
    List<TypeSpec.Member> to = new ArrayList<>();
    kept.forEach(i -> add(to, "m" + i, parts.get(i).target()));
    return new Pair(compound(from), compound(to), values);
  }

  private static void add(List<TypeSpec.Member> members, String name, TypeSpec type) {
    members.add(new TypeSpec.Member(name, end(members), type));
  }

  private static int end(List<TypeSpec.Member> members) {
    return members.isEmpty() ? 0 : members.getLast().offset() + members.getLast().type().size();
  }

  private static TypeSpec.Compound compound(List<TypeSpec.Member> members) {
    return new TypeSpec.Compound(end(members), members);
  }

  private Pair arrays(int count) {
    List<Integer> dims = List.of(1 + random.nextInt(3), 2);
    int length = dims.getFirst() * dims.getLast();
    Pair parts = numbers(count * length);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(parts.elements().subList(i * length, (i + 1) * length));
    }
    return new Pair(
        new TypeSpec.Array(dims, parts.source()), new TypeSpec.Array(dims, parts.target()), values);
  }
}
