package org.hyperslab.plugins.libhdf5.translate;

import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.FilterRegistry;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.ProgramThread;
import org.hyperslab.plugins.libhdf5.filter.ProgramFilter;

/**
 * Asks the filters of the program whether they can be applied to a new dataset, and lets them set
 * their parameters for it, as libhdf5 does. The callbacks "can apply" and "set local" get a copy of
 * the creation list, the type, and the shape of a chunk.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class LocalFilters {

  private final Hdf5Calls hdf5;
  private final SpaceTranslator spaces;
  private final PropertyReader properties;

  public LocalFilters(Hdf5Calls hdf5, SpaceTranslator spaces, PropertyReader properties) {
    this.hdf5 = hdf5;
    this.spaces = spaces;
    this.properties = properties;
  }

  /**
   * Returns the options of a dataset with the parameters that the program's filters set.
   *
   * @param options the options that were read from the list
   * @param list the creation list
   * @param typeId the library's identifier of the type
   * @throws InvalidUseException if a filter that is not optional cannot be applied, or fails
   */
  public DatasetOptions applied(DatasetOptions options, long list, long typeId) {
    if (options.filters().isEmpty() || !(options.layout() instanceof Layout.Chunked chunks)) {
      return options;
    }
    List<ProgramFilter> own =
        options.filters().stream()
            .map(spec ->
                ProgramThread.inside(() -> FilterRegistry.standard().find(spec.id())).orElse(null))
            .filter(ProgramFilter.class::isInstance)
            .map(ProgramFilter.class::cast)
            .toList();
    if (own.isEmpty()) {
      return options;
    }
    long copy = hdf5.id(Hdf5Function.P_COPY, list);
    long space = spaces.create(Dataspace.simple(dims(chunks)));
    try {
      own.forEach(filter -> requireApplicable(filter, options, copy, typeId, space));
      own.forEach(filter -> setLocal(filter, copy, typeId, space));
      return options.toBuilder().filters(properties.filters(copy)).build();
    } finally {
      hdf5.call(Hdf5Function.S_CLOSE, space);
      hdf5.call(Hdf5Function.P_CLOSE, copy);
    }
  }

  private static long[] dims(Layout.Chunked chunks) {
    return chunks.dims().stream().mapToLong(Long::longValue).toArray();
  }

  private static void requireApplicable(
      ProgramFilter filter, DatasetOptions options, long list, long type, long space) {
    int answer = filter.canApply(list, type, space);
    boolean optional =
        options.filters().stream()
            .filter(spec -> spec.id() == filter.id())
            .allMatch(FilterSpec::optional);
    if (answer < 0 || (answer == 0 && !optional)) {
      throw new InvalidUseException(
          "filter "
              + filter.id()
              + " ("
              + filter.name()
              + "): actual="
              + (answer < 0 ? "its function \"can apply\" failed" : "cannot be applied")
              + ", expected=a filter for this type and shape of chunks");
    }
  }

  private static void setLocal(ProgramFilter filter, long list, long type, long space) {
    if (!filter.setLocal(list, type, space)) {
      throw new InvalidUseException(
          "filter "
              + filter.id()
              + " ("
              + filter.name()
              + "): actual=its function \"set local\" failed, expected=success");
    }
  }
}
