package org.hyperslab.plugins.libhdf5.translate;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.hyperslab.format.space.AllSelection;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.vol.TypeOperation;

/**
 * Builds libhdf5's property lists from the information that connectors give about files and
 * objects. Every list is new, and belongs to the caller.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class PropertyWriter {

  /**
   * The property with the version of the superblock, which has no function of its own to set it.
   */
  private static final String SUPERBLOCK_VERSION = "super_version";

  /** The layout {@code H5D_VIRTUAL} of a dataset. */
  private static final int VIRTUAL = 3;

  private static final int PARTIAL_CHUNKS_UNFILTERED = 2;

  private final Hdf5Calls hdf5;
  private final TypeTranslator types;
  private final SpaceTranslator spaces;
  private final CElements elements;

  public PropertyWriter(
      Hdf5Calls hdf5, TypeTranslator types, SpaceTranslator spaces, CElements elements) {
    this.hdf5 = hdf5;
    this.types = types;
    this.spaces = spaces;
    this.elements = elements;
  }

  /** Creates a list of a class such as {@code DATASET_ACCESS} with default values. */
  public long defaults(String listClass) {
    return hdf5.id(Hdf5Function.P_CREATE, hdf5.identifier("H5P_CLS_" + listClass + "_ID_g"));
  }

  /** Copies a list of properties. */
  public long copy(long list) {
    return hdf5.id(Hdf5Function.P_COPY, list);
  }

  /** Closes a list of properties. */
  public void close(long list) {
    if (list > 0) {
      hdf5.call(Hdf5Function.P_CLOSE, list);
    }
  }

  /** Creates a list of file options. */
  public long file(FileInfo info) {
    CreateOptions options = info.creation();
    long list = defaults("FILE_CREATE");
    if (info.superblockVersion() > 0) {
      MemorySegment memory = hdf5.scratch();
      memory.setString(8, SUPERBLOCK_VERSION);
      RawMemory.setInt(memory.address(), info.superblockVersion());
      hdf5.checked(Hdf5Function.P_SET, list, memory.address() + 8, memory.address());
    }
    hdf5.checked(Hdf5Function.P_SET_USER_BLOCK, list, options.userBlockBytes());
    hdf5.checked(Hdf5Function.P_SET_SIZES, list, options.sizeOfOffsets(), options.sizeOfLengths());
    hdf5.checked(Hdf5Function.P_SET_SYM_K, list, options.symbolInternalK(), options.symbolLeafK());
    hdf5.checked(Hdf5Function.P_SET_CHUNK_K, list, options.chunkInternalK());
    hdf5.checked(
        Hdf5Function.P_SET_SPACE_STRATEGY,
        list,
        options.space().kind().ordinal(),
        options.space().persist() ? 1 : 0,
        options.space().thresholdBytes());
    hdf5.checked(Hdf5Function.P_SET_SPACE_PAGE, list, options.space().pageBytes());
    groupProperties(list, options.root());
    return list;
  }

  /** Creates a list of group options. */
  public long group(GroupOptions options) {
    long list = defaults("GROUP_CREATE");
    groupProperties(list, options);
    return list;
  }

  private void groupProperties(long list, GroupOptions options) {
    hdf5.checked(
        Hdf5Function.P_SET_LINK_ORDER,
        list,
        order(options.creationOrderTracked(), options.creationOrderIndexed()));
    hdf5.checked(Hdf5Function.P_SET_LINK_PHASE, list, options.maxCompact(), options.minDense());
    if (options.estimatedLinks() > 0 || options.estimatedNameBytes() > 0) {
      hdf5.checked(
          Hdf5Function.P_SET_LINK_ESTIMATE,
          list,
          options.estimatedLinks(),
          options.estimatedNameBytes());
    }
    if (options.localHeapHintBytes() > 0) {
      hdf5.checked(Hdf5Function.P_SET_HEAP_HINT, list, options.localHeapHintBytes());
    }
    hdf5.checked(Hdf5Function.P_SET_TRACK_TIMES, list, options.trackTimes() ? 1 : 0);
    attributes(list, options.attributes());
  }

  /** Creates a list of type options. */
  public long type(TypeOperation.Spec spec) {
    long list = defaults("DATATYPE_CREATE");
    hdf5.checked(Hdf5Function.P_SET_TRACK_TIMES, list, spec.trackTimes() ? 1 : 0);
    attributes(list, spec.attributes());
    return list;
  }

  private void attributes(long list, AttributeStorage storage) {
    hdf5.checked(
        Hdf5Function.P_SET_ATTRIBUTE_ORDER,
        list,
        order(storage.creationOrderTracked(), storage.creationOrderIndexed()));
    hdf5.checked(
        Hdf5Function.P_SET_ATTRIBUTE_PHASE, list, storage.maxCompact(), storage.minDense());
  }

  private static int order(boolean tracked, boolean indexed) {
    return (tracked ? 1 : 0) | (indexed ? 2 : 0);
  }

  /** Creates a list of attribute options. */
  public long attribute(CharacterSet charset) {
    long list = defaults("ATTRIBUTE_CREATE");
    hdf5.checked(Hdf5Function.P_SET_ENCODING, list, charset == CharacterSet.UTF8 ? 1 : 0);
    return list;
  }

  /** Creates a list of dataset options. */
  public long dataset(DatasetInfo info) {
    long list = defaults("DATASET_CREATE");
    DatasetOptions options = info.options();
    layout(list, options.layout(), info);
    options.filters().forEach(filter -> filter(list, filter));
    fill(list, options.fill(), info.type());
    hdf5.checked(Hdf5Function.P_SET_FILL_TIME, list, options.fillTime().ordinal());
    hdf5.checked(Hdf5Function.P_SET_ALLOCATION, list, options.allocationTime().ordinal());
    hdf5.checked(Hdf5Function.P_SET_TRACK_TIMES, list, options.trackTimes() ? 1 : 0);
    attributes(list, options.attributes());
    return list;
  }

  private void layout(long list, Layout layout, DatasetInfo info) {
    switch (layout) {
      case Layout.Auto _, Layout.Contiguous _ -> hdf5.checked(Hdf5Function.P_SET_LAYOUT, list, 1);
      case Layout.Compact _ -> hdf5.checked(Hdf5Function.P_SET_LAYOUT, list, 0);
      case Layout.Chunked chunked -> chunked(list, chunked);
      case Layout.External external -> external.segments().forEach(s -> segment(list, s));
      case Layout.Virtual virtual -> {
        hdf5.checked(Hdf5Function.P_SET_LAYOUT, list, VIRTUAL);
        virtual.mappings().forEach(m -> mapping(list, m, info));
      }
    }
  }

  private void chunked(long list, Layout.Chunked chunked) {
    long dims = hdf5.scratch().address();
    for (int i = 0; i < chunked.dims().size(); i++) {
      RawMemory.setLong(dims + 8L * i, chunked.dims().get(i));
    }
    hdf5.checked(Hdf5Function.P_SET_CHUNK, list, chunked.dims().size(), dims);
    if (!chunked.filterPartialEdgeChunks()) {
      hdf5.checked(Hdf5Function.P_SET_CHUNK_OPTIONS, list, PARTIAL_CHUNKS_UNFILTERED);
    }
  }

  private void segment(long list, Layout.External.Segment segment) {
    try (Arena arena = Arena.ofConfined()) {
      hdf5.checked(
          Hdf5Function.P_SET_EXTERNAL,
          list,
          arena.allocateFrom(segment.file()).address(),
          segment.offsetBytes(),
          segment.sizeBytes());
    }
  }

  private void mapping(long list, Layout.Virtual.Mapping mapping, DatasetInfo info) {
    long mapped = spaces.create(info.space(), mapping.selection());
    long source = spaces.create(sourceSpace(mapping, info), mapping.sourceSelection());
    try (Arena arena = Arena.ofConfined()) {
      hdf5.checked(
          Hdf5Function.P_SET_VIRTUAL,
          list,
          mapped,
          arena.allocateFrom(mapping.sourceFile()).address(),
          arena.allocateFrom(mapping.sourceDataset()).address(),
          source);
    } finally {
      hdf5.call(Hdf5Function.S_CLOSE, mapped);
      hdf5.call(Hdf5Function.S_CLOSE, source);
    }
  }

  /**
   * Returns the extent of the source of a mapping. A file does not store it; where all of it is
   * selected, it has as many elements as are mapped, in their shape if they are a box.
   */
  private static Dataspace sourceSpace(Layout.Virtual.Mapping mapping, DatasetInfo info) {
    Selection mapped = mapping.selection();
    if (!(mapping.sourceSelection() instanceof AllSelection) || mapped.isUnlimited()) {
      return mapping.sourceSpace();
    }
    long[] extent = info.space().dims();
    long wanted = mapped.elementCount(extent);
    if (wanted == 0 || mapping.sourceSpace().elementCount() == wanted) {
      return mapping.sourceSpace();
    }
    Selection.Bounds bounds = mapped.bounds(extent);
    long[] box = new long[bounds.rank()];
    long inBox = 1;
    for (int i = 0; i < box.length; i++) {
      box[i] = bounds.high(i) - bounds.low(i) + 1;
      inBox *= box[i];
    }
    return inBox == wanted ? Dataspace.simple(box) : Dataspace.simple(wanted);
  }

  private void filter(long list, FilterSpec filter) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocate(4L * Math.max(1, filter.parameters().size()), 4);
      for (int i = 0; i < filter.parameters().size(); i++) {
        RawMemory.setInt(values.address() + 4L * i, filter.parameters().get(i));
      }
      hdf5.checked(
          Hdf5Function.P_SET_FILTER,
          list,
          filter.id(),
          filter.optional() ? 1 : 0,
          filter.parameters().size(),
          values.address());
    }
  }

  private void fill(long list, FillValue fill, Datatype type) {
    switch (fill) {
      case FillValue.Default _ -> {}
      case FillValue.Undefined _ -> hdf5.checked(Hdf5Function.P_SET_FILL, list, 0, 0);
      case FillValue.Value value -> {
        long typeId = types.create(value.type().forFile(TypeTranslator.GEOMETRY.sizeOfOffsets()));
        Datatype layout = types.read(typeId);
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment element = arena.allocate(layout.size(), 8);
          elements.toC(layout, value.value(), 1, element.address(), CElements.Allocator.C_LIBRARY);
          hdf5.checked(Hdf5Function.P_SET_FILL, list, typeId, element.address());
        } finally {
          types.close(typeId);
        }
      }
    }
  }
}
