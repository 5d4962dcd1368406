package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.Assertions;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Slice;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.BitPadding;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests values of Java's own types, written and read here and by h5py. */
abstract class JavaValueContract extends ContractBase {

  /** Has the HDF5 library convert the first element of a dataset to double. */
  private static final String AS_DOUBLE =
      "(lambda a: (f['large'].id.read(h5py.h5s.ALL, h5py.h5s.ALL, a, h5py.h5t.NATIVE_DOUBLE),"
          + " '%.3g' % a[0])[1])(__import__('numpy').zeros(2))";

  private static final EnumType FLAGS =
      EnumType.builder(Datatypes.I8LE).constant("A", 1).constant("B", 2).constant("C", 4).build();

  JavaValueContract() {}

  /** A record with a flag as a number. */
  record Flagged(int flags, double x) {}

  /** The names of the flags. */
  enum Flag {
    A,
    B,
    C
  }

  /** A record with a flag as a name. */
  record Named(Flag flags) {}

  private static CompoundType flagged() {
    return CompoundType.builder().member("flags", FLAGS).member("x", Datatypes.F64LE).build();
  }

  // --- enumerations ---

  @Test
  void integersOfEnumerationsAreTheirValues() {
    H5File file = file();
    file.createDataset("ints", FLAGS, Dataspace.simple(5)).write(new int[] {1, 3, 7, 0, 100});
    file.createDataset("longs", FLAGS, Dataspace.simple(2)).writeAsync(new long[] {3, -1}).join();
    file.createDataset("shorts", FLAGS, Dataspace.simple(4)).slice("1:3").write(new short[] {5, 6});
    Dataset grows =
        file.datasetBuilder("grows")
            .type(FLAGS)
            .shape(0)
            .maxShape(Dataspace.UNLIMITED)
            .options(DatasetOptions.chunked(4).build())
            .create();
    grows.append(new int[] {3});
    grows.append(new byte[] {4, 9});
    file.root().setAttribute("attribute", new int[] {7, 1}, FLAGS);
    file.createDataset("records", flagged(), Dataspace.simple(2))
        .write(new Flagged[] {new Flagged(3, 1), new Flagged(100, 2)});
    inBothLives(JavaValueContract::checkFlags);
    judged(
        new PythonView()
            .see("f['ints'][()].tolist()", "[1, 3, 7, 0, 100]")
            .see("f['longs'][()].tolist()", "[3, -1]")
            .see("f['shorts'][()].tolist()", "[0, 5, 6, 0]")
            .see("f['grows'][()].tolist()", "[3, 4, 9]")
            .see("f.attrs['attribute'].tolist()", "[7, 1]")
            .see("f['records'][()].tolist()", "[(3, 1.0), (100, 2.0)]"));
  }

  /** Floats of 4 bytes whose numbers are beyond those of Java's float. */
  @Test
  void floatsOfAnotherBiasAreReadAsDoubles() {
    FloatType.Fields f = Datatypes.F32LE.fields();
    FloatType.Fields fields =
        new FloatType.Fields(
            f.signPosition(),
            f.exponentPosition(),
            f.exponentSize(),
            f.mantissaPosition(),
            f.mantissaSize(),
            0,
            f.normalization());
    FloatType large = new FloatType(4, Endian.LITTLE, 32, 0, fields, FloatType.Padding.ZEROS);
    CompoundType row = CompoundType.builder().member("x", large).build();
    H5File file = file();
    file.createDataset("large", large, Dataspace.simple(2)).write(new double[] {1e60, 1});
    file.createDataset("rows", row, Dataspace.simple(1)).field("x").write(new double[] {1e60});
    inBothLives(read -> {
      double stored = read.dataset("large").readDoubles()[0];
      assertThat(stored).isCloseTo(1e60, Assertions.withinPercentage(0.001));
      assertThat(read.dataset("large").read()).isEqualTo(new double[] {stored, 1});
      assertThat(read.dataset("rows").read()).isEqualTo(new Object[] {Map.of("x", stored)});
    });
    judged(new PythonView().see(AS_DOUBLE, "1e+60"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bytesOfEnumerationsAreTheirValuesInEveryOrder(boolean big) {
    Endian stored = big ? Endian.BIG : Endian.LITTLE;
    EnumType level =
        EnumType.builder(IntegerType.of(2, stored, true))
            .constant("LOW", 0)
            .constant("HIGH", 1)
            .build();
    CompoundType row =
        CompoundType.builder().member("level", level).member("n", Datatypes.I32LE).build();
    H5File file = file();
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      ByteBuffer values = ByteBuffer.allocate(6).order(order);
      values.putShort((short) 1).putShort((short) 7).putShort((short) -3).flip();
      file.createDataset("levels" + order, level, Dataspace.simple(3)).write(values);
      ByteBuffer one = ByteBuffer.allocate(6).order(order);
      one.putShort((short) 7).putInt(5).flip();
      file.createDataset("rows" + order, row, Dataspace.simple(1)).write(one);
    }
    inBothLives(JavaValueContract::checkLevels);
    judged(
        new PythonView()
            .see("f['levelsBIG_ENDIAN'][()].tolist()", "[1, 7, -3]")
            .see("f['levelsLITTLE_ENDIAN'][()].tolist()", "[1, 7, -3]")
            .see("f['rowsBIG_ENDIAN'][()].tolist()", "[(7, 5)]")
            .see("f['rowsLITTLE_ENDIAN'][()].tolist()", "[(7, 5)]"));
  }

  private static void checkLevels(H5File file) {
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      Dataset levels = file.dataset("levels" + order);
      assertThat(levels.readShorts()).containsExactly(1, 7, -3);
      ByteBuffer values = ByteBuffer.allocate(6).order(order);
      levels.readInto(values);
      assertThat(values.getShort(0)).isEqualTo((short) 1);
      assertThat(values.getShort(2)).isEqualTo((short) 7);
      assertThat(values.getShort(4)).isEqualTo((short) -3);
      ByteBuffer one = ByteBuffer.allocate(6).order(order);
      file.dataset("rows" + order).readInto(one);
      assertThat(one.getShort(0)).isEqualTo((short) 7);
      assertThat(one.getInt(2)).isEqualTo(5);
    }
  }

  private static void checkFlags(H5File file) {
    Dataset ints = file.dataset("ints");
    assertThat(ints.readInts()).containsExactly(1, 3, 7, 0, 100);
    assertThat(ints.readLongs()).containsExactly(1, 3, 7, 0, 100);
    assertThat(ints.readShorts())
        .containsExactly((short) 1, (short) 3, (short) 7, (short) 0, (short) 100);
    assertThat(ints.readBytes()).containsExactly(1, 3, 7, 0, 100);
    assertThat(ints.readDoubles()).containsExactly(1, 3, 7, 0, 100);
    assertThat(ints.slice("1:3").read(int[].class)).containsExactly(3, 7);
    assertThat(ints.readAsync(long[].class).join()).containsExactly(1, 3, 7, 0, 100);
    int[] into = new int[5];
    ints.readInto(into);
    assertThat(into).containsExactly(1, 3, 7, 0, 100);
    assertThat(ints.read()).isEqualTo(new byte[] {1, 3, 7, 0, 100});
    assertThat(file.dataset("longs").readInts()).containsExactly(3, -1);
    assertThat(file.dataset("grows").readLongs()).containsExactly(3, 4, 9);
    assertThat(file.root().attribute("attribute").readInts()).containsExactly(7, 1);
    assertThat(file.dataset("records").read(Flagged[].class))
        .containsExactly(new Flagged(3, 1), new Flagged(100, 2));
  }

  @Test
  void namesOfEnumerationsAreUsedOnRequest() {
    file().createDataset("names", FLAGS, Dataspace.simple(2)).write(new String[] {"C", "A"});
    file().createDataset("enums", FLAGS, Dataspace.simple(2)).write(new Flag[] {Flag.B, Flag.C});
    file()
        .createDataset(
            "one", CompoundType.builder().member("flags", FLAGS).build(), Dataspace.scalar())
        .write(new Named(Flag.C));
    inBothLives(file -> {
      assertThat(file.dataset("names").readStrings()).containsExactly("C", "A");
      assertThat(file.dataset("enums").read(Flag[].class)).containsExactly(Flag.B, Flag.C);
      assertThat(file.dataset("one").read(Named.class)).isEqualTo(new Named(Flag.C));
      assertThat(file.dataset("enums").readInts()).containsExactly(2, 4);
    });
    judged(new PythonView().see("f['enums'][()].tolist()", "[2, 4]"));
  }

  /** An enum whose constants have classes of their own. */
  enum Rounding {
    UP {
      @Override
      double apply(double value) {
        return Math.ceil(value);
      }
    },
    DOWN {
      @Override
      double apply(double value) {
        return Math.floor(value);
      }
    };

    abstract double apply(double value);
  }

  @Test
  void constantsWithABodyAreOrdinaryConstants() {
    file().createDataset("one", Rounding.DOWN);
    file().createDataset("many", new Rounding[] {Rounding.DOWN, Rounding.UP});
    file().root().setAttribute("a", Rounding.DOWN);
    inBothLives(file -> {
      assertThat(file.dataset("one").read(Rounding.class)).isEqualTo(Rounding.DOWN);
      assertThat(file.dataset("many").read(Rounding[].class))
          .containsExactly(Rounding.DOWN, Rounding.UP);
      assertThat(file.root().attribute("a").read(Rounding.class)).isEqualTo(Rounding.DOWN);
      assertThat(file.root().attribute("a", Rounding.UP)).isEqualTo(Rounding.DOWN);
    });
    judged(new PythonView().see("f['many'][()].tolist()", "[1, 0]"));
  }

  @Test
  void unsignedEnumerationsOfEightBytesHaveNoSign() {
    EnumType type = EnumType.builder(Datatypes.U64LE).constant("ONE", 1).build();
    BigInteger great = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    file().createDataset("d", type, Dataspace.simple(1)).write(new BigInteger[] {great});
    inBothLives(file -> {
      assertThat(file.dataset("d").read()).isEqualTo(new BigInteger[] {great});
      assertThat(file.dataset("d").readDoubles()).containsExactly(0x1p64);
    });
    judged(new PythonView().see("f['d'][()].tolist()", "[18446744073709551615]"));
  }

  @Test
  void wideIntegersOfLowPrecisionAreReadAsTheirClass() {
    IntegerType narrow =
        new IntegerType(8, Endian.LITTLE, false, 40, 0, BitPadding.ZERO, BitPadding.ZERO);
    IntegerType wide =
        new IntegerType(16, Endian.BIG, false, 60, 0, BitPadding.ZERO, BitPadding.ZERO);
    file().createDataset("narrow", narrow, Dataspace.simple(2)).write(new long[] {1, 1L << 39});
    file().createDataset("wide", wide, Dataspace.scalar()).write(5L);
    inBothLives(file -> {
      assertThat(file.dataset("narrow").read()).isEqualTo(new long[] {1, 1L << 39});
      assertThat(file.dataset("wide").read()).isEqualTo(5L);
    });
  }

  @Test
  void naturalReadsOfCompoundsHaveBooleansAndNumbers() {
    CompoundType type =
        CompoundType.builder()
            .member("flag", Datatypes.BOOLEAN)
            .member("set", FLAGS)
            .member("many", Datatypes.array(Datatypes.BOOLEAN, 2))
            .build();
    file()
        .createDataset("d", type, Dataspace.simple(1))
        .write(new Map<?, ?>[] {Map.of("flag", true, "set", 3, "many", List.of(false, true))});
    inBothLives(file -> {
      Map<?, ?> one = ((Map<?, ?>[]) file.dataset("d").read())[0];
      assertThat(one.get("flag")).isEqualTo(true);
      assertThat(one.get("set")).isEqualTo(3);
      assertThat(one.get("many")).isEqualTo(List.of(false, true));
    });
  }

  // --- buffers ---

  @Test
  void buffersCountTheirOrder() {
    H5File file = file();
    DoubleBuffer big = ByteBuffer.allocate(32).asDoubleBuffer().put(new double[] {1, 2, 3, 4});
    file.createDataset("doubles", Datatypes.F64LE, Dataspace.simple(4)).write(big.flip());
    IntBuffer direct =
        ByteBuffer.allocateDirect(16).order(ByteOrder.BIG_ENDIAN).asIntBuffer().put(9).put(8);
    file.createDataset("ints", Datatypes.I32LE, Dataspace.simple(2)).write(direct.flip());
    ByteBuffer bytes = ByteBuffer.allocate(16).putDouble(5).putDouble(6);
    file.createDataset("bytes", Datatypes.F64LE, Dataspace.simple(2)).write(bytes.flip());
    file.createDataset("constant", Datatypes.I32BE, Dataspace.simple(2))
        .write(IntBuffer.wrap(new int[] {7, 8}).asReadOnlyBuffer());
    file.createDataset("text", Datatypes.U16LE, Dataspace.simple(2)).write(CharBuffer.wrap("AB"));
    Dataset grows =
        file.datasetBuilder("grows")
            .type(Datatypes.I16LE)
            .shape(0)
            .maxShape(Dataspace.UNLIMITED)
            .options(DatasetOptions.chunked(4).build())
            .create();
    grows.append(ByteBuffer.allocate(4).putShort((short) 3).putShort((short) 4).flip());
    file.root()
        .createAttribute("a", Datatypes.I64LE, Dataspace.simple(2))
        .write(ByteBuffer.allocate(16).asLongBuffer().put(1).put(2).flip());
    inBothLives(JavaValueContract::checkBuffers);
    judged(
        new PythonView()
            .see("f['doubles'][()].tolist()", "[1.0, 2.0, 3.0, 4.0]")
            .see("f['ints'][()].tolist()", "[9, 8]")
            .see("f['bytes'][()].tolist()", "[5.0, 6.0]")
            .see("f['constant'][()].tolist()", "[7, 8]")
            .see("f['text'][()].tolist()", "[65, 66]")
            .see("f['grows'][()].tolist()", "[3, 4]")
            .see("f.attrs['a'].tolist()", "[1, 2]"));
  }

  private static void checkBuffers(H5File file) {
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      DoubleBuffer doubles = ByteBuffer.allocate(32).order(order).asDoubleBuffer();
      file.dataset("doubles").readInto(doubles);
      assertThat(doubles.get(0)).isEqualTo(1);
      assertThat(doubles.get(3)).isEqualTo(4);
      ByteBuffer bytes = ByteBuffer.allocateDirect(32).order(order);
      file.dataset("doubles").readInto(bytes);
      assertThat(bytes.getDouble(8)).isEqualTo(2);
      IntBuffer narrowed = ByteBuffer.allocate(16).order(order).asIntBuffer();
      file.dataset("doubles").readInto(narrowed);
      assertThat(narrowed.get(2)).isEqualTo(3);
    }
    fails(
        InvalidUseException.class,
        () -> file.dataset("ints").readInto(IntBuffer.allocate(2).asReadOnlyBuffer()),
        "read-only");
    fails(
        InvalidUseException.class,
        () -> file.dataset("ints").readInto(ByteBuffer.allocate(8).asReadOnlyBuffer()),
        "read-only");
  }

  // --- shapes ---

  @Test
  void nestedArraysMustHaveTheShapeOfTheTarget() {
    H5File file = file();
    Dataset grid = file.createDataset("grid", new double[4][5]);
    Dataset grows =
        file.datasetBuilder("grows")
            .type(Datatypes.I32LE)
            .shape(2, 3)
            .maxShape(Dataspace.UNLIMITED, 3)
            .options(DatasetOptions.chunked(2, 2).build())
            .create();
    double[][] wrong = {{1, 2}, {3, 4}, {5, 6}};
    refused(() -> grid.slice("0:2, 0:3").write(wrong));
    refused(() -> grid.rows(0, 3).write(new double[5][3]));
    refused(() -> grid.box(new long[] {0, 0}, new long[] {2, 3}).write(wrong));
    refused(() -> grid.write(Selection.box(new long[] {0, 0}, new long[] {2, 3}), wrong));
    refused(() -> grid.write(Selection.points(2, 0, 0, 1, 1, 2, 2, 3, 3, 0, 1, 0, 2), wrong));
    refused(() -> grid.write(new double[5][4]));
    refused(() -> grows.write(new int[3][2]));
    refused(() -> grows.writeAsync(new int[3][2]).join());
    refused(() ->
        file.root()
            .createAttribute("a", Datatypes.I32LE, Dataspace.simple(2, 3))
            .write(new int[3][2]));
    refused(() -> grid.readInto(new double[5][4]));
    refused(() -> grid.slice("0:2, 0:3").readInto(new double[3][2]));
    assertThat(grid.readDoubles()).containsOnly(0);
    grid.slice("0:2, 0:3").write(new double[][] {{1, 2, 3}, {4, 5, 6}});
    grid.slice("3, 0:2").write(new double[] {7, 8});
    grid.slice("2:4, 4").write(new double[] {9, 10});
    grows.write(new int[][] {{1, 2, 3}, {4, 5, 6}});
    inBothLives(again -> {
      double[][] all = new double[4][5];
      again.dataset("grid").readInto(all);
      assertThat(all)
          .isDeepEqualTo(
              new double[][] {{1, 2, 3, 0, 0}, {4, 5, 6, 0, 0}, {0, 0, 0, 0, 9}, {7, 8, 0, 0, 10}});
      assertThat(again.dataset("grows").readInts()).containsExactly(1, 2, 3, 4, 5, 6);
    });
  }

  private static void refused(Runnable call) {
    Throwable thrown = Assertions.catchThrowable(call::run);
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    assertThat(cause).isInstanceOf(InvalidUseException.class).hasMessageContaining("shape");
  }

  @Test
  void nestedArraysCanBeReadInto() {
    file().createDataset("grid", new int[][] {{1, 2, 3}, {4, 5, 6}});
    file().createDataset("words", new String[][] {{"a", "b"}, {"c", "d"}});
    file().createDataset("flags", new boolean[] {true, false, true});
    inBothLives(file -> {
      int[][] ints = new int[2][3];
      file.dataset("grid").readInto(ints);
      assertThat(ints).isDeepEqualTo(new int[][] {{1, 2, 3}, {4, 5, 6}});
      long[][] longs = new long[2][2];
      file.dataset("grid").slice(":, 1:").readInto(longs);
      assertThat(longs).isDeepEqualTo(new long[][] {{2, 3}, {5, 6}});
      String[][] words = new String[2][2];
      file.dataset("words").readIntoAsync(Selection.all(), words).join();
      assertThat(words).isDeepEqualTo(new String[][] {{"a", "b"}, {"c", "d"}});
      boolean[] flags = new boolean[3];
      file.dataset("flags").readInto(flags);
      assertThat(flags).containsExactly(true, false, true);
    });
  }

  // --- text ---

  private static final String TEXT_OF_H5PY =
      """
      import h5py, numpy as np
      f = h5py.File('%s', 'w')
      latin = b'\\xe9t\\xe9'
      f['fixed'] = np.array([latin, b'abcde', b'a\\0b'], 'S5')
      f.create_dataset('variable', data=np.array([latin, b'abcde'], object), dtype=h5py.string_dtype())
      row = np.dtype([('n', 'i4'), ('label', h5py.string_dtype())])
      f['rows'] = np.array([(1, latin)], row)
      f.attrs.create('a', latin, dtype=h5py.string_dtype())
      f.close()
      """;

  /** A row with text. */
  record Labelled(int n, String label) {}

  @Test
  void textKeepsBytesThatAreNotUtf8() {
    String name = otherName("latin.h5");
    Assumptions.assumeTrue(pathOf(name).isPresent(), "no file on this machine");
    Oracle.h5py().run(TEXT_OF_H5PY.formatted(pathOf(name).orElseThrow())).orFail();
    try (H5File theirs = session().open(name, OpenOptions.READ)) {
      String[] fixed = theirs.dataset("fixed").readStrings();
      assertThat(fixed[0]).hasSize(3).startsWith("\uDCE9t");
      assertThat(fixed[2]).isEqualTo("a\0b");
      file()
          .createDataset("fixed", Datatypes.fixedString(5), Dataspace.simple(2))
          .write(new String[] {fixed[0], fixed[1]});
      file().createDataset("variable", theirs.dataset("variable").readStrings());
      file().createDataset("rows", theirs.dataset("rows").read(Labelled[].class));
      file().root().setAttribute("a", theirs.root().attribute("a").readString());
    }
    judged(
        new PythonView()
            .see("f['fixed'][()].tolist()", "[b'\\xe9t\\xe9', b'abcde']")
            .see("f['variable'][()].tolist()", "[b'\\xe9t\\xe9', b'abcde']")
            .see("f['rows'][()].tolist()", "[(1, b'\\xe9t\\xe9')]")
            .see("f.attrs['a'].encode('utf-8', 'surrogateescape')", "b'\\xe9t\\xe9'"));
  }

  @Test
  void onlyTextTrueOrFalseIsReadAsBoolean() {
    file().createDataset("words", new String[] {"TRUE", "false"});
    file().createDataset("other", new String[] {"TRUE", "yes"});
    inBothLives(file -> {
      assertThat(file.dataset("words").read(boolean[].class)).containsExactly(true, false);
      fails(InvalidUseException.class, () -> file.dataset("other").read(boolean[].class), "yes");
    });
  }

  @Test
  void onlyTheNumbersZeroAndOneAreReadAsBoolean() {
    file().createDataset("flags", new int[] {0, 1});
    file().createDataset("reals", new double[] {-0.0, 1, 0.5, 2, -1, Double.NaN});
    file().createDataset("numbers", new int[] {0, 0, 0}).write(new boolean[] {true, false, true});
    inBothLives(file -> {
      assertThat(file.dataset("flags").read(boolean[].class)).containsExactly(false, true);
      Dataset reals = file.dataset("reals");
      assertThat(reals.slice("0:2").read(boolean[].class)).containsExactly(false, true);
      for (int i = 2; i < 6; i++) {
        Slice one = reals.slice("" + i);
        fails(InvalidUseException.class, one::readBoolean, "expected=0 or 1", "readDoubles()");
      }
      fails(InvalidUseException.class, () -> reals.read(boolean[].class), "actual=0.5");
      assertThat(reals.clamped().read(boolean[].class))
          .containsExactly(false, true, false, true, false, false);
      assertThat(file.dataset("numbers").readInts()).containsExactly(1, 0, 1);
    });
  }

  // --- h5py's files ---

  private static final String FILE_OF_H5PY =
      """
      import h5py, numpy as np
      f = h5py.File('%s', 'w')
      flags = h5py.enum_dtype({'A': 1, 'B': 2, 'C': 4}, basetype='i1')
      f.create_dataset('flags', data=np.array([1, 3, 7, 0, 100], 'i1'), dtype=flags)
      f.attrs.create('flags', np.array([7, 3], 'i1'), dtype=flags)
      f['big'] = np.array([1, 2], '>f8')
      f['bool'] = np.array([True, False])
      kind = np.dtype([('x', 'f4'), ('n', 'i8'), ('ok', '?'), ('set', flags)])
      f['rows'] = np.array([(1.5, 1 << 40, True, 5), (2.5, -3, False, 1)], kind)
      f['complex'] = np.array([1 - 1j])
      f.close()
      """;

  /** The members of h5py's rows. */
  record Row(float x, long n, boolean ok, int set) {}

  @Test
  void valuesOfH5pyAreRead() {
    String name = otherName("h5py.h5");
    Assumptions.assumeTrue(pathOf(name).isPresent(), "no file on this machine");
    Oracle.h5py().run(FILE_OF_H5PY.formatted(pathOf(name).orElseThrow())).orFail();
    try (H5File file = session().open(name, OpenOptions.READ)) {
      assertThat(file.dataset("flags").readInts()).containsExactly(1, 3, 7, 0, 100);
      assertThat(file.dataset("flags").read(Selection.all(), long[].class))
          .containsExactly(1, 3, 7, 0, 100);
      assertThat(file.root().attribute("flags").readLongs()).containsExactly(7, 3);
      ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
      file.dataset("big").readInto(bytes);
      assertThat(bytes.getDouble(8)).isEqualTo(2);
      assertThat(file.dataset("bool").read()).isEqualTo(new boolean[] {true, false});
      assertThat(file.dataset("rows").read(Row[].class))
          .containsExactly(new Row(1.5f, 1L << 40, true, 5), new Row(2.5f, -3, false, 1));
      assertThat(file.dataset("rows").field("n").readLongs()).containsExactly(1L << 40, -3);
      assertThat(file.dataset("rows").field("set").readInts()).containsExactly(5, 1);
    }
  }

  private void judged(PythonView view) {
    file().close();
    pathOf(fileName()).ifPresent(view::judge);
  }
}
