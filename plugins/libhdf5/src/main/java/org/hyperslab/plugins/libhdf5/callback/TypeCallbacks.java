package org.hyperslab.plugins.libhdf5.callback;

import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.LocationResolver;
import org.hyperslab.plugins.libhdf5.bridge.ObjectOpening;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.translate.TypeTranslator;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.TypeOperation;

/** The callbacks on committed types ({@code H5VL_datatype_class_t}). */
public final class TypeCallbacks {

  private final Bridge bridge;
  private final ObjectOpening opening;
  private final GroupCallbacks groups;

  public TypeCallbacks(Bridge bridge, ObjectOpening opening, GroupCallbacks groups) {
    this.bridge = bridge;
    this.opening = opening;
    this.groups = groups;
  }

  /** The property lists with which a type is committed. */
  public record Lists(long link, long creation, long access) {}

  /** Answers the callback {@code datatype.commit} of libhdf5. */
  public long commit(
      long base, long parameters, long name, long typeId, Lists lists, long request) {
    bridge.access.require(lists.access);
    BridgeObject from = bridge.objects.get(base);
    try (LocationResolver.Place place =
        bridge.locations.creation(from, parameters, RawMemory.text(name), lists.access)) {
      Location at = place.at();
      Datatype type = TypeTranslator.stored(bridge.types.read(typeId));
      bridge.fileLists.requireHeld(type, place.file());
      return opening.add(
          place.file(),
          new TypeOperation.Commit(
              Handle.fresh(),
              at,
              bridge.properties.type(lists.creation, type),
              bridge.properties.link(lists.link)),
          ObjectKind.COMMITTED_TYPE,
          name == 0 ? null : ObjectOpening.path(from, place.named()),
          new ObjectOpening.Extra(0, request, place.opening()));
    }
  }

  /** Answers the callback {@code datatype.open} of libhdf5. */
  public long open(long base, long parameters, long name, long accessList, long request) {
    bridge.access.require(accessList);
    return opening.open(
        base,
        parameters,
        name,
        ObjectKind.COMMITTED_TYPE,
        accessList,
        new ObjectOpening.Extra(0, request, bridge.objects.get(base).opening()));
  }

  /** Answers the callback {@code datatype.get} of libhdf5. */
  public long get(long pointer, long args) {
    switch (RawMemory.getInt(args)) {
      case 0 -> RawMemory.setLong(RawMemory.getLong(args + 8), encoded(pointer).length);
      case 1 -> {
        byte[] bytes = encoded(pointer);
        int room = (int) Math.min(bytes.length, RawMemory.getLong(args + 16));
        RawMemory.put(bytes, RawMemory.getLong(args + 8), room);
      }
      case 2 -> RawMemory.setLong(args + 8, bridge.lists.type(spec(pointer)));
      default -> throw FileCallbacks.unknown("get of a type", RawMemory.getInt(args));
    }
    return 0;
  }

  private byte[] encoded(long pointer) {
    return TypeTranslator.encode(spec(pointer).datatype());
  }

  private TypeOperation.Spec spec(long pointer) {
    BridgeObject type = bridge.objects.get(pointer);
    return type.file().call(new TypeOperation.Describe(type.handle()));
  }

  /** Answers the callback {@code datatype.specific} of libhdf5. */
  public long specific(long pointer, long args, long request) {
    BridgeObject type = bridge.objects.get(pointer);
    switch (RawMemory.getInt(args)) {
      case 0 -> groups.flush(type, request);
      case 1 -> groups.refresh(type, request);
      default -> throw FileCallbacks.unknown("operation on a type", RawMemory.getInt(args));
    }
    return 0;
  }
}
