package org.hyperslab.format.filter.community;

import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.BlockCodecs;

/**
 * Filter 32015, Zstandard: one frame (RFC 8878). Client data: the level.
 *
 * <p>Source: zstd_h5plugin.c of the registered plugin.
 */
public final class ZstdFilter extends ArrayFilter {

  /** The registered filter number. */
  public static final int ID = 32015;

  private static final int DEFAULT_LEVEL = 3;
  private static final int MAXIMUM_LEVEL = 22;

  /** Creates the filter, which has no state. */
  public ZstdFilter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "zstd";
  }

  @Override
  public void checkParameters(int[] clientData, FilterContext context) {
    BlockCodecs.require(BlockCodecs.Coder.ZSTD);
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    int asked = value(clientData, 0, 0);
    int level = asked == 0 ? DEFAULT_LEVEL : Math.min(asked, MAXIMUM_LEVEL);
    int capacity = BlockCodecs.maximumEncodedBytes(source.length());
    byte[] staging =
        out.scratch().state(Lz4Filter.Staging.class, Lz4Filter.Staging::new).ensure(capacity);
    BlockCodecs codecs = BlockCodecs.of(out.scratch());
    Span room = new Span(staging, 0, capacity);
    int made = codecs.encode(BlockCodecs.Coder.ZSTD, level, source, room);
    if (made > out.limitBytes()) {
      return DECLINED;
    }
    byte[] target = out.array(made);
    System.arraycopy(staging, 0, target, out.arrayOffset(), made);
    return made;
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    int capacity = (int) Math.min(out.limitBytes(), Integer.MAX_VALUE - 8);
    byte[] target = out.array(capacity);
    Span room = new Span(target, out.arrayOffset(), capacity);
    return BlockCodecs.of(out.scratch()).decode(BlockCodecs.Coder.ZSTD, source, room);
  }
}
