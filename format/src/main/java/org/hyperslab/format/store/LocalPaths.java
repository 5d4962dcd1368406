package org.hyperslab.format.store;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The paths that names of local files stand for: those of the default file system, except below
 * folders at which other file systems are mounted. Connectors turn names into paths here only.
 *
 * <p>Thread rule: any thread.
 */
public final class LocalPaths {

  private static final Map<String, FileSystem> MOUNTED = new ConcurrentHashMap<>();

  private LocalPaths() {}

  /**
   * {@return the path of a name}
   *
   * @param name the name of a file, as text
   * @throws java.nio.file.InvalidPathException if it is not a path
   */
  public static Path of(String name) {
    if (!MOUNTED.isEmpty()) {
      for (Map.Entry<String, FileSystem> each : MOUNTED.entrySet()) {
        String folder = each.getKey();
        if (name.startsWith(folder) && (name + "/").startsWith(folder + "/")) {
          return each.getValue().getPath(name);
        }
      }
    }
    return Path.of(name);
  }

  /**
   * Lets the names below a folder stand for paths of a file system.
   *
   * @param folder the folder, as text; absolute, without a slash at its end
   * @param files the file system, whose paths begin with the folder
   */
  public static void mount(String folder, FileSystem files) {
    MOUNTED.put(folder, files);
  }

  /**
   * Ends what {@link #mount} began.
   *
   * @param folder the folder
   */
  public static void unmount(String folder) {
    MOUNTED.remove(folder);
  }

  /** {@return whether the operating system knows a path, so that its calls may be given it} */
  static boolean areOfSystem(Path path) {
    return path.getFileSystem() == FileSystems.getDefault();
  }
}
