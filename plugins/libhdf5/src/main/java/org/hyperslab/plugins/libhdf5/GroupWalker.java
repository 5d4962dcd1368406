package org.hyperslab.plugins.libhdf5;

import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/**
 * Walks over links and objects and calls the program's functions: {@code H5Literate}, {@code
 * H5Lvisit} and {@code H5Ovisit}. Groups with several hard links are entered once.
 */
final class GroupWalker {

  /** The deepest nesting of groups that is followed. */
  private static final int MAX_DEPTH = 1024;

  private static final int LINK_INFO_BYTES = 40;
  private static final int OBJECT_INFO_BYTES = 72;

  private final Bridge bridge;

  GroupWalker(Bridge bridge) {
    this.bridge = bridge;
  }

  /** Receives each link or object; a result other than 0 ends the walk. */
  private interface Visitor {
    int visit(Location at, String path, LinkInfo link);
  }

  /** One walk. */
  private record Walk(
      OpenedFile file, PageRequest order, Visitor visitor, Set<ObjectToken> entered) {}

  /** {@code H5VL_link_iterate_args_t}. */
  long links(LocationResolver.Place place, long args) {
    boolean recursive = RawMemory.getBool(args);
    PageRequest order =
        LocationResolver.order(RawMemory.getInt(args + 4), RawMemory.getInt(args + 8));
    long indexAt = RawMemory.getLong(args + 16);
    CFunction operator = CFunction.at(RawMemory.getLong(args + 24));
    long context = RawMemory.getLong(args + 32);
    OpenedFile file = place.file();
    long id = open(file, place.at(), ObjectKind.GROUP);
    try (Arena arena = Arena.ofConfined()) {
      long record = arena.allocate(LINK_INFO_BYTES, 8).address();
      Visitor visitor =
          (at, path, link) -> {
            LinkCallbacks.put(link, record);
            return call(operator, id, path, record, context);
          };
      Walk walk = new Walk(file, order, visitor, new HashSet<>());
      if (recursive) {
        walk.entered.add(file.call(new ObjectOperation.Describe(place.at())).token());
        return visit(walk, place.at(), "", 0);
      }
      return iterate(walk, place.at(), indexAt);
    } finally {
      bridge.hdf5.call(Hdf5Function.I_DECREASE, id);
    }
  }

  /**
   * Calls an operator of {@code H5Giterate} with the links of a group, by name.
   *
   * @param place the group
   * @param args the first link, where to store the position behind the last one, the operator and
   *     its context
   */
  long names(LocationResolver.Place place, long args) {
    CFunction operator = CFunction.at(RawMemory.getLong(args + 16));
    long context = RawMemory.getLong(args + 24);
    OpenedFile file = place.file();
    long id = open(file, place.at(), ObjectKind.GROUP);
    try {
      Visitor visitor =
          (at, path, link) -> {
            try (Arena arena = Arena.ofConfined()) {
              return (int) operator.call(id, RawMemory.name(path, arena).address(), context);
            }
          };
      Walk walk = new Walk(file, LocationResolver.order(0, 0), visitor, new HashSet<>());
      long result = iterate(walk, place.at(), args);
      RawMemory.setLong(RawMemory.getLong(args + 8), RawMemory.getLong(args));
      return result;
    } finally {
      bridge.hdf5.call(Hdf5Function.I_DECREASE, id);
    }
  }

  private long open(OpenedFile file, Location at, ObjectKind wanted) {
    Handle handle = Handle.fresh();
    ObjectInfo info = file.call(new ObjectOperation.Open(handle, at));
    if (wanted != null && info.kind() != wanted) {
      file.submit(new ObjectOperation.Close(handle));
      throw new InvalidUseException(
          "object with links: actual=" + info.kind() + ", expected=a " + "group");
    }
    return Identifiers.register(bridge.hdf5, bridge.objects, file, handle, info);
  }

  private static int call(CFunction operator, long id, String path, long record, long context) {
    try (Arena arena = Arena.ofConfined()) {
      return (int) operator.call(id, RawMemory.name(path, arena).address(), record, context);
    }
  }

  private static long iterate(Walk walk, Location group, long indexAt) {
    long index = indexAt == 0 ? 0 : RawMemory.getLong(indexAt);
    if (index < 0) {
      throw beyond(index);
    }
    long position = index;
    int result = 0;
    boolean last = false;
    while (!last && result == 0) {
      Page<LinkInfo> page = page(walk, group, walk.order, position);
      if (position == index && index > 0 && page.entries().isEmpty()) {
        throw beyond(index);
      }
      for (LinkInfo link : page.entries()) {
        position++;
        result = walk.visitor.visit(below(group, link.name()), link.name(), link);
        if (result != 0) {
          break;
        }
      }
      last = page.last();
    }
    if (indexAt != 0) {
      RawMemory.setLong(indexAt, position);
    }
    return result;
  }

  private static InvalidUseException beyond(long index) {
    return new InvalidUseException(
        "start of the iteration: actual="
            + Long.toUnsignedString(index)
            + ", expected=below the number of links");
  }

  private static Page<LinkInfo> page(Walk walk, Location group, PageRequest order, long position) {
    return walk.file.call(
        new LinkOperation.ListLinks(
            group, new PageRequest(order.index(), order.descending(), position, order.limit())));
  }

  /**
   * Returns the requested order, or the order by name in groups that do not track creation order.
   */
  private static PageRequest tracked(Walk walk, Location group) {
    return walk.order.index() == IterationIndex.CREATION_ORDER
            && !walk.file.call(new GroupOperation.Describe(group)).options().creationOrderTracked()
        ? new PageRequest(IterationIndex.NAME, walk.order.descending(), 0, walk.order.limit())
        : walk.order;
  }

  private static Location below(Location group, String name) {
    return group.isBase()
        ? new Location(group.base(), name)
        : new Location(group.base(), group.path() + "/" + name);
  }

  private static int visit(Walk walk, Location group, String prefix, int depth) {
    if (depth > MAX_DEPTH) {
      throw new InvalidUseException(
          "nesting of groups: actual=more than " + MAX_DEPTH + ", expected=fewer");
    }
    boolean last = false;
    PageRequest order = tracked(walk, group);
    for (long position = 0; !last; ) {
      Page<LinkInfo> page = page(walk, group, order, position);
      for (LinkInfo link : page.entries()) {
        Location at = below(group, link.name());
        String path = prefix + link.name();
        int result = walk.visitor.visit(at, path, link);
        if (result == 0 && entersGroup(walk, at, link)) {
          result = visit(walk, at, path + "/", depth + 1);
        }
        if (result != 0) {
          return result;
        }
      }
      position += page.entries().size();
      last = page.last() || page.entries().isEmpty();
    }
    return 0;
  }

  private static boolean entersGroup(Walk walk, Location at, LinkInfo link) {
    if (link.kind() != LinkKind.HARD) {
      return false;
    }
    ObjectInfo info = walk.file.call(new ObjectOperation.Describe(at));
    return info.kind() == ObjectKind.GROUP && walk.entered.add(info.token());
  }

  /** {@code H5VL_object_visit_args_t}. */
  long objects(LocationResolver.Place place, long args) {
    PageRequest order = LocationResolver.order(RawMemory.getInt(args), RawMemory.getInt(args + 4));
    CFunction operator = CFunction.at(RawMemory.getLong(args + 16));
    long context = RawMemory.getLong(args + 24);
    OpenedFile file = place.file();
    ObjectInfo start = file.call(new ObjectOperation.Describe(place.at()));
    long id = open(file, place.at(), null);
    try (Arena arena = Arena.ofConfined()) {
      long record = arena.allocate(OBJECT_INFO_BYTES, 8).address();
      Set<ObjectToken> seen = new HashSet<>(List.of(start.token()));
      ObjectCallbacks.put(start, record);
      int result = call(operator, id, ".", record, context);
      if (result != 0 || start.kind() != ObjectKind.GROUP) {
        return result;
      }
      Visitor visitor =
          (at, path, link) -> {
            if (link.kind() != LinkKind.HARD || !seen.add(link.token())) {
              return 0;
            }
            ObjectCallbacks.put(file.call(new ObjectOperation.Describe(at)), record);
            return call(operator, id, path, record, context);
          };
      Set<ObjectToken> entered = new HashSet<>(List.of(start.token()));
      return visit(new Walk(file, order, visitor, entered), place.at(), "", 0);
    } finally {
      bridge.hdf5.call(Hdf5Function.I_DECREASE, id);
    }
  }
}
