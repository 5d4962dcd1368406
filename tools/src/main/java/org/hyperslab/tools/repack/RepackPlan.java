package org.hyperslab.tools.repack;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.tools.walk.NativeTypes;

/**
 * A plan for the layouts, filters and structures of a repacked file.
 *
 * @param filters the filters by dataset path; the empty path stands for all others, and without an
 *     entry filters are unchanged
 * @param layouts the layouts by dataset path, in the same form
 * @param smallestFilteredBytes the least size of a dataset that gets filters, in bytes
 * @param file rules for the file as a whole
 * @param objects rules for all objects
 */
record RepackPlan(
    Map<String, List<FilterSpec>> filters,
    Map<String, Layout> layouts,
    long smallestFilteredBytes,
    FileRules file,
    ObjectRules objects) {

  /**
   * Rules for the file as a whole.
   *
   * @param low the oldest structures of the new file
   * @param high the newest structures of the new file
   * @param userBlockBytes the size of the user block; empty for that of the original
   * @param space the file space strategy; empty for that of the original
   * @param properties further properties for opening the file, such as {@code alignment}
   */
  public record FileRules(
      FormatVersion low,
      FormatVersion high,
      OptionalLong userBlockBytes,
      Optional<SpaceStrategy> space,
      Map<String, String> properties) {

    /**
     * Keeps the original's rules, in structures that HDF5 1.10 reads unless the original's are
     * newer.
     */
    public static final FileRules AS_IS =
        new FileRules(
            FormatVersion.V110,
            FormatVersion.LATEST,
            OptionalLong.empty(),
            Optional.empty(),
            Map.of());

    /** Copies the properties. */
    public FileRules {
      properties = Map.copyOf(properties);
    }
  }

  /**
   * Rules for soft and external links, as h5repack 2.x has them.
   *
   * @param merged whether links are replaced by copies of what they lead to, inside which external
   *     links are replaced, too
   * @param pruned whether links that are not replaced are left out
   */
  public record LinkRules(boolean merged, boolean pruned) {

    /** Copies links as links. */
    public static final LinkRules AS_IS = new LinkRules(false, false);
  }

  /**
   * Rules for all objects.
   *
   * @param order the order in which links and attributes are copied; empty for creation order if it
   *     is tracked, otherwise by name
   * @param descending whether that order is reversed
   * @param maxCompactLinks the greatest number of links in a group's header; empty for that of the
   *     original
   * @param minDenseLinks the least number of links outside of it; empty for that of the original
   * @param nativeTypes whether numbers are converted to the machine's native types
   * @param links what becomes of soft and external links
   */
  public record ObjectRules(
      Optional<IterationIndex> order,
      boolean descending,
      OptionalInt maxCompactLinks,
      OptionalInt minDenseLinks,
      boolean nativeTypes,
      LinkRules links) {

    /** Keeps the original's rules. */
    public static final ObjectRules AS_IS =
        new ObjectRules(
            Optional.empty(),
            false,
            OptionalInt.empty(),
            OptionalInt.empty(),
            false,
            LinkRules.AS_IS);

    /** Returns the order for an object, which depends on whether its creation order is tracked. */
    IterationIndex order(boolean creationOrderTracked) {
      IterationIndex wished = order.orElse(IterationIndex.CREATION_ORDER);
      return creationOrderTracked ? wished : IterationIndex.NAME;
    }

    /** Returns the creation options of a group. */
    GroupOptions group(GroupOptions original) {
      if (maxCompactLinks.isEmpty() && minDenseLinks.isEmpty()) {
        return original;
      }
      int most = maxCompactLinks.orElse(Math.max(original.maxCompact(), minDenseLinks.orElse(0)));
      int fewest = minDenseLinks.orElse(Math.min(original.minDense(), most));
      return original.withPhaseChange(most, fewest);
    }

    /** Returns the stored type for elements of a type. */
    Datatype type(Datatype original) {
      return nativeTypes ? NativeTypes.of(original) : original;
    }
  }

  /**
   * The greatest compact dataset, in bytes; larger ones become contiguous instead, as in h5repack.
   */
  private static final int MAX_COMPACT = 63 << 10;

  private static final int SZIP = 4;

  /** Keeps everything, in structures that HDF5 1.10 reads. */
  public static final RepackPlan AS_IS =
      new RepackPlan(Map.of(), Map.of(), 0, FileRules.AS_IS, ObjectRules.AS_IS);

  /** Copies the maps. */
  public RepackPlan {
    filters = Map.copyOf(filters);
    layouts = Map.copyOf(layouts);
  }

  /**
   * Changes the bounds on the format versions of the new file.
   *
   * @param low the oldest version to use
   * @param high the newest version to use
   * @return the changed plan
   */
  public RepackPlan withBounds(FormatVersion low, FormatVersion high) {
    FileRules rules = new FileRules(low, high, file.userBlockBytes, file.space, file.properties);
    return new RepackPlan(filters, layouts, smallestFilteredBytes, rules, objects);
  }

  /**
   * Returns the creation options of the new file.
   *
   * @param original the creation options of the original
   * @return the options for the new file
   */
  public CreateOptions creation(CreateOptions original) {
    OpenOptions access = OpenOptions.EDIT.withBounds(file.low, file.high);
    for (Map.Entry<String, String> property : file.properties.entrySet()) {
      access = access.withProperty(property.getKey(), property.getValue());
    }
    return original
        .withExclusive(false)
        .withRoot(objects.group(original.root()))
        .withUserBlock(file.userBlockBytes.orElse(original.userBlockBytes()))
        .withSpace(file.space.orElse(original.space()))
        .withAccess(access);
  }

  /** Returns the paths of datasets with rules of their own. */
  Set<String> paths() {
    Set<String> all = new TreeSet<>(filters.keySet());
    all.addAll(layouts.keySet());
    all.remove("");
    return all;
  }

  /** Returns whether rules depend on the paths of datasets. */
  boolean usesPaths() {
    return !paths().isEmpty();
  }

  /** Returns whether a dataset has rules of its own. */
  boolean names(String path) {
    return filters.containsKey(path) || layouts.containsKey(path);
  }

  private static <T> Optional<T> chosen(Map<String, T> byPath, String path) {
    T own = byPath.get(path);
    return Optional.ofNullable(own != null ? own : byPath.get(""));
  }

  /** Returns the creation options of a dataset at a path. */
  DatasetOptions options(String path, DatasetInfo info) {
    DatasetOptions old = info.options();
    Optional<Layout> layout = chosen(layouts, path).filter(each -> fits(each, info));
    if (layout.isPresent() && layout.get() instanceof Layout.Compact && bytes(info) > MAX_COMPACT) {
      layout = Optional.of(new Layout.Contiguous());
    }
    Optional<List<FilterSpec>> wanted = chosen(filters, path).map(all -> usable(all, info.type()));
    if (info.space().kind() != Dataspace.Kind.SIMPLE
        || wanted.filter(all -> tooLargeBlocks(all, info.space())).isPresent()) {
      return old;
    }
    if (layout.isPresent() && layout.get() instanceof Layout.Chunked chunked) {
      layout = Optional.of(clipped(chunked, info.space()));
    }
    DatasetOptions.Builder builder = old.toBuilder();
    layout.ifPresent(builder::layout);
    Layout resulting = layout.orElse(old.layout());
    boolean filterable =
        !(resulting instanceof Layout.Virtual) && !(resulting instanceof Layout.External);
    if (wanted.isPresent() && filterable && bytes(info) >= smallestFilteredBytes) {
      builder.filters(wanted.get());
      if (!wanted.get().isEmpty() && !(resulting instanceof Layout.Chunked)) {
        builder.layout(new Layout.Auto());
      }
    } else if (!(resulting instanceof Layout.Chunked) && !(resulting instanceof Layout.Auto)) {
      builder.filters(List.of());
    }
    DatasetOptions changed = builder.build();
    boolean usual = old.allocationTime() == usualTime(old.layout());
    return usual && usualTime(changed.layout()) != usualTime(old.layout())
        ? changed.toBuilder().allocationTime(AllocationTime.DEFAULT).build()
        : changed;
  }

  /** Returns when the library allocates storage of a layout, unless it is set otherwise. */
  private static AllocationTime usualTime(Layout layout) {
    return switch (layout) {
      case Layout.Compact _ -> AllocationTime.EARLY;
      case Layout.Contiguous _, Layout.External _ -> AllocationTime.LATE;
      case Layout.Chunked _, Layout.Auto _, Layout.Virtual _ -> AllocationTime.INCREMENTAL;
    };
  }

  /**
   * Returns the extent of a dataset's copy. Only chunked datasets can grow, so that of a dataset
   * that gets another layout is fixed, as in h5repack.
   */
  static Dataspace space(DatasetInfo info, DatasetOptions options) {
    boolean was = info.options().layout() instanceof Layout.Chunked;
    boolean cannotGrow =
        options.layout() instanceof Layout.Contiguous || options.layout() instanceof Layout.Compact;
    return was && cannotGrow ? Dataspace.simple(info.space().dims()) : info.space();
  }

  /**
   * Returns whether a dataset can have a layout. Chunks need its rank, and a dataset that can grow
   * stays so if it is too large to become compact. It then keeps its layout, as in h5repack.
   */
  private static boolean fits(Layout layout, DatasetInfo info) {
    Dataspace space = info.space();
    return switch (layout) {
      case Layout.Chunked chunked -> chunked.dims().size() == space.rank();
      case Layout.Compact _ -> !space.isExtendible() || bytes(info) <= MAX_COMPACT;
      default -> true;
    };
  }

  /** Returns whether blocks of szip have more elements than a dataset, which HDF5 rejects. */
  private static boolean tooLargeBlocks(List<FilterSpec> filters, Dataspace space) {
    return filters.stream()
        .anyMatch(filter ->
            filter.id() == SZIP
                && filter.parameters().size() > 1
                && filter.parameters().get(1) > space.elementCount());
  }

  /**
   * Returns the filters that suit a type. Variable-length values are not in the chunks, so only
   * optional filters suit them.
   */
  private static List<FilterSpec> usable(List<FilterSpec> all, Datatype type) {
    return type.hasOutOfLineParts() ? all.stream().filter(FilterSpec::optional).toList() : all;
  }

  /** Returns chunks that are in no dimension larger than the maximum extent. */
  private static Layout clipped(Layout.Chunked chunked, Dataspace space) {
    long[] dims = chunked.dimsArray();
    long[] most = space.maxDims();
    for (int d = 0; d < dims.length; d++) {
      dims[d] = most[d] == Dataspace.UNLIMITED ? dims[d] : Math.clamp(most[d], 1, dims[d]);
    }
    return new Layout.Chunked(
        Arrays.stream(dims).boxed().toList(), chunked.filterPartialEdgeChunks());
  }

  /** Returns the number of bytes of a dataset's elements, at most {@link Long#MAX_VALUE}. */
  static long bytes(DatasetInfo info) {
    long count = info.space().elementCount();
    int size = info.type().size();
    return count > Long.MAX_VALUE / size ? Long.MAX_VALUE : count * size;
  }
}
