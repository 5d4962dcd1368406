package org.hyperslab.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.DatasetOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that wrong queries and damaged files are told with the file, the variable and the chunk.
 */
final class BadInputTest {

  @TempDir Path folder;

  private Path write(String name, int rows, int columns) {
    Path path = folder.resolve(name);
    double[] values = new double[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    try (H5File file = Hdf5.create(path)) {
      file.datasetBuilder("x")
          .type(Datatypes.F64LE)
          .shape(rows, columns)
          .options(DatasetOptions.chunked(10, columns).fletcher32().build())
          .create()
          .write(values);
      file.createDataset("other", double.class, 3, 4);
      file.createGroup("group");
    }
    return path;
  }

  @Test
  void unknownOptionsAreRefused() {
    Path path = write("a.h5", 20, 4);
    assertThatThrownBy(() -> ReadTest.reader().option("variable", "/x").load(path.toString()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("actual=variable")
        .hasMessageContaining("variables");
    assertThatThrownBy(() -> ReadTest.reader().option("layout", "rows").load(path.toString()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("layout");
  }

  @Test
  void missingFilesAndVariablesAreNamed() {
    Path path = write("a.h5", 20, 4);
    assertThatThrownBy(() -> ReadTest.reader().load(folder.resolve("none.h5").toString()))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("none.h5");
    assertThatThrownBy(() -> ReadTest.reader().option("variables", "/y").load(path.toString()))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("/y")
        .hasMessageContaining("a.h5");
    assertThatThrownBy(() -> ReadTest.reader().option("variables", "/group").load(path.toString()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("/group");
  }

  @Test
  void otherShapesAreRefused() {
    Path path = write("a.h5", 20, 4);
    assertThatThrownBy(
            () -> ReadTest.reader().option("variables", "/x,/other").load(path.toString()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("/other")
        .hasMessageContaining("[20, 4]");
  }

  @Test
  void otherColumnsAmongFilesAreRefused() {
    write("a.h5", 20, 4);
    try (H5File file = Hdf5.create(folder.resolve("b.h5"))) {
      file.createDataset("x", int.class, 2, 2);
    }
    Dataset<Row> table = ReadTest.reader().option("variables", "/x").load(folder.toString());
    assertThatThrownBy(table::count)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("b.h5");
  }

  @Test
  void aDamagedChunkIsNamedOrLeftOut() throws Exception {
    Path good = write("a.h5", 20, 4);
    Path bad = write("b.h5", 20, 4);
    long address;
    try (H5File file = Hdf5.open(bad)) {
      address =
          file.dataset("x").chunks().skip(1).map(ChunkInfo::address).findFirst().orElseThrow();
    }
    try (RandomAccessFile file = new RandomAccessFile(bad.toFile(), "rw")) {
      file.seek(address + 3);
      file.write(77);
    }
    Dataset<Row> strict =
        ReadTest.reader().option("variables", "/x").load(good.toString(), bad.toString());
    assertThatThrownBy(() -> strict.selectExpr("sum(x)").first())
        .hasCauseInstanceOf(CorruptFileException.class)
        .cause()
        .hasMessageContaining("variable=/x")
        .hasMessageContaining("b.h5")
        .hasMessageContaining("chunk=[10, 0]");
    Dataset<Row> rest =
        ReadTest.reader()
            .option("variables", "/x")
            .option("damaged", "skip")
            .load(good.toString(), bad.toString());
    assertThat(rest.where("dim_0 >= 10").collectAsList()).hasSize(40);
    assertThat(rest.collectAsList()).hasSize(120);
  }

  @Test
  void aFileThatChangesUnderTheQueryIsAnError() throws Exception {
    Path path = write("a.h5", 20, 4);
    Dataset<Row> table = ReadTest.reader().option("variables", "/x").load(path.toString());
    Files.setLastModifiedTime(path, FileTime.fromMillis(1_000_000));
    assertThatThrownBy(table::collectAsList)
        .rootCause()
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("a.h5");
  }
}
