package org.hyperslab.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * A folder whose contents are deleted when it is closed. Some file systems take milliseconds to
 * delete a folder, and suites need thousands, so the empty folder is reused, and deleted when the
 * JVM ends.
 *
 * <p>Thread rule: any thread.
 */
public final class TemporaryFolder implements AutoCloseable {

  private static final Map<String, Queue<Path>> EMPTY = new ConcurrentHashMap<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(TemporaryFolder::deleteEmpty));
  }

  private final String prefix;
  private final Path path;
  private final AtomicBoolean closed = new AtomicBoolean();

  private TemporaryFolder(String prefix, Path path) {
    this.prefix = prefix;
    this.path = path;
  }

  /**
   * Creates an empty folder below the system's folder for temporary files.
   *
   * @param prefix the beginning of its name
   * @return the folder, for the caller's exclusive use
   */
  public static TemporaryFolder create(String prefix) {
    try {
      Path empty = empty(prefix).poll();
      return new TemporaryFolder(
          prefix, empty != null ? empty : Files.createTempDirectory("hyperslab-" + prefix));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Queue<Path> empty(String prefix) {
    return EMPTY.computeIfAbsent(prefix, absent -> new ConcurrentLinkedQueue<>());
  }

  private static void deleteEmpty() {
    for (Queue<Path> folders : EMPTY.values()) {
      for (Path folder : folders) {
        folder.toFile().delete();
      }
    }
  }

  /** {@return the folder} */
  public Path path() {
    return path;
  }

  /**
   * Returns the path of a file in the folder. The file is not created.
   *
   * @param name its name
   * @return its path
   */
  public Path file(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      List<Path> deepestFirst = all.skip(1).sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    empty(prefix).add(path);
  }
}
