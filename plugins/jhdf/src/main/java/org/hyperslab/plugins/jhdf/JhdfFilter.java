package org.hyperslab.plugins.jhdf;

import io.jhdf.filter.Filter;
import java.util.Arrays;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/** Adapts a filter plugin that was written for jHDF. */
final class JhdfFilter extends ArrayFilter {

  private final Filter plugin;

  JhdfFilter(Filter plugin) {
    this.plugin = plugin;
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
    return Arrays.copyOfRange(source.array(), source.offset(), source.end());
  }

  private static int put(byte[] result, FilterOutput out) throws MalformedDataException {
    byte[] target = out.array(result.length);
    System.arraycopy(result, 0, target, out.arrayOffset(), result.length);
    return result.length;
  }
}
