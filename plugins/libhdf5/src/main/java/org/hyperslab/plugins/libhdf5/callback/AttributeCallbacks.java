package org.hyperslab.plugins.libhdf5.callback;

import java.lang.foreign.Arena;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.DatasetTransfer;
import org.hyperslab.plugins.libhdf5.bridge.LocationResolver;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.object.Identifiers;
import org.hyperslab.plugins.libhdf5.translate.CElements;
import org.hyperslab.plugins.libhdf5.translate.TypeTranslator;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/** The callbacks on attributes ({@code H5VL_attr_class_t}). */
public final class AttributeCallbacks {

  /** The operation {@code H5VL_NATIVE_ATTR_ITERATE_OLD}. */
  private static final int ITERATE_OLD = 0;

  private final Bridge bridge;
  private final DatasetCallbacks datasets;
  private final DatasetTransfer transfers;

  public AttributeCallbacks(Bridge bridge, DatasetCallbacks datasets, DatasetTransfer transfers) {
    this.bridge = bridge;
    this.datasets = datasets;
    this.transfers = transfers;
  }

  /** Answers the callback {@code attr.create} of libhdf5. */
  public long create(
      long base,
      long parameters,
      long name,
      long typeId,
      long spaceId,
      long creationList,
      long accessList) {
    bridge.access.require(accessList);
    try (LocationResolver.Place place = bridge.locations.resolve(base, parameters)) {
      String text = RawMemory.text(name);
      Datatype type = bridge.types.read(typeId);
      bridge.fileLists.requireHeld(type, place.file());
      AttributeOperation.Spec spec =
          new AttributeOperation.Spec(
              TypeTranslator.stored(type),
              bridge.committed(typeId).map(BridgeObject::handle),
              bridge.spaces.extent(spaceId),
              bridge.properties.charset(creationList));
      place.file().call(new AttributeOperation.Create(place.at(), text, spec));
      return add(place, text, null);
    }
  }

  private long add(LocationResolver.Place place, String name, AttributeInfo info) {
    Handle handle = Handle.fresh();
    OpenedFile file = place.file();
    file.call(new ObjectOperation.Open(handle, place.at()));
    file.use();
    return bridge.objects.add(
        new BridgeObject.OfAttribute(
            file, handle, new String[] {name}, new AttributeInfo[] {info}, place.opening()));
  }

  /** Answers the callback {@code attr.open} of libhdf5. */
  public long open(long base, long parameters, long name, long accessList) {
    bridge.access.require(accessList);
    if (LocationResolver.isByIndex(parameters)) {
      try (LocationResolver.Place place = bridge.locations.group(base, parameters)) {
        AttributeInfo info = byIndex(place, parameters);
        return add(place, info.name(), info);
      }
    }
    try (LocationResolver.Place place = bridge.locations.resolve(base, parameters)) {
      String text = RawMemory.text(name);
      return add(place, text, described(place, text));
    }
  }

  private static AttributeInfo described(LocationResolver.Place place, String name) {
    return place.file().call(new AttributeOperation.Describe(place.at(), name));
  }

  private static AttributeInfo byIndex(LocationResolver.Place place, long parameters) {
    return LocationResolver.attribute(
        place.file(),
        place.at(),
        LocationResolver.order(parameters),
        LocationResolver.index(parameters));
  }

  private static AttributeInfo info(BridgeObject.OfAttribute attribute) {
    if (attribute.info()[0] == null) {
      attribute.info()[0] =
          attribute.file().call(new AttributeOperation.Describe(at(attribute), name(attribute)));
    }
    return attribute.info()[0];
  }

  private static Location at(BridgeObject.OfAttribute attribute) {
    return Location.of(attribute.handle());
  }

  private static String name(BridgeObject.OfAttribute attribute) {
    return attribute.currentName();
  }

  private BridgeObject.OfAttribute attribute(long pointer) {
    return bridge.objects.get(pointer, BridgeObject.OfAttribute.class);
  }

  /** Answers the callback {@code attr.read} of libhdf5. */
  public long read(long pointer, long typeId, long buffer, long list, long request) {
    BridgeObject.OfAttribute attribute = attribute(pointer);
    Datatype type = bridge.types.read(typeId);
    long count = info(attribute).space().elementCount();
    boolean direct = CElements.sameInC(type);
    DataBuffer target =
        direct
            ? DataBuffer.of(RawMemory.at(buffer, count * type.size()))
            : DataBuffer.allocate(type, count);
    CElements.Allocator allocator = transfers.allocator(list);
    bridge.settle(
        attribute.file(),
        attribute
            .file()
            .submit(
                new AttributeOperation.Read(
                    at(attribute), name(attribute), type.inMemory(), target)),
        request,
        direct
            ? null
            : () ->
                bridge.references.in(
                    attribute.file(),
                    () -> bridge.elements.toC(type, target, count, buffer, allocator)));
    return 0;
  }

  /** Answers the callback {@code attr.write} of libhdf5. */
  public long write(long pointer, long typeId, long buffer, long request) {
    BridgeObject.OfAttribute attribute = attribute(pointer);
    Datatype type = bridge.types.read(typeId);
    long count = info(attribute).space().elementCount();
    DataBuffer source;
    if (CElements.sameInC(type)) {
      source = DataBuffer.of(RawMemory.at(buffer, count * type.size()));
    } else {
      source = DataBuffer.allocate(type, count);
      bridge.elements.toMemory(type, buffer, count, source);
    }
    bridge.run(
        attribute.file(),
        new AttributeOperation.Write(at(attribute), name(attribute), type.inMemory(), source),
        request);
    return 0;
  }

  /** Answers the callback {@code attr.get} of libhdf5. */
  public long get(long pointer, long args) {
    switch (RawMemory.getInt(args)) {
      case 0 ->
          RawMemory.setLong(args + 8, bridge.lists.attribute(info(attribute(pointer)).charset()));
      case 1 -> {
        AttributeInfo info = found(pointer, args + 8, RawMemory.getLong(args + 48));
        put(info, RawMemory.getLong(args + 56));
      }
      case 2 -> {
        String name = found(pointer, args + 8, 0).name();
        int length =
            RawMemory.putText(name, RawMemory.getLong(args + 56), RawMemory.getLong(args + 48));
        RawMemory.setLong(RawMemory.getLong(args + 64), length);
      }
      case 3 -> RawMemory.setLong(args + 8, bridge.spaces.create(info(attribute(pointer)).space()));
      case 4 ->
          RawMemory.setLong(RawMemory.getLong(args + 8), info(attribute(pointer)).dataBytes());
      case 5 -> RawMemory.setLong(args + 8, type(attribute(pointer)));
      default -> throw FileCallbacks.unknown("get of an attribute", RawMemory.getInt(args));
    }
    return 0;
  }

  /** Returns the attribute that a pointer denotes, or the one at a position or with a name. */
  private AttributeInfo found(long pointer, long parameters, long name) {
    if (LocationResolver.isByIndex(parameters)) {
      try (LocationResolver.Place place = bridge.locations.group(pointer, parameters)) {
        return byIndex(place, parameters);
      }
    }
    if (name != 0) {
      try (LocationResolver.Place place = bridge.locations.resolve(pointer, parameters)) {
        return described(place, RawMemory.text(name));
      }
    }
    return info(attribute(pointer));
  }

  private long type(BridgeObject.OfAttribute attribute) {
    AttributeInfo info = info(attribute);
    return info.committedType().isPresent()
        ? datasets.committedType(attribute.file(), info.committedType().get())
        : bridge.types.create(info.type());
  }

  private static void put(AttributeInfo info, long out) {
    RawMemory.setBool(out, info.creationOrder().isPresent());
    RawMemory.setInt(out + 4, (int) info.creationOrder().orElse(0));
    RawMemory.setInt(out + 8, info.charset() == CharacterSet.UTF8 ? 1 : 0);
    RawMemory.setLong(out + 16, info.dataBytes());
  }

  /** Answers the callback {@code attr.specific} of libhdf5. */
  public long specific(long pointer, long parameters, long args, long request) {
    int operation = RawMemory.getInt(args);
    if (operation == 3) {
      return iterate(pointer, parameters, args);
    }
    try (LocationResolver.Place place =
        LocationResolver.isByIndex(parameters)
            ? bridge.locations.group(pointer, parameters)
            : bridge.locations.resolve(pointer, parameters)) {
      OpenedFile file = place.file();
      long first = RawMemory.getLong(args + 8);
      switch (operation) {
        case 0 ->
            bridge.run(
                file, new AttributeOperation.Delete(place.at(), RawMemory.text(first)), request);
        case 1 -> {
          AttributeInfo info =
              LocationResolver.attribute(
                  file,
                  place.at(),
                  LocationResolver.order(RawMemory.getInt(args + 8), RawMemory.getInt(args + 12)),
                  RawMemory.getLong(args + 16));
          bridge.run(file, new AttributeOperation.Delete(place.at(), info.name()), request);
        }
        case 2 ->
            RawMemory.setBool(
                RawMemory.getLong(args + 16),
                file.call(new AttributeOperation.Exists(place.at(), RawMemory.text(first))));
        case 4 ->
            rename(place, RawMemory.text(first), RawMemory.text(RawMemory.getLong(args + 16)));
        default -> throw FileCallbacks.unknown("operation on an attribute", operation);
      }
    }
    return 0;
  }

  /** Renames an attribute, including its open identifiers. */
  private void rename(LocationResolver.Place place, String from, String to) {
    OpenedFile file = place.file();
    file.call(new AttributeOperation.Rename(place.at(), from, to));
    ObjectInfo object = file.call(new ObjectOperation.Describe(place.at()));
    bridge.objects.forEach((pointer, open) -> {
      if (open instanceof BridgeObject.OfAttribute attribute
          && attribute.file() == file
          && attribute.currentName().equals(from)
          && file.call(new ObjectOperation.Describe(at(attribute)))
              .token()
              .equals(object.token())) {
        attribute.name()[0] = to;
        attribute.info()[0] = null;
      }
    });
  }

  private long iterate(long pointer, long parameters, long args) {
    try (LocationResolver.Place place = bridge.locations.resolve(pointer, parameters);
        Arena arena = Arena.ofConfined()) {
      OpenedFile file = place.file();
      PageRequest order =
          LocationResolver.order(RawMemory.getInt(args + 8), RawMemory.getInt(args + 12));
      long indexAt = RawMemory.getLong(args + 16);
      CFunction operator = CFunction.at(RawMemory.getLong(args + 24));
      long context = RawMemory.getLong(args + 32);
      long index = indexAt == 0 ? 0 : RawMemory.getLong(indexAt);
      Listing listing = new Listing(file, place.at(), order);
      listing.requireStart(index);
      Handle handle = Handle.fresh();
      ObjectInfo info = file.call(new ObjectOperation.Open(handle, place.at()));
      long id = Identifiers.register(bridge.hdf5, bridge.objects, file, handle, info);
      long record = arena.allocate(24, 8).address();
      int result = 0;
      try {
        for (AttributeInfo each = listing.at(index); each != null; each = listing.at(index)) {
          index++;
          put(each, record);
          result =
              (int)
                  operator.call(id, RawMemory.name(each.name(), arena).address(), record, context);
          if (result != 0) {
            break;
          }
        }
      } finally {
        bridge.hdf5.call(Hdf5Function.I_DECREASE, id);
      }
      if (indexAt != 0) {
        RawMemory.setLong(indexAt, index);
      }
      return result;
    }
  }

  static boolean hasOptional(int operation) {
    return operation == ITERATE_OLD;
  }

  /**
   * Calls an operator of HDF5 1.6 with the names of attributes ({@code H5Aiterate1}), which
   * programs built with {@code H5_USE_16_API} use:
   *
   * <pre>
   *   0          8                    16         24
   *   +----------+--------------------+----------+---------+
   *   | location | address of a number| operator | context |
   *   +----------+--------------------+----------+---------+
   * </pre>
   */
  public long optional(long pointer, long args) {
    if (!hasOptional(RawMemory.getInt(args))) {
      throw FileCallbacks.unknown("optional operation of an attribute", RawMemory.getInt(args));
    }
    long first = RawMemory.getLong(args + 8);
    long location = RawMemory.getLong(first);
    long indexAt = RawMemory.getLong(first + 8);
    CFunction operator = CFunction.at(RawMemory.getLong(first + 16));
    long context = RawMemory.getLong(first + 24);
    BridgeObject object = bridge.objects.get(pointer);
    Location at = Location.of(object.handle());
    PageRequest order = PageRequest.first(IterationIndex.CREATION_ORDER);
    Listing listing = new Listing(object.file(), at, order);
    int index = indexAt == 0 ? 0 : RawMemory.getInt(indexAt);
    listing.requireStart(index);
    int result = 0;
    try (Arena arena = Arena.ofConfined()) {
      for (AttributeInfo each = listing.at(index);
          each != null && result == 0;
          each = listing.at(index)) {
        index++;
        result =
            (int) operator.call(location, RawMemory.name(each.name(), arena).address(), context);
      }
    }
    if (indexAt != 0) {
      RawMemory.setInt(indexAt, index);
    }
    return result;
  }

  /**
   * Lists attributes, one page at a time, by name, by creation order, or as they are stored if that
   * is not tracked, as libhdf5 does.
   */
  private static final class Listing {
    private final OpenedFile file;
    private final Location object;
    private final PageRequest order;
    private List<AttributeInfo> entries = List.of();
    private long start;
    private boolean last;

    Listing(OpenedFile file, Location object, PageRequest order) {
      this.file = file;
      this.object = object;
      this.order = order;
    }

    /** Fails, as libhdf5 does, if the start is not below the number of attributes. */
    void requireStart(long index) {
      if (index != 0 && at(index) == null) {
        throw new InvalidUseException(
            "start of the iteration: actual=" + index + ", expected=below the number of entries");
      }
    }

    AttributeInfo at(long index) {
      if (index - start >= entries.size() && !last) {
        Page<AttributeInfo> page =
            file.call(
                new AttributeOperation.ListAttributes(
                    object,
                    new PageRequest(order.index(), order.descending(), index, order.limit()),
                    true));
        entries = page.entries();
        last = page.last();
        start = index;
      }
      return index - start < entries.size() ? entries.get((int) (index - start)) : null;
    }
  }

  /** Answers the callback {@code attr.close} of libhdf5. */
  public long close(long pointer) {
    BridgeObject.OfAttribute attribute = attribute(pointer);
    bridge.objects.remove(pointer);
    OpenedFile file = attribute.file();
    if (!file.isClosed()) {
      file.submit(new ObjectOperation.Close(attribute.handle()));
    }
    bridge.release(file, 0);
    return 0;
  }
}
