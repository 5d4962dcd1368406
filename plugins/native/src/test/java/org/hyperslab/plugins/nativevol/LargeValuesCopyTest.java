package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.testkit.ChildJvm;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a copy of variable-length values takes little more memory than its content that waits
 * for the next flush.
 */
final class LargeValuesCopyTest {

  private static final int ROWS = 8;
  private static final int COLUMNS = 8;
  private static final int BYTES = 1 << 20;

  @TempDir private Path folder;

  private static String value(int row, int column) {
    int number = row * COLUMNS + column;
    return Character.toString('0' + number).repeat(BYTES + number);
  }

  /** Writes a file and copies its dataset. */
  public static void main(String[] arguments) {
    try (Session session = Hdf5.session(new NativeConnector());
        H5File file = session.create(Path.of(arguments[0]))) {
      DatasetOptions chunks = DatasetOptions.chunked(ROWS, COLUMNS).build();
      Dataset dataset =
          file.datasetBuilder("from")
              .type(Datatypes.vlenString())
              .shape(ROWS, COLUMNS)
              .options(chunks)
              .create();
      for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
          dataset.slice(row + "," + column).write(value(row, column));
        }
        file.flush();
      }
      file.root().copy("from", file.root(), "to");
    }
    System.out.println("copied");
  }

  @Test
  void valuesOfHalfTheMemoryAreCopied() throws IOException, InterruptedException {
    Path path = folder.resolve("large.h5");
    List<String> command = ChildJvm.command(128, LargeValuesCopyTest.class, path.toString());
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).as(said).isZero();
    String script =
        """
        import h5py, sys
        f = h5py.File(sys.argv[1])
        for i in range(64):
            assert f['to'][i // 8, i % 8] == bytes([ord('0') + i]) * ((1 << 20) + i), i
        """;
    Oracle.h5py().run(script, path.toString()).orFail();
  }
}
