package org.hyperslab.plugins.libhdf5.bridge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.LinkData;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.object.Identifiers;
import org.hyperslab.plugins.libhdf5.object.PointerTable;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/**
 * Calls the functions of link classes that the program registered with {@code H5Lregister}: when a
 * link is created, copied, moved, deleted, asked for its value, or followed. No public function of
 * libhdf5 returns a class, but its shared library exports {@code H5L_find_class}.
 *
 * <p>{@code H5L_class_t}, of which each function may be null:
 *
 * <pre>
 *   0         4      8          16       24     32     40         48       56
 *   | version | id   | comment  | create | move | copy | traverse | delete | query |
 * </pre>
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class UserLinks {

  private static final int FIRST_CLASS = 65;
  private static final int LAST_CLASS = 255;
  private static final int CREATE = 16;
  private static final int MOVE = 24;
  private static final int COPY = 32;
  private static final int TRAVERSE = 40;
  private static final int DELETE = 48;
  private static final int QUERY = 56;

  private final Hdf5Calls hdf5;
  private final PointerTable objects;

  /** Whether a class was seen; the program's classes are looked up only from then on. */
  private volatile boolean used;

  UserLinks(Hdf5Calls hdf5, PointerTable objects) {
    this.hdf5 = hdf5;
    this.objects = objects;
  }

  /** Returns whether paths must be followed here, because the program has classes of links. */
  public boolean areUsed() {
    return used;
  }

  /**
   * Returns whether the program has classes of links, and this was not known before. Called after
   * the connector refused to follow a link.
   */
  public boolean discover() {
    if (used || !hdf5.has(Hdf5Function.L_FIND_CLASS)) {
      return false;
    }
    for (int i = FIRST_CLASS; i <= LAST_CLASS && !used; i++) {
      used = hdf5.status(Hdf5Function.L_IS_REGISTERED, i) > 0;
    }
    return used;
  }

  /**
   * Fails if a link of a class cannot be created.
   *
   * @throws InvalidUseException if the program has not registered the class
   */
  public void requireRegistered(int linkClass) {
    if (linkClass >= FIRST_CLASS && hdf5.status(Hdf5Function.L_IS_REGISTERED, linkClass) == 0) {
      throw new InvalidUseException(
          "class of user-defined link: actual="
              + linkClass
              + ", which is not registered, expected=one that H5Lregister was called with");
    }
  }

  /** Returns the address of a function of a class; 0 if there is no class, or it has none. */
  private long function(int linkClass, int offset) {
    long found = find(linkClass);
    return found == 0 ? 0 : RawMemory.getLong(found + offset);
  }

  /** Returns the address of a class; 0 if the program has not registered it. */
  private long find(int linkClass) {
    if (linkClass < FIRST_CLASS
        || !hdf5.has(Hdf5Function.L_FIND_CLASS)
        || hdf5.status(Hdf5Function.L_IS_REGISTERED, linkClass) <= 0) {
      return 0;
    }
    used = true;
    return hdf5.call(Hdf5Function.L_FIND_CLASS, linkClass);
  }

  /**
   * Calls the function for a link that was created.
   *
   * @param link where it was created
   * @param linkClass its class
   * @param data its value
   */
  public void created(LocationResolver.Place link, int linkClass, LinkData data) {
    placed("creation", CREATE, link, linkClass, data);
  }

  /** Calls the function for a link that was copied or moved to a new place. */
  public void placed(boolean moved, LocationResolver.Place link, LinkInfo info) {
    if (info.kind() == LinkKind.USER_DEFINED) {
      placed(moved ? "move" : "copy", moved ? MOVE : COPY, link, info.userClass(), info.userData());
    }
  }

  private void placed(
      String what, int offset, LocationResolver.Place link, int linkClass, LinkData data) {
    long function = function(linkClass, offset);
    if (function == 0) {
      return;
    }
    String path = link.at().path();
    int slash = path.lastIndexOf('/');
    String group = slash < 0 ? "" : slash == 0 ? "/" : path.substring(0, slash);
    long id = identifier(link, new Location(link.at().base(), group));
    try {
      int result = (int) call(function, path.substring(slash + 1), id, data, 0, 0);
      requireSuccess(result, what, link, path);
    } finally {
      hdf5.call(Hdf5Function.I_DECREASE, id);
    }
  }

  /** Calls the function for a link that is about to be deleted, or was moved; it may refuse. */
  public void deleted(LocationResolver.Place link, LinkInfo info) {
    long function = info.kind() == LinkKind.USER_DEFINED ? function(info.userClass(), DELETE) : 0;
    if (function == 0) {
      return;
    }
    long id = identifier(link, new Location(link.at().base(), "/"));
    try {
      int result = (int) call(function, info.name(), id, info.userData(), 0, 0);
      requireSuccess(result, "deletion", link, info.name());
    } finally {
      hdf5.call(Hdf5Function.I_DECREASE, id);
    }
  }

  private static void requireSuccess(
      int result, String what, LocationResolver.Place link, String name) {
    if (result < 0) {
      throw new InvalidUseException(
          what
              + " of a user-defined link: actual=refused by the function of its class,"
              + " expected=a result of at least 0, at="
              + link.file().name()
              + " "
              + name);
    }
  }

  /**
   * Returns the length of a link's value as its class states it, and stores the value. A class
   * without a function for that has links without values.
   *
   * @param buffer the address at which the value is stored; 0 for none
   * @param size the room there in bytes
   * @return the length in bytes; empty if the link's class is not registered
   */
  public Optional<Long> value(LinkInfo info, long buffer, long size) {
    long found = info.kind() == LinkKind.USER_DEFINED ? find(info.userClass()) : 0;
    if (found == 0) {
      return Optional.empty();
    }
    long function = RawMemory.getLong(found + QUERY);
    if (function == 0) {
      return Optional.of(0L);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = copy(info.userData(), arena);
      long length =
          CFunction.call(
              function,
              RawMemory.name(info.name(), arena).address(),
              data.address(),
              info.userData().size(),
              buffer,
              size,
              0,
              0,
              0);
      if (length < 0) {
        throw new InvalidUseException(
            "value of the user-defined link "
                + info.name()
                + ": actual=refused by the function of its class, expected=a length");
      }
      return Optional.of(length);
    }
  }

  /**
   * Follows a link.
   *
   * @param group the group with the link
   * @param link the link
   * @param accessList the access list of the path
   * @return what it leads to; empty if the link has no class with such a function
   */
  Optional<LocationResolver.Place> follow(
      LocationResolver.Place group, LinkInfo link, long accessList) {
    long function = function(link.userClass(), TRAVERSE);
    if (function == 0) {
      return Optional.empty();
    }
    long list =
        accessList == Hdf5Calls.DEFAULT ? hdf5.known("H5P_LST_LINK_ACCESS_ID_g") : accessList;
    long id = identifier(group, group.at());
    long reached;
    try {
      reached =
          call(
              function,
              link.name(),
              id,
              link.userData(),
              list,
              hdf5.known("H5P_LST_DATASET_XFER_ID_g"));
    } finally {
      hdf5.call(Hdf5Function.I_DECREASE, id);
    }
    if (reached < 0) {
      throw new NotFoundException(
          "user-defined link: actual=the function of class "
              + link.userClass()
              + " found nothing, expected=an object, at="
              + group.file().name()
              + " "
              + link.name());
    }
    return Optional.of(place(reached, link));
  }

  /** Returns the place of an object that a program's function has opened. */
  private LocationResolver.Place place(long id, LinkInfo link) {
    Optional<BridgeObject> object = objects.find(hdf5.call(Hdf5Function.VL_OBJECT, id));
    if (object.isEmpty()) {
      hdf5.call(Hdf5Function.I_DECREASE, id);
      throw new UnsupportedFeatureException(
          "user-defined link "
              + link.name()
              + ": actual=leads to an object of another connector, expected=of this one");
    }
    return new LocationResolver.Place(
        object.get().file(),
        Location.of(object.get().handle()),
        () -> hdf5.call(Hdf5Function.I_DECREASE, id),
        object.get().opening());
  }

  /** Returns an identifier of the group at a location, which the caller releases. */
  private long identifier(LocationResolver.Place place, Location group) {
    Handle handle = Handle.fresh();
    ObjectInfo info = place.file().call(new ObjectOperation.Open(handle, group));
    BridgeObject.OfObject object =
        Identifiers.opened(place.file(), handle, info, null, place.opening());
    return hdf5.id(Hdf5Function.VL_WRAP_REGISTER, objects.add(object), object.type());
  }

  private static long call(
      long function, String name, long id, LinkData data, long sixth, long seventh) {
    try (Arena arena = Arena.ofConfined()) {
      return CFunction.call(
          function,
          RawMemory.name(name, arena).address(),
          id,
          copy(data, arena).address(),
          data.size(),
          sixth,
          seventh,
          0,
          0);
    }
  }

  private static MemorySegment copy(LinkData data, Arena arena) {
    MemorySegment copy = arena.allocate(Math.max(1, data.size()));
    MemorySegment.copy(data.toByteArray(), 0, copy, ValueLayout.JAVA_BYTE, 0, data.size());
    return copy;
  }
}
