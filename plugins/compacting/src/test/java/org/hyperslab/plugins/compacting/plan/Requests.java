package org.hyperslab.plugins.compacting.plan;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.plugins.compacting.report.RequestOrigin;

/** Makes requests on a dataset of 16-bit integers. */
public final class Requests {

  /** The type that the dataset stores. */
  public static final ElementKind STORED = new ElementKind(Datatypes.I16LE, true);

  /** A type that needs conversion. */
  public static final ElementKind WIDE = new ElementKind(Datatypes.I32LE, false);

  /** The key of a dataset. */
  public static final DataKey KEY = new DataKey(1, 1);

  private final DataKey key;
  private final long[] extent;
  private long sequence;

  public Requests(DataKey key, long... extent) {
    this.key = key;
    this.extent = extent;
  }

  public Region region(Selection selection) {
    return Region.of(selection, extent);
  }

  /** A range of a dataset of one dimension. */
  public static Selection range(long from, long to) {
    return Selection.box(new long[] {from}, new long[] {to - from});
  }

  /** Writes one value everywhere. */
  public WriteRequest write(long client, Selection selection, int value) {
    Region region = region(selection);
    short[] values = new short[(int) region.elements()];
    Arrays.fill(values, (short) value);
    return new WriteRequest(key, origin(client), region, STORED, segment(values));
  }

  public ReadRequest read(long client, Selection selection) {
    Region region = region(selection);
    short[] values = new short[(int) region.elements()];
    return new ReadRequest(key, origin(client), region, STORED, segment(values));
  }

  private RequestOrigin origin(long client) {
    return new RequestOrigin(client, sequence++);
  }

  private static MemorySegment segment(short[] values) {
    MemorySegment segment = MemorySegment.ofArray(new byte[2 * values.length]);
    for (int i = 0; i < values.length; i++) {
      segment.set(JAVA_SHORT_UNALIGNED, 2L * i, values[i]);
    }
    return segment;
  }

  public static short[] values(RawRequest request) {
    short[] values = new short[(int) request.region().elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = request.buffer().get(JAVA_SHORT_UNALIGNED, 2L * i);
    }
    return values;
  }
}
