package org.hyperslab.plugins.libhdf5.translate;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.vol.TypeOperation;

/**
 * Reads libhdf5's property lists into options. Throws an exception for a property that cannot be
 * honoured, unless it is only a hint.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class PropertyReader {

  private static final int TRACKED = 1;
  private static final int INDEXED = 2;
  private static final int PARTIAL_CHUNKS_UNFILTERED = 2;
  private static final int OPTIONAL_FILTER = 1;
  private static final int MAX_PARAMETERS = 256;
  private static final int MAX_NAME = 4096;
  private static final int USER_FILL = 2;
  private static final int MERGE_TYPES = 0x40;

  private final Hdf5Calls hdf5;
  private final SpaceTranslator spaces;
  private final CElements elements;
  private final PropertyListCache<GroupOptions> groupLists;
  private final PropertyListCache<DatasetOptions> datasetLists;
  private final PropertyListCache<LinkOptions> linkLists;

  public PropertyReader(Hdf5Calls hdf5, SpaceTranslator spaces, CElements elements) {
    this.hdf5 = hdf5;
    this.spaces = spaces;
    this.elements = elements;
    this.groupLists =
        new PropertyListCache<>(
            hdf5, "H5P_LST_GROUP_CREATE_ID_g", new PropertyListCache.Rule<>() {});
    this.datasetLists =
        new PropertyListCache<>(hdf5, "H5P_LST_DATASET_CREATE_ID_g", new DatasetRule());
    this.linkLists =
        new PropertyListCache<>(
            hdf5, "H5P_LST_LINK_CREATE_ID_g", new PropertyListCache.Rule<>() {});
  }

  /** Returns the group options of a list. */
  public GroupOptions group(long list) {
    GroupOptions known = groupLists.find(list);
    return known != null ? known : groupLists.keep(list, readGroup(list));
  }

  private GroupOptions readGroup(long list) {
    requireNoFilters(list);
    int order = hdf5.intOf(Hdf5Function.P_GET_LINK_ORDER, list);
    int[] phase = hdf5.intsOf(Hdf5Function.P_GET_LINK_PHASE, list);
    int[] estimate = hdf5.intsOf(Hdf5Function.P_GET_LINK_ESTIMATE, list);
    long hint = hdf5.longOf(Hdf5Function.P_GET_HEAP_HINT, list);
    return GroupOptions.builder()
        .creationOrderTracked((order & TRACKED) != 0)
        .creationOrderIndexed((order & INDEXED) != 0)
        .maxCompact(phase[0])
        .minDense(phase[1])
        .localHeapHintBytes((int) Math.min(hint, 1 << 20))
        .estimatedLinks(estimate[0])
        .estimatedNameBytes(estimate[1])
        .trackTimes(trackTimes(list))
        .attributes(attributes(list))
        .build();
  }

  /**
   * Refuses filters of the links of a group. An optional filter, such as deflate, may be left out
   * by its definition; a mandatory one may not.
   */
  private void requireNoFilters(long list) {
    for (FilterSpec filter : filters(list)) {
      if (!filter.optional()) {
        throw new UnsupportedFeatureException(
            "filter of a group: actual=filter "
                + filter.id()
                + ", mandatory, expected=none, or one with H5Z_FLAG_OPTIONAL; links are stored"
                + " without filters");
      }
    }
  }

  private boolean trackTimes(long list) {
    return (hdf5.intOf(Hdf5Function.P_GET_TRACK_TIMES, list) & 0xFF) != 0;
  }

  private AttributeStorage attributes(long list) {
    int order = hdf5.intOf(Hdf5Function.P_GET_ATTRIBUTE_ORDER, list);
    int[] phase = hdf5.intsOf(Hdf5Function.P_GET_ATTRIBUTE_PHASE, list);
    return new AttributeStorage((order & TRACKED) != 0, (order & INDEXED) != 0, phase[0], phase[1]);
  }

  /**
   * Reads the options with which a type is committed.
   *
   * @param list its creation property list
   * @param type the type
   */
  public TypeOperation.Spec type(long list, Datatype type) {
    return list == Hdf5Calls.DEFAULT
        ? TypeOperation.Spec.of(type)
        : new TypeOperation.Spec(type, trackTimes(list), attributes(list));
  }

  /** Returns the link options of a list. */
  public LinkOptions link(long list) {
    if (list == Hdf5Calls.DEFAULT) {
      return LinkOptions.DEFAULT;
    }
    LinkOptions known = linkLists.find(list);
    return known != null ? known : linkLists.keep(list, readLink(list));
  }

  private LinkOptions readLink(long list) {
    return LinkOptions.builder()
        .createIntermediate(hdf5.intOf(Hdf5Function.P_GET_INTERMEDIATE, list) != 0)
        .charset(charset(list))
        .build();
  }

  /** Returns the character set of a list. */
  public CharacterSet charset(long list) {
    if (list == Hdf5Calls.DEFAULT) {
      return CharacterSet.ASCII;
    }
    return hdf5.intOf(Hdf5Function.P_GET_ENCODING, list) == 1
        ? CharacterSet.UTF8
        : CharacterSet.ASCII;
  }

  /** Returns the copy options of a list. */
  public CopyOptions copy(long list) {
    if (list == Hdf5Calls.DEFAULT) {
      return CopyOptions.DEFAULT;
    }
    int flags = hdf5.intOf(Hdf5Function.P_GET_COPY_FLAGS, list);
    if ((flags & MERGE_TYPES) != 0) {
      requireNoSuggestions(list);
    }
    return CopyOptions.builder()
        .shallow((flags & 0x01) != 0)
        .expandSoftLinks((flags & 0x02) != 0)
        .expandExternalLinks((flags & 0x04) != 0)
        .expandReferences((flags & 0x08) != 0)
        .withoutAttributes((flags & 0x10) != 0)
        .mergeCommittedTypes((flags & MERGE_TYPES) != 0)
        .build();
  }

  /** Refuses a program's suggestions of committed types to reuse in the target of a copy. */
  private void requireNoSuggestions(long list) {
    if (hasPaths(list)) {
      throw new UnsupportedFeatureException(
          "paths of committed types to merge (H5Padd_merge_committed_dtype_path): actual=set,"
              + " expected=none; the whole target is searched for equal types");
    }
    long out = hdf5.scratch().address();
    RawMemory.setLong(out, 0);
    hdf5.checked(Hdf5Function.P_GET_MERGE_CALLBACK, list, out, out + 8);
    if (RawMemory.getLong(out) != 0) {
      throw new UnsupportedFeatureException(
          "search for committed types to merge (H5Pset_mcdt_search_cb): actual=a callback,"
              + " expected=none; the whole target is searched for equal types");
    }
  }

  /**
   * Returns whether a list has paths of committed types. Compares the list with a copy without the
   * paths, because a value returned by {@code H5Pget} could not be freed.
   */
  private boolean hasPaths(long list) {
    long without = hdf5.id(Hdf5Function.P_COPY, list);
    try {
      hdf5.checked(Hdf5Function.P_FREE_MERGE_PATHS, without);
      return hdf5.status(Hdf5Function.P_EQUAL, list, without) == 0;
    } finally {
      hdf5.call(Hdf5Function.P_CLOSE, without);
    }
  }

  /**
   * Reads the creation options of a dataset.
   *
   * @param list its creation property list
   * @param typeId the library's identifier of its type
   * @param type that type, in the layout of C
   * @param space its extent
   */
  public DatasetOptions dataset(long list, long typeId, Datatype type, Dataspace space) {
    DatasetOptions known = datasetLists.find(list);
    return known != null ? known : datasetLists.keep(list, readDataset(list, typeId, type, space));
  }

  /** The cached lists of datasets. */
  private final class DatasetRule implements PropertyListCache.Rule<DatasetOptions> {

    /** Returns whether options depend on neither the type nor the extent, nor on many names. */
    @Override
    public boolean keep(DatasetOptions options) {
      return !(options.fill() instanceof FillValue.Value)
          && !(options.layout() instanceof Layout.Virtual)
          && !(options.layout() instanceof Layout.External);
    }

    /**
     * Compares the shape of chunks: libhdf5 (H5P__dcrt_layout_cmp in 1.14 and 2.2) compares neither
     * its last dimension nor the options of chunks.
     */
    @Override
    public boolean same(long list, DatasetOptions options) {
      return !(options.layout() instanceof Layout.Chunked chunks) || chunks.equals(chunked(list));
    }
  }

  private DatasetOptions readDataset(long list, long typeId, Datatype type, Dataspace space) {
    return DatasetOptions.builder()
        .layout(layout(list, space))
        .filters(filters(list))
        .fill(fill(list, typeId, type))
        .fillTime(FillValue.Time.values()[hdf5.intOf(Hdf5Function.P_GET_FILL_TIME, list)])
        .allocationTime(allocation(list))
        .trackTimes(trackTimes(list))
        .attributes(attributes(list))
        .build();
  }

  private AllocationTime allocation(long list) {
    return switch (hdf5.intOf(Hdf5Function.P_GET_ALLOCATION, list)) {
      case 1 -> AllocationTime.EARLY;
      case 2 -> AllocationTime.LATE;
      case 3 -> AllocationTime.INCREMENTAL;
      default -> AllocationTime.DEFAULT;
    };
  }

  private Layout layout(long list, Dataspace space) {
    return switch (hdf5.checked(Hdf5Function.P_GET_LAYOUT, list)) {
      case 0 -> new Layout.Compact();
      case 1 -> {
        int files = hdf5.checked(Hdf5Function.P_GET_EXTERNAL_COUNT, list);
        yield files > 0 ? external(list, files) : new Layout.Contiguous();
      }
      case 2 -> chunked(list);
      case 3 -> virtual(list, space);
      default ->
          throw new UnsupportedFeatureException(
              "layout: actual=unknown, expected=compact, contiguous, chunked or virtual");
    };
  }

  private Layout chunked(long list) {
    long out = hdf5.scratch().address();
    int rank = hdf5.checked(Hdf5Function.P_GET_CHUNK, list, Dataspace.MAX_RANK, out);
    List<Long> dims = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      dims.add(RawMemory.getLong(out + 8L * i));
    }
    int options = hdf5.intOf(Hdf5Function.P_GET_CHUNK_OPTIONS, list);
    return new Layout.Chunked(dims, (options & PARTIAL_CHUNKS_UNFILTERED) == 0);
  }

  private Layout external(long list, int files) {
    List<Layout.External.Segment> segments = new ArrayList<>();
    long out = hdf5.scratch().address();
    for (int i = 0; i < files; i++) {
      hdf5.checked(Hdf5Function.P_GET_EXTERNAL, list, i, MAX_NAME, out + 16, out, out + 8);
      segments.add(
          new Layout.External.Segment(
              RawMemory.text(out + 16), RawMemory.getLong(out), RawMemory.getLong(out + 8)));
    }
    return new Layout.External(segments);
  }

  private Layout virtual(long list, Dataspace space) {
    long count = hdf5.longOf(Hdf5Function.P_GET_VIRTUAL_COUNT, list);
    List<Layout.Virtual.Mapping> mappings = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      SpaceTranslator.Selected mapped = space(Hdf5Function.P_GET_VIRTUAL_SPACE, list, i);
      SpaceTranslator.Selected source = space(Hdf5Function.P_GET_VIRTUAL_SOURCE, list, i);
      mappings.add(
          new Layout.Virtual.Mapping(
              mapped.selection(),
              name(Hdf5Function.P_GET_VIRTUAL_FILE, list, i),
              name(Hdf5Function.P_GET_VIRTUAL_DATASET, list, i),
              source.space(),
              source.selection()));
    }
    return new Layout.Virtual(mappings);
  }

  private SpaceTranslator.Selected space(Hdf5Function get, long list, long i) {
    long id = hdf5.id(get, list, i);
    try {
      return spaces.read(id);
    } finally {
      hdf5.call(Hdf5Function.S_CLOSE, id);
    }
  }

  private String name(Hdf5Function get, long list, long i) {
    long out = hdf5.scratch().address();
    hdf5.id(get, list, i, out, MAX_NAME);
    return RawMemory.text(out);
  }

  /** Reads the filters of a creation list. */
  List<FilterSpec> filters(long list) {
    int count = hdf5.checked(Hdf5Function.P_GET_FILTER_COUNT, list);
    List<FilterSpec> filters = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      filters.add(filter(list, i));
    }
    return filters;
  }

  private FilterSpec filter(long list, int index) {
    long flags = hdf5.scratch().address();
    long number = flags + 8;
    long configuration = flags + 16;
    long name = flags + 24;
    long values = name + 256;
    RawMemory.setLong(flags, 0);
    RawMemory.setLong(number, MAX_PARAMETERS);
    RawMemory.setLong(name, 0);
    int id =
        hdf5.checked(
            Hdf5Function.P_GET_FILTER,
            list,
            index,
            flags,
            number,
            values,
            256,
            name,
            configuration);
    List<Integer> parameters = new ArrayList<>();
    long given = RawMemory.getLong(number);
    if (given < 0 || given > MAX_PARAMETERS) {
      throw new UnsupportedFeatureException(
          "parameters of filter " + id + ": actual=" + given + ", expected<=" + MAX_PARAMETERS);
    }
    for (int i = 0; i < given; i++) {
      parameters.add(RawMemory.getInt(values + 4L * i));
    }
    boolean optional = (RawMemory.getInt(flags) & OPTIONAL_FILTER) != 0;
    return new FilterSpec(id, optional, RawMemory.text(name), parameters);
  }

  private FillValue fill(long list, long typeId, Datatype type) {
    int defined = hdf5.intOf(Hdf5Function.P_FILL_DEFINED, list);
    if (defined != USER_FILL) {
      return defined == 0 ? new FillValue.Undefined() : new FillValue.Default();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment element = arena.allocate(type.size(), 8);
      hdf5.checked(Hdf5Function.P_GET_FILL, list, typeId, element.address());
      DataBuffer value = DataBuffer.allocate(type, 1);
      elements.toMemory(type, element.address(), 1, value);
      return new FillValue.Value(type.inMemory(), value);
    }
  }
}
