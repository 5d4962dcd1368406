package org.hyperslab.testkit.differential;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Generates random types and random values of them. */
final class TypeGenerator {

  private static final List<TypeSpec.RealFields> REALS =
      List.of(
          new TypeSpec.RealFields(15, 10, 5, 0, 10, 15),
          new TypeSpec.RealFields(31, 23, 8, 0, 23, 127),
          new TypeSpec.RealFields(63, 52, 11, 0, 52, 1023));

  private final Random random;
  private final boolean revised;

  /** Creates a generator, which makes references of HDF5 1.12 if {@code revised}. */
  TypeGenerator(Random random, boolean revised) {
    this.random = random;
    this.revised = revised;
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Returns any type, nested at most {@code depth} deep. */
  TypeSpec type(int depth) {
    int pick = random.nextInt(depth > 0 ? 14 : 10);
    return switch (pick) {
      case 0, 1, 2 -> integer();
      case 3, 4 -> real();
      case 5 -> text();
      case 6 -> new TypeSpec.LongText(one(List.of("nullterm", "nullpad", "spacepad")), set());
      case 7 -> enumeration();
      case 8 -> chance(50) ? bits() : new TypeSpec.Opaque(1 + random.nextInt(9), "tag");
      case 9 -> new TypeSpec.Ref(revised && chance(60) ? "std" : chance(70) ? "obj" : "reg");
      case 10 -> new TypeSpec.Sequence(type(depth - 1));
      case 11 -> new TypeSpec.Array(List.of(1 + random.nextInt(3), 2), type(depth - 1));
      default -> compound(depth - 1);
    };
  }

  /** Returns a type without references and out-of-line bytes. */
  TypeSpec flat(int depth) {
    return until(() -> type(depth));
  }

  private static TypeSpec until(Supplier<TypeSpec> types) {
    TypeSpec found = types.get();
    while (found.outOfLine()) {
      found = types.get();
    }
    return found;
  }

  private String set() {
    return chance(50) ? "utf8" : "ascii";
  }

  TypeSpec.Int integer() {
    int size = chance(85) ? 1 << random.nextInt(4) : 1 + random.nextInt(8);
    // The newest library considers a type damaged if only half of its bits are used.
    int precision = chance(85) ? 8 * size : 4 * size + 1 + random.nextInt(4 * size);
    int room = 8 * size - precision;
    int offset = room == 0 || chance(50) ? 0 : random.nextInt(room + 1);
    return new TypeSpec.Int(size, chance(40), chance(60) && precision > 1, precision, offset);
  }

  private TypeSpec bits() {
    TypeSpec.Int like = integer();
    return new TypeSpec.Bits(like.size(), like.big(), like.precision(), like.offset());
  }

  TypeSpec.Real real() {
    int which = random.nextInt(3);
    int size = 2 << which;
    return new TypeSpec.Real(size, chance(40), 8 * size, 0, REALS.get(which));
  }

  private TypeSpec text() {
    return new TypeSpec.Text(
        1 + random.nextInt(12), one(List.of("nullterm", "nullpad", "spacepad")), set());
  }

  private TypeSpec enumeration() {
    TypeSpec.Int base = plain();
    List<TypeSpec.Constant> constants = new ArrayList<>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      constants.add(new TypeSpec.Constant("N" + i, number(base, i * 3L + 1)));
    }
    Collections.shuffle(constants, random);
    return new TypeSpec.Enum(base, constants);
  }

  private TypeSpec.Int plain() {
    int size = 1 << random.nextInt(3);
    return new TypeSpec.Int(size, chance(40), chance(50), 8 * size, 0);
  }

  private static String number(TypeSpec.Int base, long value) {
    byte[] bytes = new byte[base.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[base.big() ? bytes.length - 1 - i : i] = (byte) (value >> 8 * i);
    }
    return HexFormat.of().formatHex(bytes);
  }

  private TypeSpec compound(int depth) {
    List<TypeSpec.Member> members = new ArrayList<>();
    int at = 0;
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      TypeSpec type = type(depth);
      at += chance(30) ? random.nextInt(4) : 0;
      members.add(new TypeSpec.Member("m" + i, at, type));
      at += type.size();
    }
    TypeSpec.Compound made = new TypeSpec.Compound(at + random.nextInt(3), members);
    return made.outOfLine() ? packed(members) : made;
  }

  private static TypeSpec packed(List<TypeSpec.Member> members) {
    return new TypeSpec.Compound(
        0, members.stream().map(m -> new TypeSpec.Member(m.name(), 0, m.type())).toList());
  }

  /**
   * Returns a value of a type.
   *
   * @param targets supplies the targets of references; may be empty
   */
  Object value(TypeSpec type, Supplier<List<Object>> targets) {
    return switch (type) {
      case TypeSpec.Int one -> masked(one.size(), one.big(), one.precision(), one.offset());
      case TypeSpec.Bits one -> masked(one.size(), one.big(), one.precision(), one.offset());
      case TypeSpec.Real one -> masked(one.size(), one.big(), one.precision(), one.offset());
      case TypeSpec.Opaque one -> masked(one.size(), false, 8 * one.size(), 0);
      case TypeSpec.Text one -> text(one);
      case TypeSpec.LongText ignored -> word(random.nextInt(20));
      case TypeSpec.Enum one -> one(one.constants()).hex();
      case TypeSpec.Sequence one -> values(one.base(), random.nextInt(4), targets);
      case TypeSpec.Array one -> values(one.base(), one.count(), targets);
      case TypeSpec.Compound one -> {
        List<Object> parts = new ArrayList<>();
        one.members().forEach(member -> parts.add(value(member.type(), targets)));
        yield parts;
      }
      case TypeSpec.Ref one -> reference(one, targets.get());
    };
  }

  List<Object> values(TypeSpec type, long count, Supplier<List<Object>> targets) {
    List<Object> made = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      made.add(i > 3 && chance(50) ? made.get((int) i - 1) : value(type, targets));
    }
    return made;
  }

  private Object reference(TypeSpec.Ref type, List<Object> targets) {
    List<Object> fit =
        targets.stream()
            .filter(
                one -> type.kind().equals("std") || ((List<?>) one).getFirst().equals(type.kind()))
            .toList();
    return fit.isEmpty() || chance(20) ? null : one(fit);
  }

  private String masked(int size, boolean big, int precision, int offset) {
    byte[] bytes = new byte[size];
    if (chance(90)) {
      random.nextBytes(bytes);
    }
    for (int bit = 0; bit < 8 * size; bit++) {
      if (bit < offset || bit >= offset + precision) {
        int at = big ? size - 1 - bit / 8 : bit / 8;
        bytes[at] &= (byte) ~(1 << bit % 8);
      }
    }
    return HexFormat.of().formatHex(bytes);
  }

  private String text(TypeSpec.Text type) {
    int room = type.padding().equals("nullterm") ? type.size() - 1 : type.size();
    byte[] bytes = new byte[type.size()];
    if (type.padding().equals("spacepad")) {
      Arrays.fill(bytes, (byte) ' ');
    }
    byte[] word = "abcdefghijklmno".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(word, 0, bytes, 0, random.nextInt(room + 1));
    return HexFormat.of().formatHex(bytes);
  }

  private String word(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(chance(90) ? (char) ('a' + random.nextInt(26)) : 'é');
    }
    return text.toString();
  }
}
