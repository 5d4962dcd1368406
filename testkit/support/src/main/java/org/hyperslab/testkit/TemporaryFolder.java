package org.hyperslab.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is deleted with all in it when it is closed. Thread rule: any thread. */
public final class TemporaryFolder implements AutoCloseable {

  private final Path path;

  private TemporaryFolder(Path path) {
    this.path = path;
  }

  /** A new folder below the system's folder for temporary files. */
  public static TemporaryFolder create(String prefix) {
    try {
      return new TemporaryFolder(Files.createTempDirectory("hyperslab-" + prefix));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder. */
  public Path path() {
    return path;
  }

  /** A file in it, not made. */
  public Path file(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() {
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(path)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
