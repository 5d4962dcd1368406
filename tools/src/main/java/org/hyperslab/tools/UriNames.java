package org.hyperslab.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Distinguishes URIs from names of files of this machine. */
final class UriNames {

  /** A scheme has at least two letters, so that a drive letter is not taken for one. */
  private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

  private UriNames() {}

  /** {@return whether a name is a URI, which a connector opens, and not a file of this machine} */
  static boolean isFar(String name) {
    return URI.matcher(name).matches() && !name.startsWith("file:") && !Files.exists(Path.of(name));
  }
}
