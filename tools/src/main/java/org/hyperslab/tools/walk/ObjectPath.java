package org.hyperslab.tools.walk;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Where an object was met: its parent's place and its name there. A path is put together only where
 * one is needed, for the paths of deeply nested groups are long.
 *
 * @param parent the group's place; null for the root group
 * @param name the link's name; empty for the root group
 */
public record ObjectPath(ObjectPath parent, String name) {

  /** The place of the root group. */
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

  /** Its name; records would print all places above. */
  @Override
  public String toString() {
    return name;
  }
}
