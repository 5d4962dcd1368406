package org.hyperslab.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The corpus of real files, which lies beside the project in {@code ../shared/corpus}, or where the
 * system property {@code hyperslab.corpus} says. Tests that need it are skipped where it is absent.
 */
public final class Corpus {

  private Corpus() {}

  /** The folder; it may not exist. */
  public static Path folder() {
    String given = System.getProperty("hyperslab.corpus");
    if (given != null) {
      return Path.of(given);
    }
    return Path.of(System.getProperty("hyperslab.root", "."), "..", "shared", "corpus").normalize();
  }

  /** Whether it is there. */
  public static boolean isPresent() {
    return Files.isDirectory(folder());
  }

  /** A file of it; the test is skipped if it is not there. */
  public static Path file(String relative) {
    Path file = folder().resolve(relative);
    assumeTrue(Files.isRegularFile(file), () -> "corpus file is absent: " + file);
    return file;
  }

  /**
   * All files below a folder of it whose names say that they are HDF5, ordered; the test is skipped
   * if there is no corpus.
   */
  public static List<Path> files(String below) {
    assumeTrue(isPresent(), () -> "no corpus of HDF5 files at " + folder());
    return Stream.of(".h5", ".hdf5")
        .flatMap(suffix -> files(below, suffix).stream())
        .sorted()
        .toList();
  }

  /** All files below a folder of it whose names end in a suffix, ordered; empty if it is absent. */
  public static List<Path> files(String below, String suffix) {
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
