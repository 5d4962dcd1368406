package org.hyperslab.plugins.compacting;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.space.Selection;

/**
 * Makes requests on a dataset of 16-bit integers, of which tests need to see what comes of them.
 */
final class Requests {

  static final DataKey KEY = new DataKey(1, 1);

  private final DataKey key;
  private final long[] extent;
  private long sequence;

  Requests(DataKey key, long... extent) {
    this.key = key;
    this.extent = extent;
  }

  Region region(Selection selection) {
    return Region.of(selection, extent);
  }

  /** A range of a dataset of one dimension. */
  static Selection range(long from, long to) {
    return Selection.box(new long[] {from}, new long[] {to - from});
  }

  /** Writes one value everywhere. */
  WriteRequest write(long client, Selection selection, int value) {
    Region region = region(selection);
    short[] values = new short[(int) region.elements()];
    java.util.Arrays.fill(values, (short) value);
    return new WriteRequest(key, origin(client), region, MemoryLayer.STORED, segment(values));
  }

  ReadRequest read(long client, Selection selection) {
    Region region = region(selection);
    short[] values = new short[(int) region.elements()];
    return new ReadRequest(key, origin(client), region, MemoryLayer.STORED, segment(values));
  }

  private Origin origin(long client) {
    return new Origin(client, sequence++);
  }

  private static MemorySegment segment(short[] values) {
    MemorySegment segment = MemorySegment.ofArray(new byte[2 * values.length]);
    for (int i = 0; i < values.length; i++) {
      segment.set(JAVA_SHORT_UNALIGNED, 2L * i, values[i]);
    }
    return segment;
  }

  static short[] values(RawRequest request) {
    short[] values = new short[(int) request.region().elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = request.buffer().get(JAVA_SHORT_UNALIGNED, 2L * i);
    }
    return values;
  }
}
