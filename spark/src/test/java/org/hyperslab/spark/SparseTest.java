package org.hyperslab.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests sparse matrices as anndata stores them. */
final class SparseTest {

  private static final int ROWS = 50;
  private static final int COLUMNS = 40;

  @TempDir Path folder;

  private final List<String> expected = new ArrayList<>();

  private Dataset<Row> table(String encoding) {
    Random random = new Random(7);
    boolean byRows = encoding.equals("csr_matrix");
    List<Integer> indices = new ArrayList<>();
    List<Float> data = new ArrayList<>();
    long[] pointers = new long[(byRows ? ROWS : COLUMNS) + 1];
    for (int i = 0; i + 1 < pointers.length; i++) {
      for (int j = 0; j < (byRows ? COLUMNS : ROWS); j++) {
        if (random.nextInt(4) == 0 && i % 7 != 3) {
          indices.add(j);
          data.add(i + j / 100f);
          expected.add((byRows ? i + "," + j : j + "," + i) + "," + (i + j / 100f));
        }
      }
      pointers[i + 1] = indices.size();
    }
    Path path = folder.resolve(encoding + ".h5ad");
    try (H5File file = Hdf5.create(path)) {
      Group group = file.createGroup("X");
      group.setAttribute("encoding-type", encoding);
      group.setAttribute("shape", new long[] {ROWS, COLUMNS});
      int count = indices.size();
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = data.get(i);
      }
      DatasetOptions chunked = DatasetOptions.chunked(64).deflate(1).build();
      group.datasetBuilder("data").value(values).options(chunked).create();
      group
          .datasetBuilder("indices")
          .type(Datatypes.I32LE)
          .space(Dataspace.simple(count))
          .options(chunked)
          .create()
          .write(indices.stream().mapToInt(each -> each).toArray());
      group.createDataset("indptr", pointers);
    }
    return ReadTest.reader().option("variables", "/X").load(path.toString());
  }

  @Test
  void storedElementsAreRows() {
    for (String encoding : List.of("csr_matrix", "csc_matrix")) {
      expected.clear();
      Dataset<Row> table = table(encoding);
      assertThat(texts(table)).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(table.count()).isEqualTo(expected.size());
    }
  }

  @Test
  void conditionsOnRowsAndColumnsAreExact() {
    for (String encoding : List.of("csr_matrix", "csc_matrix")) {
      expected.clear();
      Dataset<Row> some =
          table(encoding).where("row between 10 and 20 and column in (3, 4, 5, 17)");
      List<String> wanted =
          expected.stream()
              .filter(each -> {
                int row = Integer.parseInt(each.split(",")[0]);
                int column = Integer.parseInt(each.split(",")[1]);
                return row >= 10 && row <= 20 && List.of(3, 4, 5, 17).contains(column);
              })
              .toList();
      assertThat(texts(some)).containsExactlyInAnyOrderElementsOf(wanted);
      assertThat(some.count()).isEqualTo(wanted.size());
      assertThat(LocalSpark.plan(some)).doesNotContain("Filter (");
    }
  }

  private static List<String> texts(Dataset<Row> table) {
    return table.collectAsList().stream()
        .map(row -> row.getLong(0) + "," + row.getLong(1) + "," + row.getFloat(2))
        .toList();
  }
}
