package org.hyperslab.format.type.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Converts random nested types to a type with the same values in another layout and back, and
 * compares the values. Replay with -Dhyperslab.seed=N.
 */
class NestedConversionRandomTest {

  private static final int ROUNDS = 300;

  @Test
  void valuesSurviveAnotherLayoutAndBack() {
    long seed = Seeds.draw();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      Datatype type = randomType(random, 0).inMemory();
      Datatype other = relaid(type, random).inMemory();
      int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 3000 : 20);
      String what = "-Dhyperslab.seed=" + seed + " " + type.describe() + " " + other.describe();
      try (Arena arena = Arena.ofConfined()) {
        check(new Case(type, other, count, what), arena, random);
      } catch (RuntimeException surprise) {
        throw new AssertionError(what, surprise);
      }
    }
  }

  record Case(Datatype type, Datatype other, int count, String what) {}

  private static void check(Case c, Arena arena, Random random) {
    MemorySegment first = arena.allocate((long) c.count * c.type.size());
    MemorySegment second = arena.allocate((long) c.count * c.other.size() + 3);
    MemorySegment third = MemorySegment.ofArray(new byte[c.count * c.type.size()]);
    VlenHeap firstHeap = new VlenHeap();
    VlenHeap secondHeap = new VlenHeap();
    VlenHeap thirdHeap = new VlenHeap();
    ElementCodec codec = ElementCodec.of(c.type);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < c.count; i++) {
      values.add(randomValue(c.type, random));
      codec.encode(values.get(i), first, (long) i * c.type.size(), firstHeap);
    }
    Converter.between(c.type, c.other)
        .open(firstHeap, secondHeap)
        .convert(first, 0, second, 3, c.count);
    Converter.between(c.other, c.type)
        .open(secondHeap, thirdHeap)
        .convert(second, 3, third, 0, c.count);
    for (int i = 0; i < c.count; i++) {
      Object back = codec.decode(third, (long) i * c.type.size(), thirdHeap);
      assertThat(back).as(c.what).isEqualTo(values.get(i));
    }
  }

  private static Datatype randomType(Random random, int depth) {
    int choice = random.nextInt(depth < 3 ? 9 : 5);
    return switch (choice) {
      case 0 ->
          IntegerType.of(
              1 << random.nextInt(3), Endian.values()[random.nextInt(2)], random.nextBoolean());
      case 1 -> random.nextBoolean() ? Datatypes.F32LE : Datatypes.F64BE;
      case 2 -> Datatypes.fixedString(1 + random.nextInt(9));
      case 3 -> EnumType.builder(Datatypes.I8LE).constant("A", 1).constant("B", -7).build();
      case 4 -> Datatypes.vlenString();
      case 5 -> Datatypes.vlen(randomType(random, depth + 1));
      case 6 -> {
        int length = random.nextInt(4) == 0 ? 20 : 1 + random.nextInt(3);
        yield Datatypes.array(randomType(random, depth + 1), length, 2);
      }
      default -> {
        CompoundType.Builder builder = CompoundType.builder();
        int members = 1 + random.nextInt(5);
        for (int i = 0; i < members; i++) {
          builder.member("m" + i, randomType(random, depth + 1));
        }
        yield builder.build();
      }
    };
  }

  /** A type that can hold the same values: wider, swapped, reordered, with gaps. */
  private static Datatype relaid(Datatype type, Random random) {
    Endian order = Endian.values()[random.nextInt(2)];
    return switch (type) {
      case IntegerType t -> IntegerType.of(t.size() << random.nextInt(2), order, t.signed());
      case FloatType t -> random.nextBoolean() ? t.withOrder(order) : Datatypes.F64LE;
      case StringType t -> Datatypes.fixedString(t.size() + random.nextInt(3));
      case EnumType _ ->
          EnumType.builder(IntegerType.of(2, order, true))
              .constant("B", 300)
              .constant("A", -1)
              .build();
      case VlenStringType t -> t;
      case VlenType t -> Datatypes.vlen(relaid(t.base(), random));
      case ArrayType t -> new ArrayType(t.dimensions(), relaid(t.base(), random));
      case CompoundType t -> {
        List<CompoundType.Member> members = new ArrayList<>(t.members());
        if (random.nextBoolean()) {
          Collections.shuffle(members, random);
        }
        CompoundType.Builder builder = CompoundType.builder();
        int at = random.nextInt(3);
        for (CompoundType.Member member : members) {
          Datatype moved = random.nextBoolean() ? member.type() : relaid(member.type(), random);
          builder.member(member.name(), at, moved);
          at += moved.size() + random.nextInt(3);
        }
        yield builder.size(at + random.nextInt(3) + 1).build();
      }
      default -> type;
    };
  }

  private static Object randomValue(Datatype type, Random random) {
    return switch (type) {
      case IntegerType t -> {
        int bits = Math.min(t.signed() ? t.precision() - 1 : t.precision(), 32);
        long value = random.nextLong() & ((1L << bits) - 1);
        boolean wide = bits > 31;
        long signed = t.signed() && random.nextBoolean() ? -value : value;
        yield wide ? (Object) signed : (Object) (int) signed;
      }
      case FloatType t -> {
        float value = random.nextInt(20) == 0 ? Float.NEGATIVE_INFINITY : random.nextFloat();
        yield t.size() == 4 ? (Object) value : (Object) (double) value;
      }
      case StringType t -> text(random, t.size());
      case EnumType _ -> random.nextBoolean() ? "A" : "B";
      case VlenStringType _ -> random.nextInt(6) == 0 ? null : text(random, 30);
      case VlenType t -> list(t.base(), random.nextInt(4), random);
      case ArrayType t -> {
        List<Object> rows = new ArrayList<>();
        for (int i = 0; i < t.dimensions().get(0); i++) {
          rows.add(list(t.base(), t.dimensions().get(1), random));
        }
        yield rows;
      }
      case CompoundType t -> {
        Map<String, Object> map = new LinkedHashMap<>();
        t.members().forEach(m -> map.put(m.name(), randomValue(m.type(), random)));
        yield map;
      }
      default -> throw new IllegalArgumentException(type.describe());
    };
  }

  private static List<Object> list(Datatype base, int length, Random random) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      list.add(randomValue(base, random));
    }
    return list;
  }

  private static String text(Random random, int longest) {
    return "abcdefghijklmnopqrstuvwxyzabcdefgh".substring(0, random.nextInt(longest + 1));
  }
}
