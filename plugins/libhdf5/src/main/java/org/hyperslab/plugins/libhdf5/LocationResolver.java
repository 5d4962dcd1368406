package org.hyperslab.plugins.libhdf5;

import java.util.List;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/**
 * Resolves {@code H5VL_loc_params_t}: the object itself, or an object by path, by its position
 * among the links of a group, or by token.
 *
 * <pre>
 *   0          4       8
 *   +----------+-------+--------------------------------------------------------+
 *   | obj_type | kind  | name: path, lapl                                       |
 *   |          |       | index: path, index (4), order (4), n, lapl             |
 *   |          |       | token: pointer                                         |
 *   +----------+-------+--------------------------------------------------------+
 * </pre>
 */
final class LocationResolver {

  private static final int BY_SELF = 0;
  private static final int BY_NAME = 1;
  private static final int BY_INDEX = 2;
  private static final int BY_TOKEN = 3;
  private static final int PARAMETERS = 8;
  private static final int DESCENDING = 1;
  private static final int CREATION_ORDER = 1;

  private final AccessLists access;
  private final PointerTable objects;

  LocationResolver(AccessLists access, PointerTable objects) {
    this.access = access;
    this.objects = objects;
  }

  /** A location, and the handle that was opened to reach it, which {@code close} releases. */
  record Place(OpenedFile file, Location at, Handle opened) implements AutoCloseable {
    @Override
    public void close() {
      if (opened != null) {
        file.submit(new ObjectOperation.Close(opened));
      }
    }

    /** Returns the location at a path relative to this one; this location if the path is null. */
    Location below(String path) {
      if (path == null || path.isEmpty() || path.equals(".")) {
        return at;
      }
      if (at.isBase() || path.startsWith("/")) {
        return new Location(at.base(), path);
      }
      return new Location(at.base(), at.path() + "/" + path);
    }
  }

  /** Returns the location that the parameters specify, relative to an object. */
  Place resolve(long object, long parameters) {
    BridgeObject base = objects.get(object);
    OpenedFile file = base.file();
    return switch (RawMemory.getInt(parameters + 4)) {
      case BY_NAME -> {
        access.require(getPointer(parameters, 8), file);
        yield new Place(file, named(base, RawMemory.text(getPointer(parameters, 0))), null);
      }
      case BY_INDEX -> new Place(file, byIndex(base, parameters), null);
      case BY_TOKEN -> byToken(base, token(getPointer(parameters, 0)));
      case BY_SELF -> new Place(file, Location.of(base.handle()), null);
      default ->
          throw new org.hyperslab.error.InvalidUseException(
              "location: actual=kind " + RawMemory.getInt(parameters + 4) + ", expected=0..3");
    };
  }

  private static long getPointer(long parameters, int offset) {
    return RawMemory.getLong(parameters + PARAMETERS + offset);
  }

  private static Location named(BridgeObject base, String path) {
    return new Location(base.handle(), path == null ? "." : path);
  }

  private Place byToken(BridgeObject base, ObjectToken token) {
    Handle handle = Handle.fresh();
    OpenedFile file = base.file();
    file.call(new ObjectOperation.OpenToken(handle, file.handle(), token));
    return new Place(file, Location.of(handle), handle);
  }

  private Location byIndex(BridgeObject base, long parameters) {
    access.require(getPointer(parameters, 24), base.file());
    Location group = named(base, RawMemory.text(getPointer(parameters, 0)));
    LinkInfo link = link(base.file(), group, order(parameters), index(parameters));
    return group.isBase()
        ? new Location(group.base(), link.name())
        : new Location(group.base(), group.path() + "/" + link.name());
  }

  /** Returns the group in which a location by index selects a link or attribute. */
  Place group(long object, long parameters) {
    BridgeObject base = objects.get(object);
    access.require(getPointer(parameters, 24), base.file());
    return new Place(base.file(), named(base, RawMemory.text(getPointer(parameters, 0))), null);
  }

  static boolean isByIndex(long parameters) {
    return RawMemory.getInt(parameters + 4) == BY_INDEX;
  }

  static long index(long parameters) {
    return getPointer(parameters, 16);
  }

  static PageRequest order(long parameters) {
    int words = PARAMETERS + 8;
    return order(RawMemory.getInt(parameters + words), RawMemory.getInt(parameters + words + 4));
  }

  /** Returns the first page in an order of {@code H5_index_t} and {@code H5_iter_order_t}. */
  static PageRequest order(int index, int order) {
    return new PageRequest(
        index == CREATION_ORDER ? IterationIndex.CREATION_ORDER : IterationIndex.NAME,
        order == DESCENDING,
        0,
        PageRequest.DEFAULT_LIMIT);
  }

  static LinkInfo link(OpenedFile file, Location group, PageRequest order, long n) {
    Page<LinkInfo> page = file.call(new LinkOperation.ListLinks(group, single(order, n)));
    return first(page.entries(), n, "link");
  }

  static AttributeInfo attribute(OpenedFile file, Location object, PageRequest order, long n) {
    PageRequest known = tracked(file, object, order);
    Page<AttributeInfo> page =
        file.call(new AttributeOperation.ListAttributes(object, single(known, n)));
    return first(page.entries(), n, "attribute");
  }

  /**
   * Returns the requested order, or the order by name if the object does not track the creation
   * order of its attributes. libhdf5 numbers such attributes in an unspecified order.
   */
  static PageRequest tracked(OpenedFile file, Location object, PageRequest order) {
    return order.index() == IterationIndex.CREATION_ORDER
            && !file.call(new ObjectOperation.Describe(object)).creationOrderTracked()
        ? new PageRequest(IterationIndex.NAME, order.descending(), 0, order.limit())
        : order;
  }

  private static PageRequest single(PageRequest order, long n) {
    return new PageRequest(order.index(), order.descending(), Math.max(n, 0), 1);
  }

  private static <T> T first(List<T> entries, long n, String what) {
    if (entries.isEmpty()) {
      throw new NotFoundException(
          what
              + " by index: actual="
              + Long.toUnsignedString(n)
              + ", expected=less than the number of "
              + what
              + "s");
    }
    return entries.getFirst();
  }

  /** Returns the token at an address; its upper eight bytes are not used. */
  static ObjectToken token(long address) {
    return new ObjectToken(RawMemory.getLong(address));
  }

  /** Stores a token. */
  static void putToken(long address, ObjectToken token) {
    RawMemory.setLong(address, token.address());
    RawMemory.setLong(address + 8, 0);
  }
}
