package org.hyperslab;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.hyperslab.model.LinkKind;
import org.jspecify.annotations.Nullable;

/**
 * Walks over a group and every object that hard links below it lead to, depth first, visiting each
 * object once. It keeps open the groups on the path to the current object.
 *
 * <p>Thread rule: confined to one thread.
 */
final class GroupWalk {

  private final ObjectVisitor visitor;
  private final Set<Long> seen = new HashSet<>();
  private final Deque<Level> levels = new ArrayDeque<>();

  GroupWalk(ObjectVisitor visitor) {
    this.visitor = visitor;
  }

  /**
   * A group whose links are being walked.
   *
   * @param prefix of the paths of what its links lead to, relative to the group where the walk
   *     began
   * @param group closed after the last link; null for the one that the caller holds
   */
  private record Level(String prefix, @Nullable Group group, Iterator<Link> links) {
    private void close() {
      if (group != null) {
        group.close();
      }
    }
  }

  /** Walks over the objects and returns whether the visitor continued to the end. */
  boolean visit(Group start) {
    seen.add(start.token().address());
    if (!visitor.visit(".", start)) {
      return false;
    }
    levels.push(new Level("", null, start.links().iterator()));
    try {
      while (!levels.isEmpty()) {
        Level level = levels.peek();
        if (!level.links.hasNext()) {
          levels.pop().close();
        } else if (!step(level)) {
          return false;
        }
      }
      return true;
    } finally {
      levels.forEach(Level::close);
    }
  }

  private boolean step(Level level) {
    Link link = level.links.next();
    if (link.kind() != LinkKind.HARD || !seen.add(link.info().token().address())) {
      return true;
    }
    String path = level.prefix + link.name();
    H5Object object = link.open();
    boolean kept = false;
    try {
      boolean goOn = visitor.visit(path, object);
      if (goOn && object instanceof Group below) {
        levels.push(new Level(path + "/", below, below.links().iterator()));
        kept = true;
      }
      return goOn;
    } finally {
      if (!kept) {
        object.close();
      }
    }
  }
}
