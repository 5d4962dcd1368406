package org.hyperslab.plugins.libhdf5.object;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The path by which an object was opened, put together when it is asked for: programs that create
 * many objects do not ask.
 *
 * @param above the path of the object that the name is relative to; null for the root
 * @param name the name or path that the program gave
 */
public record OpenedPath(OpenedPath above, String name) {

  /** The root of a file. */
  public static final OpenedPath ROOT = new OpenedPath(null, "/");

  /** Returns the path of a name or path relative to this one. */
  public OpenedPath below(String relative) {
    if (relative.isEmpty()) {
      return this;
    }
    return new OpenedPath(relative.startsWith("/") ? null : this, relative);
  }

  /** Returns the path from the root, without repeated slashes and dots. */
  String text() {
    Deque<String> names = new ArrayDeque<>();
    for (OpenedPath each = this; each != null; each = each.above) {
      names.push(each.name);
    }
    StringBuilder text = new StringBuilder();
    names.forEach(each -> append(text, each));
    return text.isEmpty() ? "/" : text.toString();
  }

  private static void append(StringBuilder text, String name) {
    int end;
    for (int start = 0; start < name.length(); start = end + 1) {
      int slash = name.indexOf('/', start);
      end = slash < 0 ? name.length() : slash;
      boolean stays = end == start || (end == start + 1 && name.charAt(start) == '.');
      if (!stays) {
        text.append('/').append(name, start, end);
      }
    }
  }
}
