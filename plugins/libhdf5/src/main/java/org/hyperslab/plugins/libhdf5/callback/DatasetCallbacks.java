package org.hyperslab.plugins.libhdf5.callback;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.LocationResolver;
import org.hyperslab.plugins.libhdf5.bridge.ObjectOpening;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.object.DatasetState;
import org.hyperslab.plugins.libhdf5.object.Identifiers;
import org.hyperslab.plugins.libhdf5.translate.TypeTranslator;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/** The callbacks on datasets ({@code H5VL_dataset_class_t}) except transfers. */
public final class DatasetCallbacks {

  /** The status {@code H5D_SPACE_STATUS_ALLOCATED}. */
  private static final int ALLOCATED = 2;

  private final Bridge bridge;
  private final ObjectOpening opening;
  private final GroupCallbacks groups;

  public DatasetCallbacks(Bridge bridge, ObjectOpening opening, GroupCallbacks groups) {
    this.bridge = bridge;
    this.opening = opening;
    this.groups = groups;
  }

  /** The lists that a dataset is created with. */
  public record Lists(long link, long creation, long access) {}

  /** Answers the callback {@code dataset.create} of libhdf5. */
  public long create(
      long base, long parameters, long name, long typeId, long spaceId, Lists lists, long request) {
    BridgeObject from = bridge.objects.get(base);
    try (LocationResolver.Place place =
        bridge.locations.creation(from, parameters, RawMemory.text(name), lists.access)) {
      Location at = place.at();
      Datatype type = bridge.types.read(typeId);
      bridge.fileLists.requireHeld(type, place.file());
      Dataspace space = bridge.spaces.extent(spaceId);
      DatasetOptions options =
          allocated(
              place.file(),
              bridge.localFilters.applied(
                  bridge.properties.dataset(lists.creation, typeId, type, space),
                  lists.creation,
                  typeId));
      DatasetOperation.Spec spec =
          new DatasetOperation.Spec(
              TypeTranslator.stored(type),
              bridge.committed(typeId).map(BridgeObject::handle),
              space,
              options);
      long pointer =
          opening.add(
              place.file(),
              new DatasetOperation.Create(
                  Handle.fresh(), at, spec, bridge.properties.link(lists.link)),
              ObjectKind.DATASET,
              name == 0 ? null : ObjectOpening.path(from, place.named()),
              extra(lists.access, request, place.opening()));
      if (hasOtherFiles(options.layout())) {
        Map<String, String> access = bridge.access.files(lists.access);
        if (!access.isEmpty()) {
          setAccess(pointer, access);
        }
      }
      return pointer;
    }
  }

  /**
   * Returns the options of a dataset to create. As in libhdf5, datasets of several ranks are
   * allocated at once, so that any rank may write by itself; chunks with filters are written
   * together.
   */
  private static DatasetOptions allocated(OpenedFile file, DatasetOptions options) {
    if (!file.settings().shared()) {
      return options;
    }
    AllocationTime time =
        options.filters().isEmpty() ? AllocationTime.EARLY : options.allocationTime();
    return options.toBuilder().allocationTime(time).build();
  }

  /** Answers the callback {@code dataset.open} of libhdf5. */
  public long open(long base, long parameters, long name, long accessList, long request) {
    Map<String, String> access = bridge.access.files(accessList);
    boolean may =
        !bridge.access.isDefault(accessList)
            && (!access.isEmpty() || bridge.objects.get(base).file().accessWasSet());
    long pointer =
        opening.open(
            base,
            parameters,
            name,
            ObjectKind.DATASET,
            accessList,
            extra(accessList, may ? 0 : request, bridge.objects.get(base).opening()));
    // Only when the dataset is open is its layout known.
    if (may && hasOtherFiles(layout(pointer))) {
      setAccess(pointer, access);
    }
    return pointer;
  }

  private Layout layout(long pointer) {
    return bridge
        .objects
        .get(pointer, BridgeObject.OfObject.class)
        .dataset()
        .info()
        .options()
        .layout();
  }

  private static boolean hasOtherFiles(Layout layout) {
    return layout instanceof Layout.External || layout instanceof Layout.Virtual;
  }

  /** Determines how an open dataset finds other files; closes it if that is refused. */
  private void setAccess(long pointer, Map<String, String> access) {
    BridgeObject.OfObject dataset = bridge.objects.get(pointer, BridgeObject.OfObject.class);
    try {
      dataset.file().call(new DatasetOperation.SetAccess(dataset.handle(), access));
      dataset.file().setAccess();
    } catch (RuntimeException refused) {
      opening.close(pointer, 0);
      throw refused;
    }
    dataset.dataset().forget();
  }

  private ObjectOpening.Extra extra(long accessList, long request, long opening) {
    if (bridge.access.isDefault(accessList)) {
      return new ObjectOpening.Extra(0, request, opening);
    }
    bridge.access.require(accessList);
    return new ObjectOpening.Extra(bridge.lists.copy(accessList), request, opening);
  }

  /** Answers the callback {@code dataset.get} of libhdf5. */
  public long get(long pointer, long args) {
    BridgeObject.OfObject dataset = bridge.objects.get(pointer, BridgeObject.OfObject.class);
    DatasetState state = dataset.dataset();
    long out = args + 8;
    switch (RawMemory.getInt(args)) {
      case 0 ->
          RawMemory.setLong(
              out,
              state.accessList() == 0
                  ? bridge.lists.defaults("DATASET_ACCESS")
                  : bridge.access.expanded(
                      bridge.lists.copy(state.accessList()), dataset.file().name()));
      case 1 -> RawMemory.setLong(out, bridge.lists.dataset(state.info()));
      case 2 -> RawMemory.setLong(out, bridge.spaces.create(extent(state)));
      case 3 -> RawMemory.setInt(RawMemory.getLong(out), spaceStatus(state.current()));
      case 4 ->
          RawMemory.setLong(RawMemory.getLong(out), state.current().storage().allocatedBytes());
      case 5 -> RawMemory.setLong(out, type(dataset.file(), state.info()));
      default -> throw FileCallbacks.unknown("get of a dataset", RawMemory.getInt(args));
    }
    return 0;
  }

  /** Returns the extent; that of a virtual dataset follows its sources when a program asks. */
  private static Dataspace extent(DatasetState state) {
    return state.isVirtual() ? state.followed() : state.space();
  }

  /** Returns a value of {@code H5D_space_status_t}: nothing, a part or all is allocated. */
  private static int spaceStatus(DatasetInfo info) {
    if (info.options().layout() instanceof Layout.Virtual) {
      return ALLOCATED;
    }
    long allocated = info.storage().allocatedBytes();
    if (allocated <= 0) {
      return 0;
    }
    if (info.options().layout() instanceof Layout.Chunked chunked) {
      long needed = 1;
      for (int i = 0; i < chunked.dims().size(); i++) {
        needed *= -Math.floorDiv(-info.space().dim(i), chunked.dims().get(i));
      }
      return info.storage().chunkCount() >= needed ? ALLOCATED : 1;
    }
    return ALLOCATED;
  }

  private long type(OpenedFile file, DatasetInfo info) {
    return info.committedType().isPresent()
        ? committedType(file, info.committedType().get())
        : bridge.types.create(info.type());
  }

  /** Returns an identifier of the committed type of a token. */
  long committedType(OpenedFile file, ObjectToken token) {
    Handle handle = Handle.fresh();
    ObjectInfo info = file.call(new ObjectOperation.OpenToken(handle, file.handle(), token));
    return Identifiers.register(bridge.hdf5, bridge.objects, file, handle, info);
  }

  /** Answers the callback {@code dataset.specific} of libhdf5. */
  public long specific(long pointer, long args, long request) {
    BridgeObject.OfObject dataset = bridge.objects.get(pointer, BridgeObject.OfObject.class);
    switch (RawMemory.getInt(args)) {
      case 0 -> setExtent(dataset, RawMemory.getLong(args + 8), request);
      case 1 -> groups.flush(dataset, request);
      case 2 -> groups.refresh(dataset, request);
      default -> throw FileCallbacks.unknown("operation on a dataset", RawMemory.getInt(args));
    }
    return 0;
  }

  private void setExtent(BridgeObject.OfObject dataset, long sizes, long request) {
    Layout layout = dataset.dataset().info().options().layout();
    if (layout instanceof Layout.Contiguous || layout instanceof Layout.Compact) {
      throw new InvalidUseException(
          "extent to set: actual=of a dataset with the layout "
              + layout.getClass().getSimpleName()
              + ", expected=of a chunked, external or virtual dataset");
    }
    int rank = dataset.dataset().space().rank();
    List<Long> dims = new ArrayList<>(rank);
    for (int i = 0; i < rank; i++) {
      dims.add(RawMemory.getLong(sizes + 8L * i));
    }
    bridge.run(dataset.file(), new DatasetOperation.SetExtent(dataset.handle(), dims), request);
    dataset.dataset().forget();
  }
}
