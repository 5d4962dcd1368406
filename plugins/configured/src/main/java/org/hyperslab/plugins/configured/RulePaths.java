package org.hyperslab.plugins.configured;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The names of files as patterns see them. */
final class RulePaths {

  private RulePaths() {}

  /** Returns a path from the root of the file system, without "." and ".."; a URI as it is. */
  static String full(String name) {
    if (name.contains("://")) {
      return name;
    }
    try {
      return Path.of(name).toAbsolutePath().normalize().toString().replace('\\', '/');
    } catch (InvalidPathException e) {
      return name;
    }
  }

  /** Returns the path of an object below another one. */
  static String below(String base, String path) {
    if (path.startsWith("/")) {
      return path;
    }
    return path.isEmpty() || path.equals(".")
        ? base
        : base.equals("/") ? "/" + path : base + "/" + path;
  }
}
