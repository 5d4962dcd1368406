package org.hyperslab.plugins.libhdf5.filter;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.hyperslab.format.filter.Filter;
import org.hyperslab.format.filter.FilterProvider;
import org.hyperslab.format.filter.FilterRegistry;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.ProgramThread;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * Finds the filters that libhdf5 knows and this project does not: those that the program registered
 * ({@code H5Zregister}) and those of filter plugins in {@code HDF5_PLUGIN_PATH}. There are none
 * outside a program of libhdf5.
 *
 * <p>libhdf5 has no public function that calls a filter or returns its class. {@code H5Z_find},
 * which its shared library exports, returns the class.
 *
 * <p>Thread rule: any thread.
 */
public final class ProgramFilters implements FilterProvider {

  /** No pointer is smaller; an {@code herr_t} is. */
  private static final int PAGE = 4096;

  /** The library of the process; null outside a program of libhdf5. */
  private static final AtomicReference<Hdf5Calls> LIBRARY = new AtomicReference<>();

  /**
   * The filters that threads of the program have found. They look for those of a dataset before
   * they create or open it, so that the threads of connectors find them here.
   */
  private static final Map<Integer, Filter> KNOWN = new ConcurrentHashMap<>();

  /** Whether a filter of the program was ever found. */
  private static final AtomicBoolean USED = new AtomicBoolean();

  /** Creates the provider; called by {@link java.util.ServiceLoader}. */
  public ProgramFilters() {}

  /** Sets the library of this process. */
  public static void use(Hdf5Calls hdf5) {
    LIBRARY.set(hdf5);
  }

  /** Returns whether the program has filters that datasets have. */
  public static boolean areUsed() {
    return USED.get();
  }

  /** Finds the filters of a dataset before a connector needs them. */
  public static void prepare(DatasetInfo info) {
    for (FilterSpec spec : info.options().filters()) {
      ProgramThread.inside(() -> FilterRegistry.standard().find(spec.id()));
    }
  }

  @Override
  public List<Filter> filters() {
    return List.of();
  }

  @Override
  public Optional<Filter> find(int id) {
    Hdf5Calls hdf5 = LIBRARY.get();
    if (hdf5 == null) {
      return Optional.empty();
    }
    if (ProgramThread.mayCall()) {
      return Optional.ofNullable(loaded(hdf5, id));
    }
    Filter known = KNOWN.get(id);
    return known != null
        ? Optional.of(known)
        : ProgramThread.find(() -> loaded(hdf5, id), () -> registered(hdf5, id));
  }

  /** Finds a filter, and loads its plugin if it must; needs the library's lock. */
  private static Filter loaded(Hdf5Calls hdf5, int id) {
    Filter found = hdf5.status(Hdf5Function.Z_AVAILABLE, id) > 0 ? registered(hdf5, id) : null;
    if (found == null) {
      KNOWN.remove(id);
    } else {
      KNOWN.put(id, found);
      USED.set(true);
    }
    return found;
  }

  /** Finds a filter in the library's table. */
  private static Filter registered(Hdf5Calls hdf5, int id) {
    if (!hdf5.has(Hdf5Function.Z_FIND)) {
      return null;
    }
    // HDF5 before 1.14.3 has H5Z_find(id), which returns the class; later ones have
    // H5Z_find(quiet, id, &class). These arguments serve both.
    long out = hdf5.scratch().address();
    RawMemory.setLong(out, 0);
    long returned = hdf5.call(Hdf5Function.Z_FIND, id, id, out);
    long stored = RawMemory.getLong(out);
    long filterClass = stored != 0 ? stored : returned;
    return filterClass > PAGE ? ProgramFilter.of(filterClass, id) : null;
  }
}
