package org.hyperslab.plugins.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * Which file a name stood for, and its content then, as far as the system tells.
 *
 * @param key the number of the file in its file system; empty if there was no file
 * @param bytes its length
 * @param modified when it was last modified, in nanoseconds since 1970
 */
record FileIdentity(String key, long bytes, long modified) {

  /** That of a name that stands for no file. */
  static final FileIdentity NONE = new FileIdentity("", 0, 0);

  static FileIdentity of(Path file) throws IOException {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileIdentity(
          String.valueOf(found.fileKey()).replace(' ', '_'),
          found.size(),
          found.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    } catch (NoSuchFileException none) {
      return NONE;
    }
  }

  /** {@return whether there was a file} */
  boolean isFile() {
    return !key.isEmpty();
  }

  /** {@return whether two names stand for one file, whatever its content} */
  boolean isSameFile(FileIdentity other) {
    return isFile() && key.equals(other.key);
  }

  @Override
  public String toString() {
    return isFile() ? key + " " + bytes + " " + modified : "none";
  }

  /** {@return what {@link #toString} has written} */
  static FileIdentity parse(String text) {
    String[] words = text.split(" ");
    return words.length == 3
        ? new FileIdentity(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]))
        : NONE;
  }
}
