package org.hyperslab.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.web.options.WebOptions;

/**
 * Compares what xarray reads from netCDF-4 files with what it reads from a server's stores and from
 * indexes of references.
 */
final class StoresJudge {

  private static final String TOKEN = "a-token-of-the-test";
  private static final long INLINE_BYTES = 1 << 20;

  private StoresJudge() {}

  /**
   * The outcome of a comparison.
   *
   * @param counts what was compared
   * @param differences the differences, one a line
   */
  record Outcome(String counts, List<String> differences) {}

  /** Runs the script, a resource beside this class, with arguments. */
  static List<String> run(TemporaryFolder folder, String... arguments) throws IOException {
    Path script = folder.file("stores_judge.py");
    try (InputStream in = StoresJudge.class.getResourceAsStream("stores_judge.py")) {
      Files.write(script, in.readAllBytes());
    }
    return Oracle.python("xarray stores", script).run(arguments).orFail().output().lines().toList();
  }

  /**
   * Compares files.
   *
   * @param files the folder with the files
   * @param names their paths below it
   */
  static Outcome compare(Path files, List<String> names) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("stores");
        WebServer server =
            WebServer.show(
                files,
                WebOptions.DEFAULT.withAccess(new WebOptions.Access.Token(Optional.of(TOKEN))))) {
      for (int number = 0; number < names.size(); number++) {
        index(files.resolve(names.get(number)), folder.file(number + ".json"));
      }
      Files.write(folder.file("names.txt"), names);
      List<String> lines =
          run(
              folder,
              "compare",
              server.url().substring(0, server.url().length() - 1),
              TOKEN,
              files.toString(),
              folder.path().toString(),
              folder.file("names.txt").toString());
      return new Outcome(lines.getFirst(), lines.subList(1, lines.size()));
    }
  }

  private static void index(Path path, Path out) throws IOException {
    try (H5File file = Hdf5.open(path)) {
      Files.writeString(out, ReferenceIndex.of(file, path.toString(), INLINE_BYTES).json());
    } catch (HyperslabException damaged) {
      // the judge compares the server only, which refuses it too
    }
  }
}
