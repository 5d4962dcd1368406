package org.hyperslab.format.filter;

import io.jhdf.filter.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** A filter plugin written for jHDF ({@code io.jhdf.filter.Filter}), adapted. */
final class JhdfFilter extends ArrayFilter {

  private final Filter plugin;

  private JhdfFilter(Filter plugin) {
    this.plugin = plugin;
  }

  /** The plugins found, or none if jHDF itself is not there. */
  static List<org.hyperslab.format.filter.Filter> discover() {
    List<org.hyperslab.format.filter.Filter> found = new ArrayList<>();
    try {
      for (Filter plugin : ServiceLoader.load(Filter.class, JhdfFilter.class.getClassLoader())) {
        found.add(new JhdfFilter(plugin));
      }
    } catch (NoClassDefFoundError | ServiceConfigurationError absent) {
      // jHDF is optional: without it there are no such plugins, and that is no error.
      return List.copyOf(found);
    }
    return List.copyOf(found);
  }

  @Override
  public int id() {
    return plugin.getId();
  }

  @Override
  public String name() {
    return plugin.getName();
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    return put(plugin.encode(bytes(source), clientData), out);
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    return put(plugin.decode(bytes(source), clientData), out);
  }

  private static byte[] bytes(Span source) {
    return java.util.Arrays.copyOfRange(source.array(), source.offset(), source.end());
  }

  private static int put(byte[] result, FilterOutput out) throws MalformedDataException {
    byte[] target = out.array(result.length);
    System.arraycopy(result, 0, target, out.arrayOffset(), result.length);
    return result.length;
  }
}
