package org.hyperslab.format.filter;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.TreeSet;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Finds the available filters by the number registered with The HDF Group.
 *
 * <p>{@link #standard} contains the built-in filters, then those that {@link ServiceLoader} finds
 * for {@link Filter}, then those of every {@link FilterProvider}; the first filter of a number is
 * used. The providers of this project are found without being listed as services, too.
 *
 * <p>Thread rule: immutable.
 */
public final class FilterRegistry {

  private static final String BUILT_IN = "org.hyperslab.format.filter.builtin.BuiltInFilters";

  /** The number of providers that fail to load after which the search ends. */
  private static final int MAX_FAILURES = 100;

  /**
   * The providers of this project. Where several jars were merged into one, their service files
   * often were not; the classes are there all the same.
   */
  private static final List<String> KNOWN_PROVIDERS =
      List.of(
          "org.hyperslab.plugins.jhdf.JhdfFilters",
          "org.hyperslab.plugins.libhdf5.filter.ProgramFilters");

  private final Map<Integer, Filter> filters;

  /** The reasons why providers could not be loaded; part of the error for a missing filter. */
  private final List<String> failures;

  /** Asked for filters whose number is not known. */
  private final List<FilterProvider> providers;

  private FilterRegistry(
      Map<Integer, Filter> filters, List<String> failures, List<FilterProvider> providers) {
    this.filters = Map.copyOf(filters);
    this.failures = List.copyOf(failures);
    this.providers = List.copyOf(providers);
  }

  /**
   * {@return a registry of only these filters}
   *
   * @param filters the filters; the first of a number is used
   */
  public static FilterRegistry of(List<Filter> filters) {
    Map<Integer, Filter> byId = new LinkedHashMap<>();
    filters.forEach(filter -> byId.putIfAbsent(filter.id(), filter));
    return new FilterRegistry(byId, List.of(), List.of());
  }

  /** {@return the built-in filters and those found on the class or module path} */
  public static FilterRegistry standard() {
    return Standard.INSTANCE;
  }

  /** Holds the registry made at the first use; later additions to the class path are not seen. */
  private static final class Standard {
    static final FilterRegistry INSTANCE = discover();

    private static FilterRegistry discover() {
      Map<Integer, Filter> byId = new LinkedHashMap<>();
      List<String> failures = new ArrayList<>();
      builtIn().forEach(filter -> byId.put(filter.id(), filter));
      load(Filter.class, failures).forEach(filter -> byId.putIfAbsent(filter.id(), filter));
      List<FilterProvider> providers = load(FilterProvider.class, failures);
      KNOWN_PROVIDERS.forEach(type -> addKnown(type, providers));
      for (FilterProvider provider : providers) {
        provider.filters().forEach(filter -> byId.putIfAbsent(filter.id(), filter));
      }
      List<FilterProvider> all = new ArrayList<>(providers);
      all.add(PluginFilters.configured());
      return new FilterRegistry(byId, failures, all);
    }

    /** Adds a provider of this project whose class is there and which was not found. */
    private static void addKnown(String type, List<FilterProvider> providers) {
      if (providers.stream().anyMatch(found -> found.getClass().getName().equals(type))) {
        return;
      }
      try {
        Class<?> known = Class.forName(type, true, FilterRegistry.class.getClassLoader());
        providers.add((FilterProvider) known.getConstructor().newInstance());
      } catch (ReflectiveOperationException | LinkageError absent) {
        return; // or in a module, which is found as a provider of the service
      }
    }

    /**
     * Loads the providers of a service; one that cannot be loaded must not prevent the use of all
     * others.
     */
    private static <T> List<T> load(Class<T> service, List<String> failures) {
      List<T> found = new ArrayList<>();
      Iterator<T> providers =
          ServiceLoader.load(service, FilterRegistry.class.getClassLoader()).iterator();
      boolean more = true;
      while (more && failures.size() < MAX_FAILURES) {
        try {
          more = providers.hasNext();
          if (more) {
            found.add(providers.next());
          }
        } catch (ServiceConfigurationError broken) {
          failures.add(String.valueOf(broken.getMessage()));
        }
      }
      return found;
    }
  }

  /** Returns the filters of this project, which are in a package above this one. */
  private static List<Filter> builtIn() {
    try {
      Class<?> type = Class.forName(BUILT_IN, true, FilterRegistry.class.getClassLoader());
      return ((FilterProvider) type.getConstructor().newInstance()).filters();
    } catch (ReflectiveOperationException missing) {
      throw new InternalErrorException("class of the built-in filters", missing);
    }
  }

  /**
   * {@return the filter with a registered number} One of a provider takes the place of a filter of
   * this registry that only decodes.
   *
   * @param id the filter's registered number
   */
  public Optional<Filter> find(int id) {
    Filter known = filters.get(id);
    if (known != null && known.canEncode()) {
      return Optional.of(known);
    }
    for (FilterProvider provider : providers) {
      Optional<Filter> found = provider.find(id);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.ofNullable(known);
  }

  /**
   * {@return the name of the filter with a registered number; empty if neither the filter nor its
   * name is known}
   *
   * @param id the filter's registered number
   */
  public String nameOf(int id) {
    Filter found = filters.get(id);
    return found == null
        ? RegisteredFilter.of(id).map(RegisteredFilter::title).orElse("")
        : found.name();
  }

  /** {@return the numbers of all available filters, ascending} */
  public SortedSet<Integer> ids() {
    return new TreeSet<>(filters.keySet());
  }

  /** Returns the error for a stage whose filter is not {@code what} ("found", "able to encode"). */
  static UnsupportedFeatureException unavailable(FilterStage stage, String what) {
    List<String> failures = standard().failures;
    Optional<RegisteredFilter> registered = RegisteredFilter.of(stage.id());
    String name = registered.map(RegisteredFilter::title).orElse(stage.name());
    return new UnsupportedFeatureException(
        "filter not "
            + what
            + ": actual=filter "
            + stage.id()
            + (name.isEmpty() ? "" : " (" + name + ")")
            + ", expected=a built-in filter or a plugin; "
            + registered
                .map(known -> "a plugin for HDF5 is to be had at " + known.source() + "; ")
                .orElse("")
            + "set "
            + PluginFilters.PROPERTY
            + " to the folder of HDF5's plugin for it, or put a provider of "
            + Filter.class.getName()
            + " on the class path (a plugin of jHDF needs hyperslab-jhdf beside it), or repack the"
            + " file without it"
            + (failures.isEmpty() ? "" : "; providers that could not be loaded: " + failures));
  }
}
