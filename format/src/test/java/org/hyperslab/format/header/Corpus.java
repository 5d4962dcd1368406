package org.hyperslab.format.header;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Real files beside the project's tree, for tests that read them. */
public final class Corpus {

  private Corpus() {}

  /** The corpus' directory; a test that asks for it is skipped where there is none. */
  public static Path root() {
    String root = System.getProperty("hyperslab.root", "..");
    Path corpus = Path.of(root).resolve("..").resolve("shared").resolve("corpus").normalize();
    Assumptions.assumeTrue(Files.isDirectory(corpus), "no corpus of HDF5 files at " + corpus);
    return corpus;
  }

  /** Every file below a part of the corpus whose name ends in .h5 or .hdf5, sorted. */
  public static List<Path> files(String part) {
    try (Stream<Path> walk = Files.walk(root().resolve(part))) {
      return walk.filter(Files::isRegularFile)
          .filter(path -> path.toString().endsWith(".h5") || path.toString().endsWith(".hdf5"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
