package org.hyperslab.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.value.Complex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which type in Spark each datatype becomes, and its values. */
final class ColumnTypesTest {

  @TempDir Path folder;

  private Dataset<Row> table(Datatype type, Object values, int count) {
    Path path = folder.resolve("types.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("x", type, Dataspace.simple(count)).write(values);
    }
    return ReadTest.reader().option("variables", "/x").load(path.toString()).select("x");
  }

  private void requireColumn(
      Datatype type, Object values, int count, String sparkType, Object... expected) {
    Dataset<Row> table = table(type, values, count);
    assertThat(table.schema().apply("x").dataType().simpleString()).isEqualTo(sparkType);
    assertThat(table.collectAsList()).extracting(row -> row.get(0)).containsExactly(expected);
  }

  @Test
  void integersKeepTheirRange() {
    requireColumn(Datatypes.I8LE, new int[] {-128, 127}, 2, "tinyint", (byte) -128, (byte) 127);
    requireColumn(Datatypes.U8LE, new int[] {0, 255}, 2, "smallint", (short) 0, (short) 255);
    requireColumn(Datatypes.I16BE, new int[] {-2, 3}, 2, "smallint", (short) -2, (short) 3);
    requireColumn(Datatypes.U16LE, new int[] {0, 65535}, 2, "int", 0, 65535);
    requireColumn(Datatypes.I32BE, new int[] {-5, 6}, 2, "int", -5, 6);
    requireColumn(Datatypes.U32LE, new long[] {0, 4294967295L}, 2, "bigint", 0L, 4294967295L);
    requireColumn(Datatypes.I64LE, new long[] {Long.MIN_VALUE}, 1, "bigint", Long.MIN_VALUE);
    requireColumn(
        Datatypes.U64LE,
        new java.math.BigInteger[] {new java.math.BigInteger("18446744073709551615")},
        1,
        "decimal(20,0)",
        new BigDecimal("18446744073709551615"));
  }

  @Test
  void floatingPointNumbersKeepTheirPrecision() {
    requireColumn(Datatypes.F32BE, new float[] {1.5f, Float.NaN}, 2, "float", 1.5f, Float.NaN);
    requireColumn(Datatypes.F64LE, new double[] {0.1}, 1, "double", 0.1);
    requireColumn(Datatypes.F16LE, new float[] {0.5f}, 1, "float", 0.5f);
  }

  @Test
  void textsAreStrings() {
    requireColumn(
        Datatypes.fixedString(5), new String[] {"ab", "abcde"}, 2, "string", "ab", "abcde");
    requireColumn(Datatypes.vlenString(), new String[] {"", "größer"}, 2, "string", "", "größer");
  }

  @Test
  void enumerationsAreTheNamesOfMembers() {
    EnumType colours =
        EnumType.builder(Datatypes.I16LE).constant("red", 1).constant("blue", -2).build();
    requireColumn(colours, new String[] {"blue", "red"}, 2, "string", "blue", "red");
    requireColumn(Datatypes.BOOLEAN, new boolean[] {true, false}, 2, "boolean", true, false);
  }

  @Test
  void complexNumbersAreStructs() {
    Dataset<Row> table = table(Datatypes.COMPLEX_F64LE, new Complex[] {new Complex(1, -2)}, 1);
    assertThat(table.schema().apply("x").dataType().simpleString())
        .isEqualTo("struct<r:double,i:double>");
    assertThat(LocalSpark.rows(table.select("x.i", "x.r"))).containsExactly("[-2.0,1.0]");
  }

  @Test
  void arraysAndSequencesAreLists() {
    Dataset<Row> arrays =
        table(Datatypes.array(Datatypes.I32LE, 2, 2), new int[][][] {{{1, 2}, {3, 4}}}, 1);
    assertThat(arrays.first().getList(0)).isEqualTo(List.of(1, 2, 3, 4));
    Dataset<Row> sequences =
        table(Datatypes.vlen(Datatypes.F32LE), new float[][] {{}, {1, 2, 3}}, 2);
    assertThat(sequences.collectAsList())
        .extracting(row -> row.getList(0))
        .containsExactly(List.of(), List.of(1f, 2f, 3f));
  }
}
