package org.hyperslab.plugins.libhdf5.callback;

import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.LocationResolver;
import org.hyperslab.plugins.libhdf5.bridge.MountCallbacks;
import org.hyperslab.plugins.libhdf5.bridge.ObjectOpening;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/** The callbacks on groups ({@code H5VL_group_class_t}). */
public final class GroupCallbacks {

  private final Bridge bridge;
  private final ObjectOpening opening;
  private final MountCallbacks mounts;

  public GroupCallbacks(Bridge bridge, ObjectOpening opening) {
    this.bridge = bridge;
    this.opening = opening;
    this.mounts = new MountCallbacks(bridge);
  }

  /** Answers the callback {@code group.create} of libhdf5. */
  public long create(
      long base,
      long parameters,
      long name,
      long linkList,
      long creationList,
      long accessList,
      long request) {
    bridge.access.require(accessList);
    BridgeObject from = bridge.objects.get(base);
    try (LocationResolver.Place place =
        bridge.locations.creation(from, parameters, RawMemory.text(name), accessList)) {
      Location at = place.at();
      return opening.add(
          place.file(),
          new GroupOperation.Create(
              Handle.fresh(),
              at,
              bridge.properties.group(creationList),
              bridge.properties.link(linkList)),
          ObjectKind.GROUP,
          name == 0 ? null : ObjectOpening.path(from, place.named()),
          new ObjectOpening.Extra(0, request, place.opening()));
    }
  }

  /** Answers the callback {@code group.open} of libhdf5. */
  public long open(long base, long parameters, long name, long accessList, long request) {
    bridge.access.require(accessList);
    return opening.open(
        base,
        parameters,
        name,
        ObjectKind.GROUP,
        accessList,
        new ObjectOpening.Extra(0, request, bridge.objects.get(base).opening()));
  }

  /** Answers the callback {@code group.get} of libhdf5. */
  public long get(long pointer, long args) {
    switch (RawMemory.getInt(args)) {
      case 0 -> {
        BridgeObject group = bridge.objects.get(pointer);
        Location at = Location.of(group.handle());
        GroupInfo info = group.file().call(new GroupOperation.Describe(at));
        ObjectInfo object = group.file().call(new ObjectOperation.Describe(at));
        // libhdf5 returns this for all headers that have no room for times.
        boolean old = object.header().version() == 1;
        RawMemory.setLong(
            args + 8, bridge.lists.group(old ? info.options().withTimes(true) : info.options()));
      }
      case 1 -> {
        try (LocationResolver.Place place = bridge.locations.resolve(pointer, args + 8)) {
          put(
              place.file().call(new GroupOperation.Describe(place.at())),
              isMountedOn(place),
              RawMemory.getLong(args + 48));
        }
      }
      default -> throw FileCallbacks.unknown("get of a group", RawMemory.getInt(args));
    }
    return 0;
  }

  private boolean isMountedOn(LocationResolver.Place place) {
    return !bridge.mounts.isEmpty()
        && bridge
            .mounts
            .on(place.file(), place.file().call(new ObjectOperation.Describe(place.at())).token())
            .isPresent();
  }

  private static void put(GroupInfo info, boolean mountedOn, long out) {
    RawMemory.setInt(
        out,
        switch (info.storage()) {
          case SYMBOL_TABLE -> 0;
          case COMPACT -> 1;
          case DENSE -> 2;
          case UNKNOWN -> -1;
        });
    RawMemory.setLong(out + 8, info.linkCount());
    RawMemory.setLong(out + 16, info.maximumCreationOrder());
    RawMemory.setBool(out + 24, mountedOn);
  }

  /** Answers the callback {@code group.specific} of libhdf5. */
  public long specific(long pointer, long args, long request) {
    BridgeObject group = bridge.objects.get(pointer);
    switch (RawMemory.getInt(args)) {
      case 0 ->
          mounts.mount(
              pointer, RawMemory.text(RawMemory.getLong(args + 8)), RawMemory.getLong(args + 16));
      case 1 -> mounts.unmount(pointer, RawMemory.text(RawMemory.getLong(args + 8)));
      case 2 -> flush(group, request);
      case 3 -> refresh(group, request);
      default -> throw FileCallbacks.unknown("operation on a group", RawMemory.getInt(args));
    }
    return 0;
  }

  /** Flushes an object, if its file is open for editing. */
  void flush(BridgeObject object, long request) {
    if (object.file().settings().writable()) {
      bridge.run(object.file(), new ObjectOperation.Flush(object.handle()), request);
    }
  }

  /** Discards the cached properties of an object; a file has none. */
  void refresh(BridgeObject object, long request) {
    if (object instanceof BridgeObject.OfObject o) {
      if (o.dataset() != null) {
        o.dataset().forget();
      }
      bridge.run(o.file(), new ObjectOperation.Refresh(o.handle()), request);
    }
  }
}
