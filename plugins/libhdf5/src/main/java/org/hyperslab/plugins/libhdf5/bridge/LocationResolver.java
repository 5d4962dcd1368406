package org.hyperslab.plugins.libhdf5.bridge;

import java.util.List;
import java.util.Optional;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.AccessLists;
import org.hyperslab.plugins.libhdf5.file.LinkAccess;
import org.hyperslab.plugins.libhdf5.file.Mounts;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.object.PointerTable;
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
public final class LocationResolver {

  private static final int BY_SELF = 0;
  private static final int BY_NAME = 1;
  private static final int BY_INDEX = 2;
  private static final int BY_TOKEN = 3;
  private static final int PARAMETERS = 8;
  private static final int DESCENDING = 1;
  private static final int CREATION_ORDER = 1;

  private final AccessLists access;
  private final PointerTable objects;
  private final Mounts mounts;
  private final UserLinks userLinks;
  private final FollowedPaths paths;

  LocationResolver(
      AccessLists access,
      PointerTable objects,
      Mounts mounts,
      ExternalTargets targets,
      UserLinks userLinks) {
    this.userLinks = userLinks;
    this.access = access;
    this.objects = objects;
    this.mounts = mounts;
    this.paths = new FollowedPaths(mounts, targets, userLinks);
  }

  /**
   * A location that a program has named, in the file that it leads to.
   *
   * @param file the file
   * @param at the location in the file
   * @param opened closes what was opened to reach it; null if nothing was
   * @param opening the number of the file identifier that it was reached through
   * @param named the location as the program named it, before mounts were followed
   */
  public record Place(OpenedFile file, Location at, Runnable opened, long opening, Location named)
      implements AutoCloseable {

    /** Creates a place that no mount leads to. */
    Place(OpenedFile file, Location at, Runnable opened, long opening) {
      this(file, at, opened, opening, at);
    }

    @Override
    public void close() {
      if (opened != null) {
        opened.run();
      }
    }

    /** Returns another location in the same file. */
    Place at(Location other) {
      return new Place(file, other, opened, opening);
    }

    /** Returns this place with the name that the program gave for it. */
    private Place named(Place asked) {
      return new Place(file, at, opened, opening, asked.at);
    }

    /** Returns the place at a path relative to this one; this place if the path is null. */
    private Place below(String path) {
      if (path == null || path.isEmpty() || path.equals(".")) {
        return this;
      }
      if (at.isBase() || path.startsWith("/")) {
        return at(new Location(at.base(), path));
      }
      return at(new Location(at.base(), at.path() + "/" + path));
    }
  }

  /** Returns the object that the parameters specify, relative to an object. */
  public Place resolve(long object, long parameters) {
    return resolve(objects.get(object), parameters, true);
  }

  /** Returns the link that the parameters specify, which is not followed to a mounted file. */
  public Place link(long object, long parameters) {
    return resolve(objects.get(object), parameters, false);
  }

  /**
   * Returns the place of a name below what the parameters specify.
   *
   * @param name the path; null for that place itself
   * @param accessList the access list with which links in the path are followed
   * @param follow whether the last name of a path is followed to a mounted file
   */
  public Place named(long object, long parameters, String name, long accessList, boolean follow) {
    return named(objects.get(object), parameters, name, accessList, follow);
  }

  private Place named(
      BridgeObject base, long parameters, String name, long accessList, boolean follow) {
    return RawMemory.getInt(parameters + 4) == BY_SELF
        ? byPath(base, name, accessList, follow)
        : find(resolve(base, parameters, true), false, name, accessList, follow);
  }

  /**
   * Returns the place where an object is created: that of a name below another; the empty path,
   * which makes no link, if the name is null.
   *
   * @param base the object that the parameters refer to
   * @param accessList the access list with which links in the path are followed
   */
  public Place creation(BridgeObject base, long parameters, String name, long accessList) {
    Place place = named(base, parameters, name, accessList, false);
    return name == null ? place.at(new Location(place.at().base(), "")) : place;
  }

  /** Returns the place at a path, relative to an object. */
  Place path(long object, String path) {
    return byPath(objects.get(object), path, Hdf5Calls.DEFAULT, true);
  }

  /** Returns the place at a path from the root of the topmost file of an object's hierarchy. */
  public Place fromRoot(BridgeObject object, String path, boolean follow) {
    Place root =
        new Place(object.file(), Location.of(object.file().handle()), null, object.opening());
    return isPlain()
        ? root.below(path)
        : paths.find(root, true, path, FollowedPaths.How.usual(follow));
  }

  /** Returns the place of a name in a group, in the file that is mounted there if one is. */
  public Place within(Place group, String name) {
    return isPlain()
        ? group.below(name)
        : paths.find(group, false, name, FollowedPaths.How.usual(true));
  }

  /** Returns the path of an object in its file as the program sees it, from the topmost file. */
  public String fromTop(String path, long opening) {
    return mounts.isEmpty() ? path : paths.fromTop(path, opening);
  }

  private Place resolve(BridgeObject base, long parameters, boolean follow) {
    return switch (RawMemory.getInt(parameters + 4)) {
      case BY_NAME -> {
        yield byPath(
            base, RawMemory.text(getPointer(parameters, 0)), getPointer(parameters, 8), follow);
      }
      case BY_INDEX -> byIndex(base, parameters, follow);
      case BY_TOKEN -> byToken(base, token(getPointer(parameters, 0)));
      case BY_SELF -> byPath(base, null, Hdf5Calls.DEFAULT, true);
      default ->
          throw new InvalidUseException(
              "location: actual=kind " + RawMemory.getInt(parameters + 4) + ", expected=0..3");
    };
  }

  private static long getPointer(long parameters, int offset) {
    return RawMemory.getLong(parameters + PARAMETERS + offset);
  }

  private Place byPath(BridgeObject base, String path, long accessList, boolean follow) {
    if (isPlain() && path != null && !path.isEmpty() && access.isDefault(accessList)) {
      return new Place(base.file(), new Location(base.handle(), path), null, base.opening());
    }
    Place place = new Place(base.file(), Location.of(base.handle()), null, base.opening());
    return find(place, base instanceof BridgeObject.OfFile, path, accessList, follow);
  }

  /** Returns whether connectors can follow paths, but for what access lists say. */
  private boolean isPlain() {
    return mounts.isEmpty() && !userLinks.areUsed();
  }

  /** Returns the place at a path, which is followed name by name if the connector cannot do it. */
  private Place find(Place from, boolean isFile, String path, long accessList, boolean follow) {
    LinkAccess links = access.links(accessList, from.file()).orElse(null);
    if (isPlain() && (links == null || !matters(links, from, path, follow))) {
      return from.below(path);
    }
    Place found = paths.find(from, isFile, path, new FollowedPaths.How(links, accessList, follow));
    boolean inHierarchy = found.opened() == from.opened();
    return inHierarchy ? found.named(from.below(path)) : found;
  }

  /**
   * Returns whether it matters how links are followed: unless an object of the same file is at the
   * end of the path.
   */
  private static boolean matters(LinkAccess links, Place from, String path, boolean follow) {
    String followed = follow || path == null ? path : path.substring(0, path.lastIndexOf('/') + 1);
    if (followed == null || followed.isEmpty() || links.limit() < LinkAccess.DEFAULT_LIMIT) {
      return followed != null && !followed.isEmpty();
    }
    try {
      Location end = from.below(followed).at();
      return from.file().call(new ObjectOperation.Describe(end)).fileNumber()
          != from.file().info().fileNumber();
    } catch (HyperslabException notReached) {
      return true;
    }
  }

  /**
   * Returns the place of an object in its own file, if a connector followed external links to it
   * from another one; empty if that file cannot be opened here.
   *
   * @param place a place that the connector found by a path
   * @param found the object there
   */
  public Optional<Place> inOwnFile(Place place, ObjectInfo found) {
    if (found.fileNumber() == place.file().info().fileNumber() || place.at().isBase()) {
      return Optional.empty();
    }
    Place from = new Place(place.file(), Location.of(place.at().base()), null, place.opening());
    FollowedPaths.How how = new FollowedPaths.How(LinkAccess.USUAL, Hdf5Calls.DEFAULT, true);
    try {
      Place own = paths.find(from, false, place.at().path(), how);
      if (own.file() != place.file()) {
        return Optional.of(own);
      }
      own.close();
    } catch (HyperslabException notHere) {
      // The file is where the connector is.
    }
    return Optional.empty();
  }

  private Place byToken(BridgeObject base, ObjectToken token) {
    Handle handle = Handle.fresh();
    OpenedFile file = base.file();
    file.call(new ObjectOperation.OpenToken(handle, file.handle(), token));
    return new Place(
        file,
        Location.of(handle),
        () -> file.submit(new ObjectOperation.Close(handle)),
        base.opening());
  }

  private Place byIndex(BridgeObject base, long parameters, boolean follow) {
    long list = getPointer(parameters, 24);
    Place group = byPath(base, RawMemory.text(getPointer(parameters, 0)), list, true);
    LinkInfo link = link(group.file(), group.at(), order(parameters), index(parameters));
    return find(group, false, link.name(), list, follow);
  }

  /** Returns the group in which a location by index selects a link or attribute. */
  public Place group(long object, long parameters) {
    BridgeObject base = objects.get(object);
    return byPath(
        base, RawMemory.text(getPointer(parameters, 0)), getPointer(parameters, 24), true);
  }

  /** Returns whether the location is a number in an index. */
  public static boolean isByIndex(long parameters) {
    return RawMemory.getInt(parameters + 4) == BY_INDEX;
  }

  /** Returns the number of the entry, counted from 0. */
  public static long index(long parameters) {
    return getPointer(parameters, 16);
  }

  /** Returns the order in which entries are counted. */
  public static PageRequest order(long parameters) {
    int words = PARAMETERS + 8;
    return order(RawMemory.getInt(parameters + words), RawMemory.getInt(parameters + words + 4));
  }

  /** Returns the first page in an order of {@code H5_index_t} and {@code H5_iter_order_t}. */
  public static PageRequest order(int index, int order) {
    return new PageRequest(
        index == CREATION_ORDER ? IterationIndex.CREATION_ORDER : IterationIndex.NAME,
        order == DESCENDING,
        0,
        PageRequest.DEFAULT_LIMIT);
  }

  /** Returns the link with a number in an order. */
  public static LinkInfo link(OpenedFile file, Location group, PageRequest order, long n) {
    Page<LinkInfo> page = file.call(new LinkOperation.ListLinks(group, single(order, n)));
    return first(page.entries(), n, "link");
  }

  /** Returns the attribute with a number in an order. */
  public static AttributeInfo attribute(
      OpenedFile file, Location object, PageRequest order, long n) {
    Page<AttributeInfo> page =
        file.call(new AttributeOperation.ListAttributes(object, single(order, n), true));
    return first(page.entries(), n, "attribute");
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
  public static void putToken(long address, ObjectToken token) {
    RawMemory.setLong(address, token.address());
    RawMemory.setLong(address + 8, 0);
  }
}
