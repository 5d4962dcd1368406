package org.hyperslab.plugins.forwarding.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayDeque;
import java.util.Deque;
import org.hyperslab.format.store.DurableFile;

/**
 * Creates folders whose names are on storage before anything is put into them: what is durable in a
 * folder would be lost with the folder.
 *
 * <p>Thread rule: no state.
 */
public final class DurableFolders {

  private DurableFolders() {}

  /**
   * Creates a folder and the missing ones above it; has no effect if it exists.
   *
   * @param folder the folder
   * @param attributes the attributes of folders that are created
   * @throws IOException if one cannot be created or forced to storage
   */
  public static void create(Path folder, FileAttribute<?>... attributes) throws IOException {
    Deque<Path> missing = new ArrayDeque<>();
    Path up = folder.toAbsolutePath();
    while (up != null && !Files.exists(up, LinkOption.NOFOLLOW_LINKS)) {
      missing.push(up);
      up = up.getParent();
    }
    Files.createDirectories(folder, attributes);
    for (Path made : missing) {
      DurableFile.force(made.getParent());
    }
  }
}
