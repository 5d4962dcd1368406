package org.hyperslab;

import org.hyperslab.error.InvalidUseException;

/**
 * Checks arguments of the public API before an operation begins.
 *
 * <p>Thread rule: no state.
 */
final class Arguments {

  private Arguments() {}

  /**
   * Returns a value that is not null.
   *
   * @param what the argument's role, as the message names it
   * @param expected what is expected in its place
   * @throws InvalidUseException if the value is null
   */
  static <T> T require(T value, String what, String expected) {
    if (value == null) {
      throw new InvalidUseException(what + ": actual=null, expected=" + expected);
    }
    return value;
  }

  /** Rejects a null path. An empty path names the object from which paths are followed. */
  static String path(String path) {
    return require(path, "path", "names separated by \"/\"");
  }

  /**
   * Checks the path of a new object or link, which needs a name.
   *
   * @param otherwise the method that creates the same without a link
   */
  static String newPath(String path, String otherwise) {
    if (path(path).isEmpty()) {
      throw new InvalidUseException(
          "path: actual=\"\", expected=names separated by \"/\", at least one; "
              + otherwise
              + " creates an object without a link");
    }
    return path;
  }

  /** Refuses a null name of an attribute. */
  static String attributeName(String name) {
    return require(name, "attribute name", "a String");
  }
}
