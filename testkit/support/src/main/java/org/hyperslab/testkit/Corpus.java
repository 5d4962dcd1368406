package org.hyperslab.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The corpus of real files, in {@code ../shared/corpus} beside the project, or in the folder that
 * the system property {@code hyperslab.corpus} names. Tests that need it are skipped if it is
 * absent.
 */
public final class Corpus {

  private Corpus() {}

  /** {@return the folder of the corpus; it may not exist} */
  public static Path folder() {
    String given = System.getProperty("hyperslab.corpus");
    if (given != null) {
      return Path.of(given);
    }
    return Path.of(System.getProperty("hyperslab.root", "."), "..", "shared", "corpus").normalize();
  }

  /** {@return whether there is a corpus} */
  public static boolean isPresent() {
    return Files.isDirectory(folder());
  }

  /**
   * Finds a file of the corpus; skips the test if the file does not exist.
   *
   * @param relative its path below the folder
   * @return its path
   */
  public static Path file(String relative) {
    Path file = folder().resolve(relative);
    assumeTrue(Files.isRegularFile(file), () -> "corpus file is absent: " + file);
    return file;
  }

  /**
   * Finds the HDF5 files below a folder of the corpus, by their names; skips the test if there is
   * no corpus.
   *
   * @param below the path of that folder
   * @return the files, in order
   */
  public static List<Path> files(String below) {
    assumeTrue(isPresent(), () -> "no corpus of HDF5 files at " + folder());
    return Stream.of(".h5", ".hdf5")
        .flatMap(suffix -> files(below, suffix).stream())
        .sorted()
        .toList();
  }

  /**
   * Finds the files below a folder of the corpus whose names have a suffix; skips the test if there
   * is no corpus.
   *
   * @param below the path of that folder
   * @param suffix the end of the names
   * @return the files, in order; none if there is no such folder
   */
  public static List<Path> files(String below, String suffix) {
    assumeTrue(isPresent(), () -> "no corpus of HDF5 files at " + folder());
    Path start = folder().resolve(below);
    if (!Files.isDirectory(start)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(start)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(suffix))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
