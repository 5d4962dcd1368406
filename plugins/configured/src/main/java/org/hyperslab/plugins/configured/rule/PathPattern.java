package org.hyperslab.plugins.configured.rule;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.plugins.configured.document.DocumentNode;
import org.hyperslab.plugins.configured.document.Place;

/**
 * A pattern of paths. Names are separated by slashes; {@code *} stands for any characters of one
 * name, {@code ?} for one of them, and a name {@code **} for any number of names, also none. All
 * other characters stand for themselves.
 *
 * <p>Thread rule: immutable.
 */
public final class PathPattern {

  private static final String ANY_NAMES = "**";

  private final DocumentNode.Scalar written;
  private final List<String> names;

  private PathPattern(DocumentNode.Scalar written, List<String> names) {
    this.written = written;
    this.names = names;
  }

  /**
   * {@return a pattern of objects in a file, which begins with a slash}
   *
   * @param written the pattern as it is written
   * @throws org.hyperslab.error.InvalidUseException if no path of an object can match it, with its
   *     place
   */
  public static PathPattern ofObjects(DocumentNode.Scalar written) {
    if (!written.text().startsWith("/")) {
      throw written
          .place()
          .problem(
              "the pattern \""
                  + written.text()
                  + "\" matches no object: paths in a file begin with a slash, such as /**/"
                  + written.text());
    }
    return new PathPattern(written, names(written, written.text().substring(1)));
  }

  /**
   * {@return a pattern of files} One without a slash at its beginning matches the last names of a
   * path: {@code *.h5} a file anywhere, {@code run/*.h5} one in a folder {@code run}.
   *
   * @param written the pattern as it is written
   * @throws org.hyperslab.error.InvalidUseException if no path of a file can match it, with its
   *     place
   */
  public static PathPattern ofFiles(DocumentNode.Scalar written) {
    String text = written.text();
    List<String> names = new ArrayList<>();
    if (!text.startsWith("/")) {
      names.add(ANY_NAMES);
    }
    names.addAll(names(written, text.startsWith("/") ? text.substring(1) : text));
    return new PathPattern(written, names);
  }

  private static List<String> names(DocumentNode.Scalar written, String relative) {
    List<String> names = List.of(relative.split("/", -1));
    for (String name : names) {
      boolean only = names.size() == 1 && written.text().equals("/");
      if (!only && (name.isEmpty() || name.equals(".") || name.equals(".."))) {
        throw written
            .place()
            .problem(
                "the pattern \""
                    + written.text()
                    + "\" matches nothing: names are not empty, \".\" or \"..\"");
      }
    }
    return written.text().equals("/") ? List.of() : names;
  }

  /** {@return where the pattern stands} */
  public Place place() {
    return written.place();
  }

  /**
   * {@return whether a path matches}
   *
   * @param path the path; repeated slashes and those at its ends do not matter
   */
  public boolean matches(String path) {
    List<String> given = new ArrayList<>();
    for (String name : path.split("/")) {
      if (!name.isEmpty()) {
        given.add(name);
      }
    }
    return matches(given);
  }

  /**
   * Compares name by name: {@code reached[j]} says whether the names of the pattern so far match
   * the first j names of the path. The time is the product of both numbers.
   */
  private boolean matches(List<String> path) {
    boolean[] reached = new boolean[path.size() + 1];
    reached[0] = true;
    for (String name : names) {
      boolean[] next = new boolean[reached.length];
      for (int j = 0; j < reached.length; j++) {
        next[j] =
            name.equals(ANY_NAMES)
                ? reached[j] || (j > 0 && next[j - 1])
                : j > 0 && reached[j - 1] && matchesName(name, path.get(j - 1));
      }
      reached = next;
    }
    return reached[path.size()];
  }

  /** Compares one name: after a mismatch the last star takes one character more. */
  private static boolean matchesName(String pattern, String name) {
    int p = 0;
    int n = 0;
    int star = -1;
    int starred = 0;
    while (n < name.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        starred = n;
      } else if (p < pattern.length()
          && (pattern.charAt(p) == '?' || pattern.charAt(p) == name.charAt(n))) {
        p++;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++starred;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  /** Returns the pattern as it was written. */
  @Override
  public String toString() {
    return written.text();
  }
}
