package org.hyperslab.convert;

import java.nio.file.Path;

/** Writes a whole file of one format. */
@FunctionalInterface
interface TargetFile {

  /**
   * Writes everything below a root group.
   *
   * @param root what to write
   * @param path where; nothing is there yet
   * @param work moves elements in bounded memory, and hears what the format cannot hold
   */
  void write(GroupNode root, Path path, Work work);
}
