package org.hyperslab.format.filter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.TreeSet;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.filter.blosc.BloscFilter;
import org.hyperslab.format.filter.lz.Bzip2Filter;
import org.hyperslab.format.filter.lz.Lz4Filter;
import org.hyperslab.format.filter.lz.LzfFilter;
import org.hyperslab.format.filter.lz.ZstdFilter;
import org.hyperslab.format.filter.packing.NbitFilter;
import org.hyperslab.format.filter.packing.ScaleOffsetFilter;
import org.hyperslab.format.filter.shuffle.BitshuffleFilter;
import org.hyperslab.format.filter.shuffle.Fletcher32Filter;
import org.hyperslab.format.filter.shuffle.ShuffleFilter;
import org.hyperslab.format.filter.szip.SzipFilter;

/**
 * The filters at hand, by the number registered with The HDF Group.
 *
 * <p>{@link #standard} holds the built-in ones, then those that {@link ServiceLoader} finds for
 * {@link Filter}, then jHDF's {@code io.jhdf.filter.Filter} plugins if jHDF is there; the first of
 * a number wins.
 *
 * <p>Thread rule: immutable.
 */
public final class FilterRegistry {

  /** Names of registered filters that are not built in, so that errors can say what is missing. */
  private static final Map<Integer, String> KNOWN =
      Map.ofEntries(
          Map.entry(305, "LZO"),
          Map.entry(32002, "MAFISC"),
          Map.entry(32003, "Snappy"),
          Map.entry(32005, "APAX"),
          Map.entry(32006, "CBF"),
          Map.entry(32007, "JPEG-XR"),
          Map.entry(32009, "SPDP"),
          Map.entry(32010, "LPC-Rice"),
          Map.entry(32011, "CCSDS-123"),
          Map.entry(32012, "JPEG-LS"),
          Map.entry(32013, "ZFP"),
          Map.entry(32014, "FPZIP"),
          Map.entry(32016, "B3D"),
          Map.entry(32017, "SZ"),
          Map.entry(32018, "FCIDECOMP"),
          Map.entry(32019, "JPEG"),
          Map.entry(32020, "VBZ"),
          Map.entry(32021, "FAPEC"),
          Map.entry(32022, "BitGroom"),
          Map.entry(32023, "Granular BitRound"),
          Map.entry(32024, "SZ3"),
          Map.entry(32025, "Delta-Rice"),
          Map.entry(32026, "Blosc2"),
          Map.entry(32027, "FLAC"));

  private final Map<Integer, Filter> filters;

  private FilterRegistry(Map<Integer, Filter> filters) {
    this.filters = Map.copyOf(filters);
  }

  /** A registry of just these filters. */
  public static FilterRegistry of(List<Filter> filters) {
    Map<Integer, Filter> byId = new LinkedHashMap<>();
    filters.forEach(filter -> byId.putIfAbsent(filter.id(), filter));
    return new FilterRegistry(byId);
  }

  /** The built-in filters and those found on the class or module path. */
  public static FilterRegistry standard() {
    return Standard.INSTANCE;
  }

  /** Made at the first use; later additions to the class path are not seen. */
  private static final class Standard {
    static final FilterRegistry INSTANCE = discover();

    private static FilterRegistry discover() {
      Map<Integer, Filter> byId = new LinkedHashMap<>();
      builtIn().forEach(filter -> byId.put(filter.id(), filter));
      ServiceLoader.load(Filter.class, FilterRegistry.class.getClassLoader())
          .forEach(filter -> byId.putIfAbsent(filter.id(), filter));
      JhdfFilter.discover().forEach(filter -> byId.putIfAbsent(filter.id(), filter));
      return new FilterRegistry(byId);
    }
  }

  private static List<Filter> builtIn() {
    return List.of(
        new DeflateFilter(),
        new ShuffleFilter(),
        new Fletcher32Filter(),
        new SzipFilter(),
        new NbitFilter(),
        new ScaleOffsetFilter(),
        new Bzip2Filter(),
        new LzfFilter(),
        new BloscFilter(),
        new Lz4Filter(),
        new BitshuffleFilter(),
        new ZstdFilter());
  }

  /** The filter of that number. */
  public Optional<Filter> find(int id) {
    return Optional.ofNullable(filters.get(id));
  }

  /** The name of the filter of that number; empty if neither the filter nor its name is known. */
  public String nameOf(int id) {
    Filter found = filters.get(id);
    return found == null ? KNOWN.getOrDefault(id, "") : found.name();
  }

  /** The numbers of all filters at hand, ascending. */
  public SortedSet<Integer> ids() {
    return new TreeSet<>(filters.keySet());
  }

  /** The error for a stage whose filter is not {@code what} ("found", "able to encode"). */
  static UnsupportedFeatureException unavailable(FilterStage stage, String what) {
    String name = stage.name().isEmpty() ? KNOWN.getOrDefault(stage.id(), "") : stage.name();
    return new UnsupportedFeatureException(
        "filter not "
            + what
            + ": actual=filter "
            + stage.id()
            + (name.isEmpty() ? "" : " (" + name + ")")
            + ", expected=a built-in filter or a plugin; put a provider of "
            + Filter.class.getName()
            + " or io.jhdf.filter.Filter for it on the class path, or repack the file without it");
  }
}
