package org.hyperslab.convert.model;

import java.nio.file.Path;

/** Writes a whole file of one format. */
@FunctionalInterface
public interface TargetFile {

  /**
   * Writes everything below a root group.
   *
   * @param root the group to write
   * @param path the path of the file, which must not exist
   * @param work moves elements in bounded memory, and receives a report of content that the format
   *     cannot hold
   */
  void write(GroupNode root, Path path, ConversionRun work);
}
