package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.value.JavaTypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests elements of every type in every layout: stored, converted, filled. */
abstract class ValueContract extends ContractBase {

  private static final int ROWS = 7;
  private static final int COLUMNS = 5;
  private static final int COUNT = ROWS * COLUMNS;

  private static final List<Datatype> NUMBERS =
      List.of(
          Datatypes.I8LE,
          Datatypes.U8BE,
          Datatypes.I16BE,
          Datatypes.U16LE,
          Datatypes.I32LE,
          Datatypes.U32BE,
          Datatypes.I64BE,
          Datatypes.U64LE,
          Datatypes.F32LE,
          Datatypes.F64BE);

  ValueContract() {}

  static Stream<TypeCase> types() {
    return TypeCase.all().stream();
  }

  private static void assertSame(Object actual, Object expected) {
    assertThat(Arrays.deepEquals(new Object[] {actual}, new Object[] {expected}))
        .as(() -> "actual " + show(actual) + ", expected " + show(expected))
        .isTrue();
  }

  private static String show(Object value) {
    return Arrays.deepToString(new Object[] {value});
  }

  private static Object readAll(H5File file, TypeCase type) {
    return readAll(file.dataset("d"), type);
  }

  private static Object readAll(Dataset dataset, TypeCase type) {
    return dataset.read(type.element().arrayType());
  }

  @ParameterizedTest
  @MethodSource("types")
  void valuesAreKept(TypeCase type) {
    Object values = type.values(COUNT);
    List<Layouts> layouts =
        Stream.of(Layouts.values()).filter(layout -> takes(layout, type.type())).toList();
    for (Layouts layout : layouts) {
      file()
          .datasetBuilder(layout.name())
          .type(type.type())
          .space(layout.space(ROWS, COLUMNS))
          .options(layout.options(ROWS, COLUMNS))
          .create()
          .write(values);
    }
    inBothLives(file -> {
      for (Layouts layout : layouts) {
        Dataset dataset = file.dataset(layout.name());
        assertThat(dataset.type()).as("%s", layout).isEqualTo(type.type());
        assertThat(dataset.shape()).as("%s", layout).containsExactly(ROWS, COLUMNS);
        assertSame(readAll(dataset, type), values);
      }
    });
  }

  /** Returns whether a layout takes a type: data of variable length takes no checksum. */
  private static boolean takes(Layouts layout, Datatype type) {
    return layout != Layouts.FILTERED || !isVariable(type);
  }

  private static boolean isVariable(Datatype type) {
    return type instanceof VlenType || type instanceof VlenStringType;
  }

  @Test
  void filtersThatMustBeAppliedAreRefusedForVariableLengthData() {
    fails(
        InvalidUseException.class,
        () ->
            file()
                .datasetBuilder("d")
                .type(Datatypes.vlenString())
                .shape(4)
                .options(DatasetOptions.chunked(2).fletcher32().build())
                .create(),
        "fletcher32",
        "variable-length");
    assertThat(file().exists("d")).isFalse();
  }

  @ParameterizedTest
  @MethodSource("types")
  void scalarsAreKept(TypeCase type) {
    Dataset dataset = file().createDataset("d", type.type(), Dataspace.scalar());
    dataset.write(type.value().apply(3));
    inBothLives(file -> assertSame(file.dataset("d").read(type.element()), type.value().apply(3)));
  }

  @ParameterizedTest
  @MethodSource("types")
  void attributesKeepValues(TypeCase type) {
    Object values = type.values(6);
    file().root().createAttribute("a", type.type(), Dataspace.simple(6)).write(values);
    inBothLives(
        file -> assertSame(file.root().attribute("a").read(type.element().arrayType()), values));
  }

  @ParameterizedTest
  @MethodSource("types")
  void partsAreKept(TypeCase type) {
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(type.type())
            .shape(ROWS, COLUMNS)
            .options(DatasetOptions.chunked(3, 2).build())
            .create();
    Object values = type.values(COUNT);
    dataset.write(values);
    Object column = type.values(ROWS);
    Selection selection = Selection.box(new long[] {0, 2}, new long[] {ROWS, 1});
    dataset.write(selection, column);
    inBothLives(file -> {
      Dataset again = file.dataset("d");
      assertSame(
          again.select(selection).dataset().slice(":, 2").read(type.element().arrayType()), column);
      Object row = again.slice("1, :").read(type.element().arrayType());
      for (int i = 0; i < COLUMNS; i++) {
        Object expected = i == 2 ? type.value().apply(1) : type.value().apply(COLUMNS + i);
        assertSame(Array.get(row, i), expected);
      }
    });
  }

  @ParameterizedTest
  @MethodSource("types")
  void laterWritesReplaceEarlierOnes(TypeCase type) {
    Dataset dataset = file().createDataset("d", type.type(), Dataspace.simple(4));
    Object last = null;
    for (int i = 0; i < 4; i++) {
      last = type.values(4 + i);
      Object shifted = Array.newInstance(type.element(), 4);
      System.arraycopy(last, i, shifted, 0, 4);
      dataset.write(shifted);
      last = shifted;
    }
    Object expected = last;
    inBothLives(file -> assertSame(readAll(file, type), expected));
  }

  @ParameterizedTest
  @MethodSource("types")
  void committedTypesAreShared(TypeCase type) {
    try (var committed = file().root().commit("type", type.type())) {
      file().root().datasetBuilder("d").type(committed).shape(5).create().write(type.values(5));
    }
    inBothLives(file -> {
      assertThat(file.root().committedType("type").datatype()).isEqualTo(type.type());
      assertThat(file.dataset("d").committedType().orElseThrow().token())
          .isEqualTo(file.root().committedType("type").token());
      assertSame(readAll(file, type), type.values(5));
    });
  }

  @ParameterizedTest
  @MethodSource("types")
  void fillValuesAreRead(TypeCase type) {
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(type.type())
            .shape(ROWS, COLUMNS)
            .options(DatasetOptions.chunked(3, 2).fill(fill(type)).build())
            .create();
    Object some = type.values(2);
    dataset.write(Selection.points(2, 0, 0, 6, 4), some);
    inBothLives(file -> {
      Object all = readAll(file, type);
      for (int i = 0; i < COUNT; i++) {
        Object expected =
            i == 0
                ? type.value().apply(0)
                : i == COUNT - 1 ? type.value().apply(1) : type.value().apply(9);
        assertSame(Array.get(all, i), expected);
      }
    });
  }

  private static FillValue fill(TypeCase type) {
    Object one = Array.newInstance(type.element(), 1);
    Array.set(one, 0, type.value().apply(9));
    Memory memory = Memory.of(one, type.type());
    return new FillValue.Value(memory.type().inMemory(), memory.data());
  }

  @ParameterizedTest
  @EnumSource(Layouts.class)
  void unwrittenNumbersAreZero(Layouts layout) {
    file()
        .datasetBuilder("d")
        .type(Datatypes.F64LE)
        .space(layout.space(ROWS, COLUMNS))
        .options(layout.options(ROWS, COLUMNS))
        .create();
    inBothLives(
        file -> assertThat(file.dataset("d").readDoubles()).containsOnly(0.0).hasSize(COUNT));
  }

  @ParameterizedTest
  @EnumSource(Layouts.class)
  void unwrittenElementsOfEveryLayoutAreTheFillValue(Layouts layout) {
    DatasetOptions options =
        layout.options(ROWS, COLUMNS).toBuilder()
            .fill(new FillValue.Value(Datatypes.NATIVE_INT, Memory.of(-7).data()))
            .build();
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.F32BE)
            .space(layout.space(ROWS, COLUMNS))
            .options(options)
            .create();
    assertThat(dataset.readInts()).containsOnly(-7);
    dataset.slice("2, 1:3").write(new int[] {1, 2});
    inBothLives(file -> {
      int[] all = file.dataset("d").readInts();
      for (int i = 0; i < COUNT; i++) {
        assertThat(all[i]).isEqualTo(i == 11 ? 1 : i == 12 ? 2 : -7);
      }
    });
  }

  static Stream<Class<?>> numberArrays() {
    Class<?>[] classes = {
      byte[].class, short[].class, int[].class, long[].class, float[].class, double[].class
    };
    return Stream.of(classes);
  }

  private static Object converted(byte[] plain, Class<?> component) {
    Object values = Array.newInstance(component, plain.length);
    for (int i = 0; i < plain.length; i++) {
      Array.set(values, i, JavaTypes.coerce(plain[i], component));
    }
    return values;
  }

  @ParameterizedTest
  @MethodSource("numberArrays")
  void numbersAreConvertedBothWays(Class<?> array) {
    byte[] plain = {0, 1, 2, 50, 100, 127};
    Object values = converted(plain, array.componentType());
    for (Datatype type : NUMBERS) {
      file().createDataset(type.describe(), type, Dataspace.simple(plain.length)).write(values);
    }
    inBothLives(file -> {
      for (Datatype type : NUMBERS) {
        Dataset dataset = file.dataset(type.describe());
        assertSame(dataset.read(array), values);
        assertThat(dataset.readBytes()).as("%s", dataset).containsExactly(plain);
      }
    });
  }

  @Test
  void integersSaturate() {
    Dataset dataset = file().createDataset("d", Datatypes.I8LE, Dataspace.simple(4));
    dataset.write(Memory.of(new int[] {-1000, 1000, 127, -128}));
    assertThat(dataset.readInts()).containsExactly(-128, 127, 127, -128);
    Dataset unsigned = file().createDataset("u", Datatypes.U16LE, Dataspace.simple(2));
    unsigned.clamped().write(new int[] {-1, 100_000});
    assertThat(unsigned.readInts()).containsExactly(0, 65_535);
  }

  @Test
  void specialFloatsAreKept() {
    double[] values = {
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      -0.0,
      Double.MIN_VALUE,
      Double.MAX_VALUE
    };
    file().createDataset("d", Datatypes.F64BE, Dataspace.simple(6)).write(values);
    inBothLives(file -> assertThat(file.dataset("d").readDoubles()).containsExactly(values));
  }

  @Test
  void naturalReadGivesNestedArraysOfTheStoredClass() {
    file().createDataset("shorts", new short[][] {{1, 2}, {3, 4}});
    file().createDataset("words", new String[] {"a", "b"});
    file().createDataset("scalar", 2.5);
    file().createDataset("u8", Datatypes.U8LE, Dataspace.simple(2)).write(new int[] {1, 255});
    inBothLives(file -> {
      assertSame(file.dataset("shorts").read(), new short[][] {{1, 2}, {3, 4}});
      assertSame(file.dataset("words").read(), new String[] {"a", "b"});
      assertThat(file.dataset("scalar").read()).isEqualTo(2.5);
      assertSame(file.dataset("u8").read(), new short[] {1, 255});
    });
  }

  @Test
  void compoundsCanBeReadAsMaps() {
    file().createDataset("d", new TypeCase.Point[] {new TypeCase.Point((short) 1, 2)});
    Map<?, ?>[] maps = (Map<?, ?>[]) file().dataset("d").read();
    assertThat(maps[0].get("x")).isEqualTo(1);
    assertThat(maps[0].get("y")).isEqualTo(2L);
  }

  @Test
  void unwrittenStringsAreEmpty() {
    file().createDataset("fixed", Datatypes.fixedString(8), Dataspace.simple(2));
    file().createDataset("vlen", Datatypes.vlenString(), Dataspace.simple(2));
    inBothLives(file -> {
      assertThat(file.dataset("fixed").readStrings()).containsOnly("");
      assertThat(file.dataset("vlen").readStrings())
          .allSatisfy(text -> assertThat(text).isNullOrEmpty());
    });
  }
}
