package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.BitPadding;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Normalization;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares how commands treat unusual layouts of numbers with HDF5's tools. */
final class NumberLayoutsTest {

  private static final int COUNT = 5;

  @TempDir private Path folder;

  private static BitfieldType bits(int size, Endian order, int precision, int offset) {
    return new BitfieldType(size, order, precision, offset, BitPadding.ZERO, BitPadding.ZERO);
  }

  private static IntegerType integer(int size, Endian order, int precision, int offset) {
    return new IntegerType(size, order, true, precision, offset, BitPadding.ZERO, BitPadding.ZERO);
  }

  private static Map<String, Datatype> bitfields() {
    Map<String, Datatype> types = new LinkedHashMap<>();
    for (Endian order : new Endian[] {Endian.LITTLE, Endian.BIG}) {
      types.put(order + "_1_of_1", bits(1, order, 1, 0));
      types.put(order + "_8", bits(1, order, 8, 0));
      types.put(order + "_5_of_16", bits(2, order, 5, 3));
      types.put(order + "_12_of_16", bits(2, order, 12, 4));
      types.put(order + "_9_of_24", bits(3, order, 9, 7));
      types.put(order + "_32", bits(4, order, 32, 0));
      types.put(order + "_40_of_64", bits(8, order, 40, 24));
    }
    return types;
  }

  /** Writes random bytes as elements of each type. */
  private static void write(Path path, Map<String, Datatype> types, long seed) {
    Random random = new Random(seed);
    try (H5File file = Hdf5.create(path)) {
      types.forEach((name, type) -> {
        byte[] bytes = new byte[COUNT * type.size()];
        random.nextBytes(bytes);
        try (Dataset dataset = file.createDataset(name, type, Dataspace.simple(COUNT))) {
          dataset.write(Memory.of(MemorySegment.ofArray(bytes), type, COUNT));
        }
      });
    }
  }

  @Test
  void bitfieldsArePrintedWithoutTheirUnusedBits() {
    Path path = folder.resolve("bits.h5");
    write(path, bitfields(), 1);
    String name = path.toString();
    assertThat(CommandRun.of("dump", name).out())
        .isEqualTo(Oracle.h5dump().run(name).orFail().output());
    assertThat(CommandRun.of("ls", "-d", name).out())
        .isEqualTo(Oracle.program("h5ls").run("-d", name).orFail().output());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void bitfieldsAreComparedWithoutTheirUnusedBits(long seed) {
    Path one = folder.resolve("one.h5");
    Path other = folder.resolve("other.h5");
    write(one, bitfields(), 1);
    write(other, bitfields(), seed);
    String[] words = {"-v", one.toString(), other.toString()};
    Oracle.Outcome theirs = Oracle.h5diff().run(words);
    CommandRun run = CommandRun.of("diff", "-v", one.toString(), other.toString());
    assertThat(run.out()).isEqualTo(theirs.output());
    assertThat(run.code()).isEqualTo(theirs.exitCode());
  }

  @Test
  void unusedBitsAloneAreNoDifference() {
    BitfieldType type = bits(2, Endian.LITTLE, 5, 3);
    Path one = folder.resolve("one.h5");
    Path other = folder.resolve("other.h5");
    for (Path path : new Path[] {one, other}) {
      try (H5File file = Hdf5.create(path)) {
        byte[] bytes = {(byte) (path == one ? 0x48 : 0x4F), (byte) (path == one ? 0 : 0x80)};
        file.createDataset("bits", type, Dataspace.simple(1))
            .write(Memory.of(MemorySegment.ofArray(bytes), type, 1));
      }
    }
    assertThat(Oracle.h5diff().run(one.toString(), other.toString()).exitCode()).isZero();
    assertThat(CommandRun.of("diff", one.toString(), other.toString()).code()).isZero();
  }

  @Test
  void floatsOfOneByteHaveTheirNames() {
    var newest = Oracle.newest("h5dump");
    assumeTrue(newest.isPresent(), "no newest h5dump");
    Path path = folder.resolve("floats.h5");
    write(
        path,
        Map.of(
            "a", Datatypes.F8E4M3,
            "b", Datatypes.F8E5M2,
            "c", Datatypes.F6E2M3,
            "d", Datatypes.F6E3M2,
            "e", Datatypes.F4E2M1,
            "f", Datatypes.F8E4M3.withOrder(Endian.BIG)),
        3);
    assertThat(CommandRun.of("dump", path.toString()).out())
        .isEqualTo(newest.get().run(path.toString()).orFail().output())
        .contains("H5T_FLOAT_F8E4M3", "H5T_FLOAT_F4E2M1");
  }

  /** A float of 4 bytes with 4 unused bits on each side, and none of IEEE's layouts. */
  private static FloatType unusualFloat(Endian order) {
    return new FloatType(
        4,
        order,
        24,
        4,
        new FloatType.Fields(27, 20, 7, 4, 16, 63, Normalization.IMPLIED),
        new FloatType.Padding(BitPadding.ZERO, BitPadding.ZERO, BitPadding.ZERO));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NATIVE", "LE", "BE"})
  void binaryOutputIsAsTheLibraryWritesIt(String form) throws IOException {
    Map<String, Datatype> types = new LinkedHashMap<>(bitfields());
    for (Endian order : new Endian[] {Endian.LITTLE, Endian.BIG}) {
      types.put(order + "_int12_of_32", integer(4, order, 12, 7));
      types.put(order + "_int24", integer(3, order, 24, 0));
      types.put(order + "_float24", unusualFloat(order));
    }
    Path path = folder.resolve("numbers.h5");
    write(path, types, 4);
    for (String name : types.keySet()) {
      Path ours = folder.resolve("ours");
      Path theirs = folder.resolve("theirs");
      Files.deleteIfExists(ours);
      Files.deleteIfExists(theirs);
      String[] from = {"-b", form, "-d", "/" + name, "-o"};
      Oracle.h5dump()
          .run(from[0], from[1], from[2], from[3], from[4], theirs.toString(), path.toString());
      CommandRun.of(
          "dump", from[0], from[1], from[2], from[3], from[4], ours.toString(), path.toString());
      assertThat(Files.readAllBytes(ours)).as(name).isEqualTo(Files.readAllBytes(theirs));
    }
  }

  @Test
  void binaryOutputOfAnEnumerationIsNativeAndKeepsNumbersWithoutAName() throws IOException {
    EnumType type =
        EnumType.builder(IntegerType.of(4, Endian.BIG, true))
            .constant("A", 1)
            .constant("B", -2)
            .build();
    Path path = folder.resolve("enum.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("alone", type, Dataspace.simple(3)).write(new int[] {1, -2, 7});
      CompoundType row =
          CompoundType.builder().member("small", Datatypes.I8LE).member("kind", type).build();
      file.createDataset("rows", row, Dataspace.simple(1)).field("kind").write(new int[] {7});
    }
    Path out = folder.resolve("out");
    CommandRun.of("dump", "-b", "-d", "/alone", "-o", out.toString(), path.toString());
    assertThat(Files.readAllBytes(out)).containsExactly(1, 0, 0, 0, -2, -1, -1, -1, 7, 0, 0, 0);
    CommandRun.of("dump", "-b", "-d", "/rows", "-o", out.toString(), path.toString());
    assertThat(Files.readAllBytes(out)).containsExactly(0, 7, 0, 0, 0);
  }
}
