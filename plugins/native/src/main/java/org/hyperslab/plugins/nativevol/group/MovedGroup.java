package org.hyperslab.plugins.nativevol.group;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * A group to which a link that is moved leads, and the question which groups only that link makes
 * reachable. If the link were moved into one of them, it would be lost with its content.
 *
 * <p>Thread rule: as {@link ObjectHeaders}.
 *
 * @param headers the headers of the file
 * @param groups the groups of the file
 * @param link the link
 * @param target the address of the header of the group that it leads to
 */
record MovedGroup(ObjectHeaders headers, Groups groups, PathResult.Name link, long target) {

  /**
   * Returns whether a group can be reached by hard links from the moved group, but not from the
   * root group without the link. The root group and the group that holds the link need no search,
   * because no path to them contains the link twice.
   */
  boolean alone(long group) {
    boolean outside = group == headers.root() || group == link.group();
    return !outside && leads(target, group, false) && !leads(headers.root(), group, true);
  }

  /** Returns whether a group can be reached by hard links from another. */
  private boolean leads(long from, long to, boolean without) {
    PageRequest all = new PageRequest(IterationIndex.NAME, false, 0, Integer.MAX_VALUE);
    Set<Long> seen = new HashSet<>();
    Deque<Long> waiting = new ArrayDeque<>();
    seen.add(from);
    waiting.add(from);
    while (!waiting.isEmpty() && !seen.contains(to)) {
      long group = waiting.removeFirst();
      for (LinkMessage each : groups.list(group, all)) {
        boolean omitted = without && group == link.group() && each.name().equals(link.name());
        if (!omitted
            && each.target() instanceof LinkMessage.Hard(long address)
            && seen.add(address)
            && headers.kindAt(address) == ObjectKind.GROUP) {
          waiting.add(address);
        }
      }
    }
    return seen.contains(to);
  }
}
