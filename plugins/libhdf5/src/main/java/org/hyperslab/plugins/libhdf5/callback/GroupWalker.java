package org.hyperslab.plugins.libhdf5.callback;

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
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.LocationResolver;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.Identifiers;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/**
 * Walks over links and objects and calls the program's functions: {@code H5Literate}, {@code
 * H5Lvisit} and {@code H5Ovisit}. Groups with several hard links are entered once.
 */
public final class GroupWalker {

  /** The deepest nesting of groups that is followed. */
  private static final int MAX_DEPTH = 1024;

  private static final int LINK_INFO_BYTES = 40;
  private static final int OBJECT_INFO_BYTES = 72;

  private final Bridge bridge;

  public GroupWalker(Bridge bridge) {
    this.bridge = bridge;
  }

  /** Receives each link or object of a group; a result other than 0 ends the walk. */
  private interface Visitor {
    int visit(LocationResolver.Place group, String path, LinkInfo link);
  }

  /** An object of a file. */
  private record Known(OpenedFile file, ObjectToken token) {}

  /** One walk, and the groups that it has entered. */
  private record Walk(PageRequest order, Visitor visitor, Set<Known> entered) {}

  /** Iterates over the links of a group, with arguments of {@code H5VL_link_iterate_args_t}. */
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
          (group, path, link) -> {
            LinkCallbacks.put(bridge.userLinks, link, record);
            return call(operator, id, path, record, context);
          };
      Walk walk = new Walk(order, visitor, new HashSet<>());
      if (recursive) {
        walk.entered.add(known(place, describe(place)));
        return visit(walk, place, "", 0);
      }
      return iterate(walk, place, indexAt);
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
          (group, path, link) -> {
            try (Arena arena = Arena.ofConfined()) {
              return (int) operator.call(id, RawMemory.name(path, arena).address(), context);
            }
          };
      Walk walk = new Walk(LocationResolver.order(0, 0), visitor, new HashSet<>());
      long result = iterate(walk, place, args);
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

  private static ObjectInfo describe(LocationResolver.Place place) {
    return place.file().call(new ObjectOperation.Describe(place.at()));
  }

  private static Known known(LocationResolver.Place place, ObjectInfo info) {
    return new Known(place.file(), info.token());
  }

  private static long iterate(Walk walk, LocationResolver.Place group, long indexAt) {
    long index = indexAt == 0 ? 0 : RawMemory.getLong(indexAt);
    if (index < 0) {
      throw beyond(index);
    }
    long position = index;
    int result = 0;
    boolean last = false;
    while (!last && result == 0) {
      Page<LinkInfo> page = page(group, walk.order, position);
      if (position == index && index > 0 && page.entries().isEmpty()) {
        throw beyond(index);
      }
      for (LinkInfo link : page.entries()) {
        position++;
        result = walk.visitor.visit(group, link.name(), link);
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

  private static Page<LinkInfo> page(
      LocationResolver.Place group, PageRequest order, long position) {
    return group
        .file()
        .call(
            new LinkOperation.ListLinks(
                group.at(),
                new PageRequest(order.index(), order.descending(), position, order.limit())));
  }

  /**
   * Returns the requested order, or the order by name in groups that do not track creation order.
   */
  private static PageRequest tracked(Walk walk, LocationResolver.Place group) {
    return walk.order.index() == IterationIndex.CREATION_ORDER
            && !group
                .file()
                .call(new GroupOperation.Describe(group.at()))
                .options()
                .creationOrderTracked()
        ? new PageRequest(IterationIndex.NAME, walk.order.descending(), 0, walk.order.limit())
        : walk.order;
  }

  private int visit(Walk walk, LocationResolver.Place group, String prefix, int depth) {
    if (depth > MAX_DEPTH) {
      throw new InvalidUseException(
          "nesting of groups: actual=more than " + MAX_DEPTH + ", expected=fewer");
    }
    boolean last = false;
    PageRequest order = tracked(walk, group);
    for (long position = 0; !last; ) {
      Page<LinkInfo> page = page(group, order, position);
      for (LinkInfo link : page.entries()) {
        String path = prefix + link.name();
        int result = walk.visitor.visit(group, path, link);
        if (result == 0 && link.kind() == LinkKind.HARD) {
          LocationResolver.Place at = bridge.locations.within(group, link.name());
          if (entersGroup(walk, at)) {
            result = visit(walk, at, path + "/", depth + 1);
          }
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

  private static boolean entersGroup(Walk walk, LocationResolver.Place at) {
    ObjectInfo info = describe(at);
    return info.kind() == ObjectKind.GROUP && walk.entered.add(known(at, info));
  }

  /** Visits the objects below a location, with arguments of {@code H5VL_object_visit_args_t}. */
  long objects(LocationResolver.Place place, long args) {
    PageRequest order = LocationResolver.order(RawMemory.getInt(args), RawMemory.getInt(args + 4));
    CFunction operator = CFunction.at(RawMemory.getLong(args + 16));
    long context = RawMemory.getLong(args + 24);
    OpenedFile file = place.file();
    ObjectInfo start = file.call(new ObjectOperation.Describe(place.at()));
    long id = open(file, place.at(), null);
    try (Arena arena = Arena.ofConfined()) {
      long record = arena.allocate(OBJECT_INFO_BYTES, 8).address();
      Set<Known> seen = new HashSet<>(List.of(known(place, start)));
      ObjectCallbacks.put(start, record);
      int result = call(operator, id, ".", record, context);
      if (result != 0 || start.kind() != ObjectKind.GROUP) {
        return result;
      }
      Visitor visitor =
          (group, path, link) ->
              link.kind() == LinkKind.HARD && visitObject(group, link, seen, record)
                  ? call(operator, id, path, record, context)
                  : 0;
      Set<Known> entered = new HashSet<>(List.of(known(place, start)));
      return visit(new Walk(order, visitor, entered), place, "", 0);
    } finally {
      bridge.hdf5.call(Hdf5Function.I_DECREASE, id);
    }
  }

  /** Stores what is known of an object, unless it was visited before. */
  private boolean visitObject(
      LocationResolver.Place group, LinkInfo link, Set<Known> seen, long record) {
    if (bridge.mounts.isEmpty() && !seen.add(new Known(group.file(), link.token()))) {
      return false;
    }
    LocationResolver.Place at = bridge.locations.within(group, link.name());
    ObjectInfo info = describe(at);
    if (!bridge.mounts.isEmpty() && !seen.add(known(at, info))) {
      return false;
    }
    ObjectCallbacks.put(info, record);
    return true;
  }
}
