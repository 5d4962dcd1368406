package org.hyperslab.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.error.StorageException;
import org.hyperslab.spark.write.ArrayWrite;

/**
 * What writes that were killed left beside a file: folders with parts that no reader sees.
 *
 * <p>Nothing of a write that still runs may be deleted; that is up to the caller to know.
 *
 * <p>Thread rule: any thread.
 */
public final class Leftovers {

  private Leftovers() {}

  /**
   * Lists what was left.
   *
   * @param path the file that was to be written
   * @return the folders, in the order of their names
   */
  public static List<String> list(String path) {
    Path file = Path.of(path).toAbsolutePath().normalize();
    String prefix = ArrayWrite.folderPrefix(file);
    if (!Files.isDirectory(file.getParent())) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(file.getParent())) {
      return all.filter(each -> each.getFileName().toString().startsWith(prefix))
          .map(Path::toString)
          .sorted()
          .toList();
    } catch (IOException failure) {
      throw new StorageException(
          "folder: actual=cannot be listed, expected=a readable folder, at=" + file.getParent(),
          failure);
    }
  }

  /**
   * Deletes what was left.
   *
   * @param path the file that was to be written
   * @return the folders that were deleted
   */
  public static List<String> delete(String path) {
    List<String> all = list(path);
    all.forEach(each -> ArrayWrite.deleteFolder(Path.of(each)));
    return all;
  }
}
