package org.hyperslab.plugins.libhdf5.callback;

import java.time.Instant;
import java.util.Optional;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.LocationResolver;
import org.hyperslab.plugins.libhdf5.bridge.NativeInfo;
import org.hyperslab.plugins.libhdf5.bridge.ObjectOpening;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.object.IdType;
import org.hyperslab.plugins.libhdf5.object.Identifiers;
import org.hyperslab.plugins.libhdf5.object.OpenedPath;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/** The callbacks on objects of any kind ({@code H5VL_object_class_t}). */
public final class ObjectCallbacks {

  static final int GET_COMMENT = 0;
  static final int SET_COMMENT = 1;
  static final int GET_NATIVE_INFO = 5;

  private final Bridge bridge;
  private final ObjectOpening opening;
  private final GroupCallbacks groups;
  private final GroupWalker walker;

  public ObjectCallbacks(
      Bridge bridge, ObjectOpening opening, GroupCallbacks groups, GroupWalker walker) {
    this.bridge = bridge;
    this.opening = opening;
    this.groups = groups;
    this.walker = walker;
  }

  /** Answers the callback {@code object.open} of libhdf5. */
  public long open(long base, long parameters, long typeOut) {
    try (LocationResolver.Place place = bridge.locations.resolve(base, parameters)) {
      OpenedFile file = place.file();
      Handle handle = Handle.fresh();
      ObjectInfo info = file.call(new ObjectOperation.Open(handle, place.at()));
      RawMemory.setInt(typeOut, IdType.of(info.kind()));
      Optional<LocationResolver.Place> own = bridge.locations.inOwnFile(place, info);
      if (own.isPresent()) {
        file.submit(new ObjectOperation.Close(handle));
        return openThere(own.get());
      }
      OpenedPath path =
          place.opened() == null
              ? ObjectOpening.path(bridge.objects.get(base), place.named())
              : null;
      return bridge.objects.add(Identifiers.opened(file, handle, info, path, place.opening()));
    }
  }

  /** Opens an object in another file than that in which its path begins. */
  private long openThere(LocationResolver.Place own) {
    try (own) {
      Handle handle = Handle.fresh();
      ObjectInfo info = own.file().call(new ObjectOperation.Open(handle, own.at()));
      return bridge.objects.add(Identifiers.opened(own.file(), handle, info, null, own.opening()));
    }
  }

  /** The source and destination of a copy. */
  public record Copying(
      long source,
      long sourceParameters,
      long sourceName,
      long target,
      long targetParameters,
      long targetName) {}

  /** Answers the callback {@code object.copy} of libhdf5. */
  public long copy(Copying copying, long copyList, long linkList, long request) {
    try (LocationResolver.Place from =
            bridge.locations.named(
                copying.source,
                copying.sourceParameters,
                RawMemory.text(copying.sourceName),
                Hdf5Calls.DEFAULT,
                true);
        LocationResolver.Place to =
            bridge.locations.named(
                copying.target,
                copying.targetParameters,
                RawMemory.text(copying.targetName),
                Hdf5Calls.DEFAULT,
                false)) {
      if (from.file().connector() != to.file().connector()) {
        throw new UnsupportedFeatureException(
            "copy: actual=source and target files opened by different connectors, expected=both by"
                + " the same connector, at="
                + to.file().name());
      }
      bridge.run(
          to.file(),
          new ObjectOperation.Copy(
              from.at(),
              to.at(),
              bridge.properties.copy(copyList),
              bridge.properties.link(linkList)),
          request);
    }
    return 0;
  }

  /** Answers the callback {@code object.get} of libhdf5. */
  public long get(long base, long parameters, long args) {
    switch (RawMemory.getInt(args)) {
      case 0 -> RawMemory.setLong(RawMemory.getLong(args + 8), fileOf(bridge.objects.get(base)));
      case 1 -> {
        String name = name(base, parameters).orElse("");
        int length =
            RawMemory.putText(name, RawMemory.getLong(args + 16), RawMemory.getLong(args + 8));
        RawMemory.setLong(RawMemory.getLong(args + 24), length);
      }
      case 2 ->
          RawMemory.setInt(
              RawMemory.getLong(args + 8), describe(base, parameters).kind().ordinal());
      case 3 -> put(describe(base, parameters), RawMemory.getLong(args + 16));
      default -> throw FileCallbacks.unknown("get of an object", RawMemory.getInt(args));
    }
    return 0;
  }

  /** Returns the pointer by which libhdf5 knows the file through which an object was opened. */
  private long fileOf(BridgeObject object) {
    return bridge
        .objects
        .fileOf(object.opening())
        .orElseGet(() -> {
          object.file().use();
          return bridge.objects.addFile(object.file(), object.opening());
        });
  }

  private ObjectInfo describe(long base, long parameters) {
    try (LocationResolver.Place place = bridge.locations.resolve(base, parameters)) {
      return place.file().call(new ObjectOperation.Describe(place.at()));
    }
  }

  private Optional<String> name(long base, long parameters) {
    BridgeObject object = bridge.objects.get(base);
    try (LocationResolver.Place place = bridge.locations.resolve(base, parameters)) {
      if (place.at().isBase() && place.opened() == null) {
        if (object instanceof BridgeObject.OfFile) {
          return Optional.of("/");
        }
        Optional<String> abroad = nameInOtherFile(object, place);
        if (abroad.isPresent()) {
          return abroad;
        }
        if (object instanceof BridgeObject.OfObject o
            && o.path() != null
            && (leadsTo(object, o.path(), place, true)
                || (!bridge.mounts.isEmpty() && leadsTo(object, o.path(), place, false))
                || leadsToWithinItsFile(o))) {
          return Optional.of(o.path());
        }
      }
      ObjectInfo info = place.file().call(new ObjectOperation.Describe(place.at()));
      return place
          .file()
          .call(new ObjectOperation.PathOf(place.file().handle(), info.token()))
          .map(path -> bridge.locations.fromTop(path, place.opening()))
          .filter(path -> bridge.mounts.isEmpty() || leadsTo(object, path, place, true));
    }
  }

  /**
   * Returns whether the path of an object leads to it from the root of its own file, which is
   * mounted: as in libhdf5, an object that was opened before keeps its name.
   */
  private boolean leadsToWithinItsFile(BridgeObject.OfObject object) {
    boolean mounted = bridge.mounts.of(object.opening()).isPresent();
    if (!mounted || !bridge.mounts.below(object.file()).isEmpty()) { // which may hide it
      return false;
    }
    try {
      OpenedFile file = object.file();
      Location named = new Location(file.handle(), object.path());
      return file.call(new ObjectOperation.Describe(named))
          .token()
          .equals(file.call(new ObjectOperation.Describe(Location.of(object.handle()))).token());
    } catch (HyperslabException notReached) {
      return false;
    }
  }

  /**
   * Returns the path of an object in its own file, if external links lead there. As in libhdf5, an
   * object behind a soft link has the name of that link.
   */
  private Optional<String> nameInOtherFile(BridgeObject object, LocationResolver.Place place) {
    if (!(object instanceof BridgeObject.OfObject opened)) {
      return Optional.empty();
    }
    OpenedFile file = place.file();
    ObjectInfo info = file.call(new ObjectOperation.Describe(place.at()));
    return info.fileNumber() == file.info().fileNumber() || isSoft(opened)
        ? Optional.empty()
        : file.call(new ObjectOperation.PathOf(opened.handle(), info.token()));
  }

  private boolean isSoft(BridgeObject.OfObject object) {
    if (object.path() == null) {
      return false;
    }
    LocationResolver.Place link = bridge.locations.fromRoot(object, object.path(), false);
    try {
      return link.file().call(new LinkOperation.Describe(link.at())).kind() == LinkKind.SOFT;
    } catch (HyperslabException noLink) {
      return false;
    }
  }

  /**
   * Returns whether a path from the topmost root refers to an object; a mount may hide it.
   *
   * @param follow whether the last name is followed to what is mounted there
   */
  private boolean leadsTo(
      BridgeObject base, String path, LocationResolver.Place object, boolean follow) {
    try {
      LocationResolver.Place there = bridge.locations.fromRoot(base, path, follow);
      return there.file() == object.file() && described(there).equals(described(object));
    } catch (HyperslabException notReached) {
      return false;
    }
  }

  private static ObjectToken described(LocationResolver.Place place) {
    return place.file().call(new ObjectOperation.Describe(place.at())).token();
  }

  /** Stores an {@code H5O_info2_t}. */
  static void put(ObjectInfo info, long out) {
    RawMemory.setLong(out, info.fileNumber());
    LocationResolver.putToken(out + 8, info.token());
    RawMemory.setInt(out + 24, info.kind().ordinal());
    RawMemory.setInt(out + 28, (int) info.referenceCount());
    long seconds = info.modified().map(Instant::getEpochSecond).orElse(0L);
    for (int i = 0; i < 4; i++) {
      RawMemory.setLong(out + 32 + 8L * i, seconds);
    }
    RawMemory.setLong(out + 64, info.attributeCount());
  }

  /** Answers the callback {@code object.specific} of libhdf5. */
  public long specific(long base, long parameters, long args, long request) {
    int operation = RawMemory.getInt(args);
    switch (operation) {
      case 0 -> countReferences(base, parameters, RawMemory.getInt(args + 8));
      case 1 -> RawMemory.setBool(RawMemory.getLong(args + 8), exists(base, parameters));
      case 2 ->
          LocationResolver.putToken(
              RawMemory.getLong(args + 8), describe(base, parameters).token());
      case 3 -> {
        try (LocationResolver.Place place = bridge.locations.resolve(base, parameters)) {
          return walker.objects(place, args + 8);
        }
      }
      case 4 -> groups.flush(bridge.objects.get(base), request);
      case 5 -> groups.refresh(bridge.objects.get(base), request);
      default -> throw FileCallbacks.unknown("operation on an object", operation);
    }
    return 0;
  }

  private void countReferences(long base, long parameters, int change) {
    try (LocationResolver.Place place = bridge.locations.resolve(base, parameters)) {
      for (int i = 0; i < Math.abs(change); i++) {
        place.file().call(new ObjectOperation.CountReference(place.at(), change > 0));
      }
    }
  }

  private boolean exists(long base, long parameters) {
    try {
      describe(base, parameters);
      return true;
    } catch (NotFoundException dangling) {
      return false;
    }
  }

  /** Answers the callback {@code object.optional} of libhdf5. */
  public long optional(long base, long parameters, long args) {
    long a = RawMemory.getLong(args + 8);
    try (LocationResolver.Place place = bridge.locations.resolve(base, parameters)) {
      switch (RawMemory.getInt(args)) {
        case GET_COMMENT -> {
          String comment =
              place.file().call(new ObjectOperation.Describe(place.at())).comment().orElse("");
          int length = RawMemory.fillText(comment, RawMemory.getLong(a + 8), RawMemory.getLong(a));
          RawMemory.setLong(RawMemory.getLong(a + 16), length);
        }
        case SET_COMMENT ->
            place
                .file()
                .call(
                    new ObjectOperation.SetComment(
                        place.at(),
                        Optional.ofNullable(RawMemory.text(RawMemory.getLong(a)))
                            .filter(text -> !text.isEmpty())));
        case GET_NATIVE_INFO ->
            NativeInfo.put(place, RawMemory.getInt(a), RawMemory.getLong(a + 8));
        default ->
            throw FileCallbacks.unknown("optional operation of an object", RawMemory.getInt(args));
      }
    }
    return 0;
  }
}
