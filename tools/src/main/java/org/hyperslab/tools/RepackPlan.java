package org.hyperslab.tools;

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
 * What is to become of layouts, filters and structures.
 *
 * @param filters filters by dataset path; the empty path stands for all others. No entry: as they
 *     are
 * @param layouts layouts by dataset path, likewise
 * @param smallestFilteredBytes datasets of fewer bytes are not given filters
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
   * @param space how file space is managed; empty for as in the original
   * @param properties what else the file is opened with, such as {@code alignment}
   */
  public record FileRules(
      FormatVersion low,
      FormatVersion high,
      OptionalLong userBlockBytes,
      Optional<SpaceStrategy> space,
      Map<String, String> properties) {

    /** As the original, in structures that HDF5 1.10 reads where the original's are no newer. */
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
   * Rules for all objects.
   *
   * @param order the order in which links and attributes are copied; empty for that of creation
   *     where it is known, and of names elsewhere
   * @param descending whether that order is turned round
   * @param maxCompactLinks the most links in a group's header; empty for as in the original
   * @param minDenseLinks the fewest links outside of it, likewise
   * @param nativeTypes whether numbers become the machine's own
   */
  public record ObjectRules(
      Optional<IterationIndex> order,
      boolean descending,
      OptionalInt maxCompactLinks,
      OptionalInt minDenseLinks,
      boolean nativeTypes) {

    /** As the original. */
    public static final ObjectRules AS_IS =
        new ObjectRules(Optional.empty(), false, OptionalInt.empty(), OptionalInt.empty(), false);

    /** Returns the order for something whose order of creation is known or not. */
    IterationIndex order(boolean creationOrderTracked) {
      IterationIndex wished = order.orElse(IterationIndex.CREATION_ORDER);
      return creationOrderTracked ? wished : IterationIndex.NAME;
    }

    /** Returns what a group is created with. */
    GroupOptions group(GroupOptions original) {
      if (maxCompactLinks.isEmpty() && minDenseLinks.isEmpty()) {
        return original;
      }
      int most = maxCompactLinks.orElse(Math.max(original.maxCompact(), minDenseLinks.orElse(0)));
      int fewest = minDenseLinks.orElse(Math.min(original.minDense(), most));
      return original.withPhaseChange(most, fewest);
    }

    /** Returns what elements of a type are stored as. */
    Datatype type(Datatype original) {
      return nativeTypes ? NativeTypes.of(original) : original;
    }
  }

  /** Larger datasets become contiguous where compact is asked for, as in h5repack. */
  private static final int MOST_COMPACT = 63 << 10;

  /** Everything as it is, in structures that HDF5 1.10 reads. */
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
   * Decides how the new file is created.
   *
   * @param original how the original was created
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

  /** Returns whether datasets are told apart by their paths. */
  boolean usesPaths() {
    return !paths().isEmpty();
  }

  /** Returns whether a dataset is named by its path. */
  boolean names(String path) {
    return filters.containsKey(path) || layouts.containsKey(path);
  }

  private static <T> Optional<T> chosen(Map<String, T> byPath, String path) {
    T own = byPath.get(path);
    return Optional.ofNullable(own != null ? own : byPath.get(""));
  }

  /** Returns what a dataset at a path is created with. */
  DatasetOptions options(String path, DatasetInfo info) {
    DatasetOptions old = info.options();
    Optional<Layout> layout = chosen(layouts, path).filter(each -> fits(each, info.space()));
    if (layout.isPresent()
        && layout.get() instanceof Layout.Compact
        && bytes(info) > MOST_COMPACT) {
      layout = Optional.of(new Layout.Contiguous());
    }
    Optional<List<FilterSpec>> wanted = chosen(filters, path).map(all -> usable(all, info.type()));
    if (info.space().kind() != Dataspace.Kind.SIMPLE) {
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
    return builder.build();
  }

  /**
   * Returns whether a dataset of an extent can have a layout: chunks need its rank, and only chunks
   * can grow. One that cannot keeps its own, as h5repack leaves it.
   */
  private static boolean fits(Layout layout, Dataspace space) {
    return layout instanceof Layout.Chunked chunked
        ? chunked.dims().size() == space.rank()
        : !space.isExtendible();
  }

  /**
   * Values of variable length are not in the chunks: only filters that may be left out fit them.
   */
  private static List<FilterSpec> usable(List<FilterSpec> all, Datatype type) {
    return type.hasOutOfLineParts() ? all.stream().filter(FilterSpec::optional).toList() : all;
  }

  /** Chunks that are in no dimension larger than the extent can become. */
  private static Layout clipped(Layout.Chunked chunked, Dataspace space) {
    long[] dims = chunked.dimsArray();
    long[] most = space.maxDims();
    for (int d = 0; d < dims.length; d++) {
      dims[d] = most[d] == Dataspace.UNLIMITED ? dims[d] : Math.clamp(most[d], 1, dims[d]);
    }
    return new Layout.Chunked(
        Arrays.stream(dims).boxed().toList(), chunked.filterPartialEdgeChunks());
  }

  /**
   * Returns the number of bytes of a dataset's elements, {@link Long#MAX_VALUE} if they are more
   * than that.
   */
  static long bytes(DatasetInfo info) {
    long count = info.space().elementCount();
    int size = info.type().size();
    return count > Long.MAX_VALUE / size ? Long.MAX_VALUE : count * size;
  }
}
