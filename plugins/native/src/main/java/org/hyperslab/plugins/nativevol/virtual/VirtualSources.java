package org.hyperslab.plugins.nativevol.virtual;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.header.VirtualMappings;
import org.hyperslab.format.heap.GlobalHeapId;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;
import org.hyperslab.plugins.nativevol.storage.DatasetContext;
import org.hyperslab.plugins.nativevol.storage.SourcePlaces;
import org.hyperslab.plugins.nativevol.storage.VirtualView;

/**
 * Finds the parts of a virtual dataset: unlimited selections are cut to the present extents of the
 * sources, and numbered names ("%b") are resolved one after another.
 *
 * <p>Thread rule: any thread, under the lock of the virtual dataset's file.
 */
final class VirtualSources {

  /**
   * The greatest number of numbered sources that are searched for; the search ends earlier when one
   * is missing.
   */
  private static final long MAX_NUMBERED = 1 << 20;

  private static final long NO_SOURCE = -1;

  private final DatasetContext context;
  private final SourceDatasets sources;
  private final GlobalHeapId id;
  private final Dataspace space;
  private final SourcePlaces places;
  private final VirtualView view;
  private final VirtualMap map;

  VirtualSources(
      DatasetContext context,
      SourceDatasets sources,
      SourcePlaces places,
      DataLayoutMessage.Virtual layout,
      VirtualMap map,
      Dataspace space) {
    this.context = context;
    this.sources = sources;
    this.places = places;
    this.space = space;
    this.view = places.view();
    this.id = id(layout);
    this.map = map;
  }

  private static GlobalHeapId id(DataLayoutMessage.Virtual layout) {
    return layout.heapAddress() == FileGeometry.UNDEFINED
        ? null
        : new GlobalHeapId(layout.heapAddress(), Math.toIntExact(layout.heapIndex()));
  }

  /** Reads the mappings of a dataset. */
  static VirtualMap read(DatasetContext context, DataLayoutMessage.Virtual layout, int rank) {
    GlobalHeapId id = id(layout);
    if (id == null) {
      return new VirtualMap(List.of(), rank);
    }
    MemorySegment block = context.heap().heap().content(id);
    MetadataReader reader =
        new MetadataReader(
            context.file().geometry(),
            "virtual dataset block",
            block.toArray(ValueLayout.JAVA_BYTE),
            context.file().baseAddress() + id.collectionAddress());
    return new VirtualMap(VirtualMappings.decode(reader, rank).mappings(), rank);
  }

  /**
   * A part that exists: elements of the virtual dataset, and the same number of elements of a
   * source.
   *
   * @param virtual the elements of the virtual dataset, within its extent
   * @param source the source dataset
   * @param selection the elements of the source
   * @param sourceExtent the extent of the source
   */
  record Part(Selection virtual, SourceDataset source, Selection selection, long[] sourceExtent) {
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /** Returns the mappings as the file states them. */
  List<VirtualMappings.Mapping> mappings() {
    return map.mappings();
  }

  /**
   * Calls an action with each part that exists and may have selected elements; a source may be used
   * only during its call.
   *
   * @param wanted the elements of the virtual dataset, within its extent
   */
  void forEachPart(Selection wanted, Consumer<Part> action) {
    if (wanted.elementCount(space.dims()) == 0) {
      return;
    }
    Selection.Bounds bounds = wanted.bounds(space.dims());
    for (int mapping : map.meeting(bounds)) {
      forEachPart(map.mappings().get(mapping), bounds, action);
    }
  }

  private void forEachPart(
      VirtualMappings.Mapping mapping, Selection.Bounds wanted, Consumer<Part> action) {
    if (!isNumbered(mapping)) {
      withSource(mapping, 0, source -> part(mapping.virtual(), mapping, source).ifPresent(action));
      return;
    }
    long[] extent = space.dims();
    RegularHyperslab virtual = (RegularHyperslab) mapping.virtual();
    int unlimited = virtual.unlimitedDimension();
    long missing = 0;
    for (long number = 0; number < MAX_NUMBERED && missing <= view.gap(); number++) {
      // Another mapping may end the extent within a block, of which the rest is read.
      long begun = virtual.extentFor(unlimited, number * virtual.block(unlimited) + 1);
      if (begun > extent[unlimited] || begun - 1 > wanted.high(unlimited)) {
        return;
      }
      if (begun - 1 + virtual.block(unlimited) <= wanted.low(unlimited)) {
        continue;
      }
      Selection block = virtual.unlimitedBlock(number);
      boolean found =
          withSource(mapping, number, source -> part(block, mapping, source).ifPresent(action));
      missing = found ? 0 : missing + 1;
    }
  }

  private Optional<Part> part(
      Selection virtual, VirtualMappings.Mapping mapping, SourceDataset source) {
    long[] extent = sourceExtent(source);
    return VirtualMatch.of(virtual, space.dims(), mapping.source(), extent)
        .map(match -> new Part(match.virtual(), source, match.source(), extent));
  }

  private static long[] sourceExtent(SourceDataset source) {
    return source.currentExtent();
  }

  /** Returns the extent that follows from the sources now, in place of the one in the header. */
  long[] extent() {
    long[] extent = space.dims();
    if (!map.isMoving()) {
      return extent;
    }
    List<VirtualMappings.Mapping> mappings = map.mappings();
    boolean[] moving = new boolean[extent.length];
    for (VirtualMappings.Mapping mapping : mappings) {
      if (mapping.virtual() instanceof RegularHyperslab virtual && virtual.isUnlimited()) {
        int dimension = virtual.unlimitedDimension();
        long reach = reach(virtual, dimension, indices(mapping, virtual));
        extent[dimension] = moving[dimension] ? further(extent[dimension], reach) : reach;
        moving[dimension] = true;
      }
    }
    for (VirtualMappings.Mapping mapping : mappings) {
      if (mapping.virtual() instanceof RegularHyperslab virtual) {
        for (int d = 0; d < extent.length; d++) {
          if (moving[d] && d != virtual.unlimitedDimension()) {
            extent[d] =
                Math.max(extent[d], virtual.extentFor(d, virtual.indicesWithin(d, Long.MAX_VALUE)));
          }
        }
      }
    }
    return extent;
  }

  /**
   * Returns the extent needed for a number of indices of a mapping. With the first-missing rule,
   * the gap after the last block does not count as missing.
   */
  private long reach(RegularHyperslab virtual, int dimension, long indices) {
    if (indices == 0 && view.firstMissing()) {
      return virtual.start(dimension);
    }
    long extent = virtual.extentFor(dimension, indices);
    boolean whole = virtual.count(dimension) != 1 && indices % virtual.block(dimension) == 0;
    return view.firstMissing() && whole && indices > 0
        ? Math.addExact(extent, virtual.stride(dimension) - virtual.block(dimension))
        : extent;
  }

  private long further(long one, long other) {
    return view.firstMissing() ? Math.min(one, other) : Math.max(one, other);
  }

  /**
   * Returns the number of indices of its unlimited dimension that a mapping fills now; {@link
   * #NO_SOURCE} if it has no source, which is less than an empty one ({@code
   * H5D__virtual_set_extent_unlim}).
   */
  private long indices(VirtualMappings.Mapping mapping, RegularHyperslab virtual) {
    if (isNumbered(mapping)) {
      long blocks = 0;
      long missing = 0;
      for (long number = 0; number < MAX_NUMBERED && missing <= view.gap(); number++) {
        if (withSource(mapping, number, source -> {})) {
          blocks = number + 1;
          missing = 0;
        } else {
          missing++;
        }
      }
      return blocks == 0 ? NO_SOURCE : blocks * virtual.block(virtual.unlimitedDimension());
    }
    long[] found = {NO_SOURCE};
    if (mapping.source() instanceof RegularHyperslab there && there.isUnlimited()) {
      int dimension = there.unlimitedDimension();
      withSource(
          mapping,
          0,
          source -> found[0] = there.indicesWithin(dimension, sourceExtent(source)[dimension]));
    }
    return found[0];
  }

  private static boolean isNumbered(VirtualMappings.Mapping mapping) {
    boolean names = isPattern(mapping.sourceFile()) || isPattern(mapping.sourceDataset());
    return names && mapping.virtual().isUnlimited() && !mapping.source().isUnlimited();
  }

  /** Returns whether a name contains a block number ("%b"). */
  static boolean isPattern(String name) {
    return name.replace("%%", "").contains("%b");
  }

  private static String numbered(String name, long block) {
    return name.replace("%%", "\0").replace("%b", Long.toString(block)).replace("\0", "%");
  }

  private boolean withSource(
      VirtualMappings.Mapping mapping, long block, Consumer<SourceDataset> action) {
    VirtualNesting.countSource(context.file().name());
    Optional<SourceDatasets.Source> opened =
        sources.open(
            places,
            numbered(mapping.sourceFile(), block),
            numbered(mapping.sourceDataset(), block));
    if (opened.isEmpty()) {
      return false;
    }
    try (SourceDatasets.Source source = opened.get()) {
      action.accept(source.dataset());
    }
    return true;
  }

  /** Frees the block of the mappings. */
  void delete() {
    if (id != null) {
      context.heap().heap().remove(id);
    }
  }
}
