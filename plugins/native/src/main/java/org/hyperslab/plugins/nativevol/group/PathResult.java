package org.hyperslab.plugins.nativevol.group;

/**
 * The result of resolving a path within one file. A path may leave the file through an external
 * link; the caller then continues in the other file, holding no lock of this one.
 */
public sealed interface PathResult {

  /**
   * An object of this file.
   *
   * @param address the address of its header
   */
  record Reached(long address) implements PathResult {}

  /**
   * A name in a group of this file, which may or may not be in use.
   *
   * @param group the address of the group's header
   * @param name the last name of the path
   */
  record Name(long group, String name) implements PathResult {}

  /**
   * A path that continues in another file.
   *
   * @param fileName the name in the external link
   * @param path the rest of the path, from the other file's root
   * @param linksFollowed the number of soft and external links followed so far
   */
  record InOtherFile(String fileName, String path, int linksFollowed) implements PathResult {}
}
