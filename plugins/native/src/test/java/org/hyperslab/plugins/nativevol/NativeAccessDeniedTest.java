package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.ChildJvm;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that files are read, written and edited in a JVM that allows no native calls. */
class NativeAccessDeniedTest {

  private static final int COUNT = 600_000;

  @TempDir private Path folder;

  /** Writes, edits and reads a file. */
  public static void main(String[] arguments) {
    Path path = Path.of(arguments[0]);
    double[] values = IntStream.range(0, COUNT).mapToDouble(i -> i).toArray();
    try (Session session = Hdf5.session(new NativeConnector())) {
      try (H5File file = session.create(path)) {
        file.createDataset("plain", values).close();
        file.datasetBuilder("chunked")
            .value(values)
            .options(DatasetOptions.chunked(1000).shuffle().deflate(1).zstd(3).build())
            .create()
            .close();
        file.root().setAttribute("words", new String[] {"one", "two"});
      }
      try (H5File file = session.openForEdit(path);
          Dataset plain = file.dataset("plain")) {
        plain.write(Selection.box(new long[] {7}, new long[] {2}), new double[] {-1, -2});
        file.root().delete("chunked");
        file.createGroup("g").close();
      }
      try (H5File file = session.open(path);
          Dataset plain = file.dataset("plain")) {
        values[7] = -1;
        values[8] = -2;
        require(Arrays.equals(plain.readDoubles(), values), "long reads");
        double[] columns = plain.slice("::100").readDoubles();
        require(columns.length == COUNT / 100 && columns[1] == 100, "strided reads");
      }
      OpenOptions locked = OpenOptions.READ.withLocking(Locking.ON);
      try {
        session.open(path, locked).close();
        require(false, "a lock that cannot be had is an error where it is asked for");
      } catch (StorageException expected) {
        require(expected.getMessage().contains("lock"), expected.getMessage());
      }
    }
    System.out.println("fine");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  @Test
  void filesAreWrittenEditedAndReadWithoutNativeCalls() throws IOException, InterruptedException {
    Path path = folder.resolve("pure.h5");
    List<String> command = ChildJvm.command(256, NativeAccessDeniedTest.class, path.toString());
    command.replaceAll(
        word -> word.startsWith("--enable-native") ? "--illegal-native-access=deny" : word);
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).as(said).isZero();
    assertThat(said.strip()).endsWith("fine");
    String script =
        """
        import h5py, sys
        f = h5py.File(sys.argv[1])
        print(sorted(f), f['plain'][7], f['plain'][-1], list(f.attrs['words']))
        """;
    assertThat(Oracle.h5py().run(script, path.toString()).output())
        .contains("['g', 'plain'] -1.0 599999.0 ['one', 'two']");
  }
}
