package org.hyperslab.plugins.jhdf;

import io.jhdf.filter.Filter;

/** A jHDF plugin for tests, numbered 65000: inverts every bit. */
public final class NegatingPlugin implements Filter {

  /** Creates a plugin; required by ServiceLoader. */
  public NegatingPlugin() {}

  @Override
  public int getId() {
    return 65_000;
  }

  @Override
  public String getName() {
    return "negate";
  }

  @Override
  public byte[] decode(byte[] encoded, int[] filterData) {
    byte[] decoded = encoded.clone();
    for (int i = 0; i < decoded.length; i++) {
      decoded[i] = (byte) ~decoded[i];
    }
    return decoded;
  }

  @Override
  public byte[] encode(byte[] data, int[] filterData) {
    return decode(data, filterData);
  }
}
