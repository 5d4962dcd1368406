package org.hyperslab.scales;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkKind;

/**
 * Adds all groups and datasets of a file that hard links reach to a table, level by level, and
 * passes over what cannot be read.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DimensionWalk {

  /** The maximum nesting depth of groups; deeper paths are longer than programs accept. */
  private static final int DEEPEST = 1000;

  /** A group and its path. */
  private record Place(String path, Group group) {

    String child(String name) {
      return path.equals("/") ? "/" + name : path + "/" + name;
    }
  }

  private final DimensionTable table;
  private final Set<Long> seen = new HashSet<>();

  DimensionWalk(DimensionTable table) {
    this.table = table;
  }

  /** Visits a group, which stays open, and all groups below it. */
  void walk(Group root) {
    seen.add(root.token().address());
    List<Place> level = members(new Place("/", root));
    for (int depth = 0; depth < DEEPEST && !level.isEmpty(); depth++) {
      List<Place> below = new ArrayList<>();
      for (Place place : level) {
        try (Group _ = place.group) {
          below.addAll(members(place));
        }
      }
      level = below;
    }
    level.forEach(place -> place.group.close());
  }

  /** Adds the members of a group; returns the groups among them, open. */
  private List<Place> members(Place place) {
    List<Place> groups = new ArrayList<>();
    try {
      boolean tracked = place.group.groupInfo().options().creationOrderTracked();
      IterationIndex index = tracked ? IterationIndex.CREATION_ORDER : IterationIndex.NAME;
      place
          .group
          .links(index, false)
          .filter(link -> link.kind() == LinkKind.HARD)
          .forEach(link -> member(place, link).ifPresent(groups::add));
    } catch (HyperslabException damaged) {
      // what was found before is kept
    }
    return groups;
  }

  private Optional<Place> member(Place place, Link link) {
    try {
      H5Object object = link.open();
      boolean isNew = seen.add(object.token().address());
      if (isNew && object instanceof Group group) {
        String path = place.child(link.name());
        table.addGroup(path);
        return Optional.of(new Place(path, group));
      }
      try (object) {
        if (isNew && object instanceof Dataset dataset) {
          table.add(place.path, link.name(), notes(dataset));
        }
      }
    } catch (HyperslabException damaged) {
      // it has no dimensions
    }
    return Optional.empty();
  }

  private static ScaleNotes notes(Dataset dataset) {
    try {
      return ScaleNotes.of(dataset);
    } catch (HyperslabException damaged) {
      return ScaleNotes.unreadable(dataset);
    }
  }
}
