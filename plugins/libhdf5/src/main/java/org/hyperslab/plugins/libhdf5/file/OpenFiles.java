package org.hyperslab.plugins.libhdf5.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.FileOperation;

/**
 * The connectors that the program uses, by configuration, and its open files. If a file is opened
 * twice, both identifiers share one open file, as in libhdf5.
 *
 * <p>Thread rule: any thread.
 */
public final class OpenFiles {

  private static final Path WORKING_DIRECTORY = Path.of("/proc/self/cwd");

  private final Map<String, Connector> connectors = new HashMap<>();
  private final List<OpenedFile> files = new ArrayList<>();
  private final Map<OpenedFile.FileKey, CompletableFuture<Void>> closing =
      new ConcurrentHashMap<>();

  /** Returns the connector of a configuration; the empty string means the default connector. */
  public synchronized Connector connector(String configuration) {
    return connectors.computeIfAbsent(configuration, text -> Connectors.create(effective(text)));
  }

  /**
   * Returns what a program's configuration stands for: the default if it is empty, and in any case
   * the configuration file that the environment names.
   */
  static String effective(String configuration) {
    return configuration.isEmpty()
        ? Connectors.defaultConfiguration()
        : Connectors.chosenConfiguration(configuration);
  }

  /** Returns the key that identifies the file with a name. */
  public OpenedFile.FileKey key(String configuration, String name) {
    return new OpenedFile.FileKey(configuration, place(name));
  }

  private static String place(String name) {
    try {
      Path path = absolute(Path.of(name)).normalize();
      try {
        return path.toRealPath().toString();
      } catch (IOException notThere) {
        return besideReal(path);
      }
    } catch (InvalidPathException e) {
      return name;
    }
  }

  /**
   * Returns the absolute path of a file. The JVM keeps the working directory in which it started,
   * and the program may have changed it since.
   */
  private static Path absolute(Path path) {
    if (path.isAbsolute()) {
      return path;
    }
    try {
      return WORKING_DIRECTORY.toRealPath().resolve(path);
    } catch (IOException notLinux) {
      return path.toAbsolutePath();
    }
  }

  /**
   * Returns the name by which a connector of local files opens a file: the program's, or the
   * absolute path if the program has changed its working directory since the JVM started.
   */
  public static String localName(String name) {
    try {
      Path path = Path.of(name);
      Path absolute = absolute(path);
      return absolute.equals(path.toAbsolutePath()) ? name : absolute.toString();
    } catch (InvalidPathException e) {
      return name;
    }
  }

  /** Returns the absolute form of a name of a local file. */
  public static String absoluteName(String name) {
    return absolute(Path.of(name)).toString();
  }

  /** Returns the path of a file that does not exist, below the real path of its folder. */
  private static String besideReal(Path path) {
    try {
      Path folder = path.getParent();
      return folder == null
          ? path.toString()
          : folder.toRealPath().resolve(path.getFileName()).toString();
    } catch (IOException noFolder) {
      return path.toString();
    }
  }

  /** Returns the open file at a place, which it may have been moved to. */
  public synchronized Optional<OpenedFile> find(OpenedFile.FileKey key) {
    if (files.isEmpty()) {
      return Optional.empty();
    }
    Object identity = identity(key);
    return files.stream().filter(file -> isAt(file, key, identity)).findFirst();
  }

  private static boolean isAt(OpenedFile file, OpenedFile.FileKey key, Object identity) {
    Object known = file.identity();
    return identity == null || known == null
        ? file.key().equals(key) && (known == null || identity != null)
        : known.equals(identity) && file.key().configuration().equals(key.configuration());
  }

  /**
   * Returns what identifies the local file at a place, whatever its names; null if there is none.
   */
  static Object identity(OpenedFile.FileKey key) {
    try {
      return Files.readAttributes(Path.of(key.place()), BasicFileAttributes.class).fileKey();
    } catch (IOException | InvalidPathException notLocal) {
      return null;
    }
  }

  /** Records that a file is being closed, for the next opening of it. */
  public void closing(OpenedFile.FileKey key, CompletableFuture<Void> stage) {
    if (!stage.isDone()) {
      closing.put(key, stage);
      stage.whenComplete((done, failure) -> closing.remove(key, stage));
    }
  }

  /** Waits until a file that is being closed is closed; a failure is reported to its closer. */
  public void awaitClosed(OpenedFile.FileKey key) {
    CompletableFuture<Void> stage = closing.get(key);
    if (stage != null) {
      OpenedFile.await(stage.handle((done, failure) -> null));
    }
  }

  /** Adds a file that was opened. */
  public synchronized void add(OpenedFile file) {
    files.add(file);
  }

  /** Removes a file that is closed. */
  public synchronized void remove(OpenedFile file) {
    files.remove(file);
  }

  /** Returns the open files whose driver alone finds them. */
  public synchronized List<OpenedFile> withDriver() {
    return files.stream().filter(file -> file.settings().driver() != null).toList();
  }

  synchronized List<OpenedFile> all() {
    return new ArrayList<>(files);
  }

  /** Closes every file and connector. Failures are printed to stderr, because no caller waits. */
  public void closeAll() {
    List<Connector> open;
    List<OpenedFile> left = all();
    synchronized (this) {
      open = new ArrayList<>(connectors.values());
      connectors.clear();
      files.clear();
    }
    boolean jobIsOver = FileRankDetection.isJobOver();
    for (OpenedFile file : left) {
      if (file.markClosed() && !reportLeftOpen(file, jobIsOver)) {
        attempt(() -> OpenedFile.await(file.closeInConnector()), file.name());
      }
    }
    open.forEach(connector -> attempt(connector::close, connector.name()));
  }

  /** Flushes every writable file, because the process is ending. */
  public void flushAll() {
    boolean jobIsOver = FileRankDetection.isJobOver();
    for (OpenedFile file : all()) {
      if (!file.isClosed() && file.settings().writable() && !reportLeftOpen(file, jobIsOver)) {
        attempt(() -> file.call(new FileOperation.Flush(file.handle())), file.name());
      }
    }
  }

  /** Reports that a file of several ranks can no longer be written, because MPI has ended. */
  private static boolean reportLeftOpen(OpenedFile file, boolean jobIsOver) {
    if (!file.settings().shared() || !jobIsOver) {
      return false;
    }
    System.err.println(
        "hyperslab: "
            + file.name()
            + ": actual=open when MPI was finalised, expected=closed before; what was written since"
            + " the last flush may be missing");
    return true;
  }

  private static void attempt(Runnable action, String what) {
    try {
      action.run();
    } catch (RuntimeException e) {
      System.err.println("hyperslab: " + what + ": " + e.getMessage());
    }
  }
}
