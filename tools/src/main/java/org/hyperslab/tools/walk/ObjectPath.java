package org.hyperslab.tools.walk;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The path by which an object was reached: the path of its parent and its name there. The text is
 * built only when it is needed, because paths of deeply nested groups are long.
 *
 * @param parent the path of the group; null for the root group
 * @param name the link's name; empty for the root group
 */
public record ObjectPath(ObjectPath parent, String name) {

  /** The path of the root group. */
  public static final ObjectPath ROOT = new ObjectPath(null, "");

  /** {@return the path from the root group} */
  public String path() {
    Deque<String> names = new ArrayDeque<>();
    for (ObjectPath at = this; at.parent != null; at = at.parent) {
      names.addFirst(at.name);
    }
    StringBuilder path = new StringBuilder();
    names.forEach(each -> path.append('/').append(each));
    return path.isEmpty() ? "/" : path.toString();
  }

  /** {@return the name; a record's own text would contain all parents} */
  @Override
  public String toString() {
    return name;
  }
}
