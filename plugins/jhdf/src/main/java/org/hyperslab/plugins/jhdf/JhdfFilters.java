package org.hyperslab.plugins.jhdf;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.hyperslab.format.filter.Filter;
import org.hyperslab.format.filter.FilterProvider;

/**
 * Finds the filter plugins that were written for jHDF ({@code io.jhdf.filter.Filter}), so that
 * every connector can use them.
 *
 * <p>Thread rule: stateless.
 */
public final class JhdfFilters implements FilterProvider {

  /** Made by {@link ServiceLoader}. */
  public JhdfFilters() {}

  @Override
  public List<Filter> filters() {
    List<Filter> found = new ArrayList<>();
    try {
      for (io.jhdf.filter.Filter plugin :
          ServiceLoader.load(io.jhdf.filter.Filter.class, JhdfFilters.class.getClassLoader())) {
        found.add(new JhdfFilter(plugin));
      }
    } catch (NoClassDefFoundError | ServiceConfigurationError incomplete) {
      // A plugin that cannot be loaded matters only to a file that needs it, whose error names the
      // filter.
      return List.copyOf(found);
    }
    return List.copyOf(found);
  }
}
