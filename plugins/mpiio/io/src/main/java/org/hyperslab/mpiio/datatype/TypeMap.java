package org.hyperslab.mpiio.datatype;

import static java.lang.Math.addExact;
import static java.lang.Math.multiplyExact;

import java.util.Arrays;
import java.util.List;

/**
 * The places of a datatype's bytes: runs of bytes in packed order, which need not be ascending. A
 * byte has two addresses: its <em>offset</em> from the type's origin, which may be negative, and
 * its <em>packed position</em>, 0 up to {@link #size()}.
 *
 * <p>The map is a tree that keeps regular parts compressed: {@link Dense} is one run, {@link
 * Repeated} copies of a map at equal distances, {@link Listed} runs at any places, and {@link
 * Joined} a concatenation of maps. The factories keep it canonical: a map of one run is {@code
 * Dense}. Positions are found in O(depth × log(entries)). Immutable. Sizes and offsets that do not
 * fit a long throw {@link ArithmeticException}, which {@link DerivedType} reports as wrong use.
 */
public abstract sealed class TypeMap {

  /** The map of no bytes. */
  static final TypeMap EMPTY = new Dense(0, 0);

  private final long size;
  private final long low;
  private final long high;
  private final long runs;
  private final boolean ascending;

  private TypeMap(long size, long low, long high, long runs, boolean ascending) {
    this.size = size;
    this.low = low;
    this.high = high;
    this.runs = runs;
    this.ascending = ascending;
  }

  /** {@return the number of bytes} */
  public final long size() {
    return size;
  }

  /** {@return the lowest offset of a byte; 0 if there are none} */
  public final long low() {
    return low;
  }

  /** {@return one past the highest offset of a byte; 0 if there are none} */
  public final long high() {
    return high;
  }

  /** {@return an upper bound of the number of runs; adjacent runs may be counted separately} */
  public final long runs() {
    return runs;
  }

  /** {@return whether offsets ascend in the packed order, and no byte occurs twice} */
  public final boolean ascending() {
    return ascending;
  }

  /** {@return whether the map has at most one run} */
  public final boolean isDense() {
    return this instanceof Dense;
  }

  /**
   * {@return {@code count} copies of this map, the i-th displaced by {@code first + i * stride}
   * bytes}
   *
   * @param first the displacement of the first copy, in bytes
   * @param count the number of copies
   * @param stride bytes from one copy to the next
   * @throws ArithmeticException if a size or an offset does not fit a long
   */
  public final TypeMap repeated(long first, long count, long stride) {
    if (count == 0 || size == 0) {
      return EMPTY;
    }
    if (count == 1) {
      return shifted(first);
    }
    if (this instanceof Dense && stride == size) {
      return new Dense(addExact(first, low), multiplyExact(count, size));
    }
    if (this instanceof Repeated r && r.count == 1) {
      return Repeated.of(r.child, addExact(first, r.first), count, stride);
    }
    if (this instanceof Repeated r && stride == multiplyExact(r.count, r.stride)) {
      return Repeated.of(
          r.child, addExact(first, r.first), multiplyExact(count, r.count), r.stride);
    }
    return Repeated.of(this, first, count, stride);
  }

  /** Returns this map, displaced by some bytes. */
  final TypeMap shifted(long by) {
    return by == 0
        ? this
        : switch (this) {
          case Dense dense -> new Dense(addExact(dense.low(), by), dense.size());
          case Repeated r -> Repeated.of(r.child, addExact(r.first, by), r.count, r.stride);
          case Listed listed -> Repeated.of(listed, by, 1, 0);
          case Joined joined -> Repeated.of(joined, by, 1, 0);
        };
  }

  /** Returns a map of one run. */
  static TypeMap dense(long offset, long length) {
    return length == 0 ? EMPTY : new Dense(offset, length);
  }

  /** Returns a map of runs at any places; empty runs are dropped and adjacent ones joined. */
  static TypeMap listed(long[] offsets, long[] lengths) {
    long[] starts = new long[offsets.length];
    long[] packed = new long[offsets.length + 1];
    int n = 0;
    for (int i = 0; i < offsets.length; i++) {
      if (lengths[i] == 0) {
        continue;
      }
      boolean touches = n > 0 && starts[n - 1] + packed[n] - packed[n - 1] == offsets[i];
      if (touches) {
        packed[n] = addExact(packed[n], lengths[i]);
      } else {
        starts[n] = offsets[i];
        packed[n + 1] = addExact(packed[n], lengths[i]);
        n++;
      }
    }
    return compressed(n, starts, packed);
  }

  private static TypeMap compressed(int n, long[] starts, long[] packed) {
    if (n <= 1) {
      return n == 0 ? EMPTY : dense(starts[0], packed[1]);
    }
    long length = packed[1];
    long stride = starts[1] - starts[0];
    for (int i = 1; i < n; i++) {
      if (packed[i + 1] - packed[i] != length || starts[i] - starts[i - 1] != stride) {
        return new Listed(Arrays.copyOf(starts, n), Arrays.copyOf(packed, n + 1));
      }
    }
    return dense(0, length).repeated(starts[0], n, stride);
  }

  /** Returns the concatenation of maps. */
  static TypeMap joined(List<TypeMap> maps) {
    List<TypeMap> parts = maps.stream().filter(m -> m.size() > 0).toList();
    if (parts.size() <= 1) {
      return parts.isEmpty() ? EMPTY : parts.getFirst();
    }
    if (parts.stream().allMatch(TypeMap::isDense)) {
      return listed(
          parts.stream().mapToLong(TypeMap::low).toArray(),
          parts.stream().mapToLong(TypeMap::size).toArray());
    }
    return new Joined(parts.toArray(TypeMap[]::new));
  }

  /**
   * {@return the offset of the byte at a packed position}
   *
   * @param position from 0 to {@code size() - 1}
   */
  public abstract long offsetAt(long position);

  /**
   * {@return the number of bytes below an offset; only for ascending maps}
   *
   * @param offset an offset in bytes
   */
  public abstract long packedBefore(long offset);

  /**
   * Passes the packed positions from {@code from} to {@code to} to a consumer as groups of equal
   * runs, in order; adjacent runs are not joined.
   *
   * @param from the first packed byte
   * @param to the packed byte after the last
   * @param consumer receives each group
   */
  public final void forEachGroup(long from, long to, GroupConsumer consumer) {
    if (from < 0 || to < from || to > size) {
      throw new IndexOutOfBoundsException(from + ".." + to + " of " + size);
    }
    groups(0, from, to, consumer);
  }

  /**
   * {@return the approximate number of groups that {@link #forEachGroup} passes for the whole map}
   */
  public abstract long groups();

  abstract void groups(long base, long from, long to, GroupConsumer consumer);

  /** Receives groups of runs of equal length at equal distances. */
  @FunctionalInterface
  public interface GroupConsumer {
    /**
     * Receives a group: the i-th of {@code count} runs of {@code length} bytes is at {@code offset
     * + i * stride}.
     *
     * @param offset an offset in bytes
     * @param length the number of bytes of a run
     * @param stride the distance between runs; any number if {@code count} is 1 or the map is not
     *     ascending
     * @param count the number of copies
     */
    void accept(long offset, long length, long stride, long count);
  }

  /**
   * {@return a cursor over the runs of packed positions {@code from} to {@code to}, with adjacent
   * runs joined}
   *
   * @param from the first packed byte
   * @param to the packed byte after the last
   */
  public final TypeMapCursor runs(long from, long to) {
    return new TypeMapCursor(this, from, to);
  }

  /** {@return a cursor over all runs} */
  public final TypeMapCursor cursor() {
    return new TypeMapCursor(this, 0, size);
  }

  /** One run of bytes. */
  static final class Dense extends TypeMap {
    Dense(long offset, long length) {
      super(length, offset, addExact(offset, length), length == 0 ? 0 : 1, true);
    }

    @Override
    public long groups() {
      return runs();
    }

    @Override
    void groups(long base, long from, long to, GroupConsumer consumer) {
      if (to > from) {
        consumer.accept(base + low() + from, to - from, to - from, 1);
      }
    }

    @Override
    public long offsetAt(long position) {
      return low() + position;
    }

    @Override
    public long packedBefore(long offset) {
      return offset <= low() ? 0 : offset >= high() ? size() : offset - low();
    }
  }

  /** {@code count} times the child, displaced by {@code first + i * stride}; count is positive. */
  static final class Repeated extends TypeMap {
    final TypeMap child;
    final long first;
    final long count;
    final long stride;

    private Repeated(TypeMap child, long first, long count, long stride, long[] range) {
      super(
          multiplyExact(child.size(), count),
          range[0],
          range[1],
          saturated(child.runs(), count),
          child.ascending() && (count == 1 || stride >= child.high() - child.low()));
      this.child = child;
      this.first = first;
      this.count = count;
      this.stride = stride;
    }

    static Repeated of(TypeMap child, long first, long count, long stride) {
      long last = addExact(first, multiplyExact(count - 1, stride));
      long low = addExact(child.low(), Math.min(first, last));
      long high = addExact(child.high(), Math.max(first, last));
      return new Repeated(child, first, count, stride, new long[] {low, high});
    }

    private static long saturated(long a, long b) {
      return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
    }

    @Override
    public long groups() {
      return child.isDense() ? 1 : saturated(child.groups(), count);
    }

    @Override
    void groups(long base, long from, long to, GroupConsumer consumer) {
      long each = child.size();
      long i = from / each;
      long at = from;
      while (at < to) {
        long childBase = base + first + i * stride;
        long skip = at - i * each;
        long whole = (to - at) / each;
        if (child.isDense() && skip == 0 && whole > 0) {
          consumer.accept(childBase + child.low(), each, stride, whole);
          at += whole * each;
          i += whole;
        } else {
          long part = Math.min(each, skip + to - at);
          child.groups(childBase, skip, part, consumer);
          at += part - skip;
          i++;
        }
      }
    }

    @Override
    public long offsetAt(long position) {
      return first + position / child.size() * stride + child.offsetAt(position % child.size());
    }

    @Override
    public long packedBefore(long offset) {
      if (offset <= low()) {
        return 0;
      }
      if (offset >= high()) {
        return size();
      }
      long i = count == 1 ? 0 : Math.min((offset - low()) / stride, count - 1);
      return i * child.size() + child.packedBefore(offset - first - i * stride);
    }
  }

  /** Runs at any places. */
  static final class Listed extends TypeMap {
    private final long[] starts;
    private final long[] packed;

    /**
     * Creates the map of runs in packed order.
     *
     * @param starts the runs' offsets
     * @param packed their packed positions, and the size as the last entry
     */
    Listed(long[] starts, long[] packed) {
      super(
          packed[starts.length],
          low(starts),
          high(starts, packed),
          starts.length,
          up(starts, packed));
      this.starts = starts;
      this.packed = packed;
    }

    private static long low(long[] starts) {
      return Arrays.stream(starts).min().orElse(0);
    }

    private static long high(long[] starts, long[] packed) {
      long high = Long.MIN_VALUE;
      for (int i = 0; i < starts.length; i++) {
        high = Math.max(high, addExact(starts[i], packed[i + 1] - packed[i]));
      }
      return high;
    }

    private static boolean up(long[] starts, long[] packed) {
      for (int i = 1; i < starts.length; i++) {
        if (starts[i] < starts[i - 1] + packed[i] - packed[i - 1]) {
          return false;
        }
      }
      return true;
    }

    @Override
    public long groups() {
      return starts.length;
    }

    @Override
    void groups(long base, long from, long to, GroupConsumer consumer) {
      long at = from;
      for (int i = floor(packed, from); at < to; i++) {
        long skip = at - packed[i];
        long part = Math.min(length(i) - skip, to - at);
        consumer.accept(base + starts[i] + skip, part, part, 1);
        at += part;
      }
    }

    int count() {
      return starts.length;
    }

    long start(int i) {
      return starts[i];
    }

    long length(int i) {
      return packed[i + 1] - packed[i];
    }

    long packedAt(int i) {
      return packed[i];
    }

    int indexOf(long position) {
      return floor(packed, position);
    }

    @Override
    public long offsetAt(long position) {
      int i = indexOf(position);
      return starts[i] + position - packed[i];
    }

    @Override
    public long packedBefore(long offset) {
      int i = floor(starts, offset);
      return i < 0 ? 0 : packed[i] + Math.min(offset - starts[i], length(i));
    }
  }

  /** A concatenation of maps. */
  static final class Joined extends TypeMap {
    private final TypeMap[] parts;
    private final long[] packed;

    Joined(TypeMap[] parts) {
      super(size(parts), low(parts), high(parts), runs(parts), up(parts));
      this.parts = parts;
      this.packed = new long[parts.length];
      for (int i = 1; i < parts.length; i++) {
        packed[i] = packed[i - 1] + parts[i - 1].size();
      }
    }

    private static long size(TypeMap[] parts) {
      return Arrays.stream(parts).mapToLong(TypeMap::size).reduce(0, Math::addExact);
    }

    private static long low(TypeMap[] parts) {
      return Arrays.stream(parts).mapToLong(TypeMap::low).min().orElse(0);
    }

    private static long high(TypeMap[] parts) {
      return Arrays.stream(parts).mapToLong(TypeMap::high).max().orElse(0);
    }

    private static long runs(TypeMap[] parts) {
      long sum = 0;
      for (TypeMap part : parts) {
        sum = sum + part.runs() < 0 ? Long.MAX_VALUE : sum + part.runs();
      }
      return sum;
    }

    private static boolean up(TypeMap[] parts) {
      boolean up = parts[0].ascending();
      for (int i = 1; i < parts.length; i++) {
        up &= parts[i].ascending() && parts[i].low() >= parts[i - 1].high();
      }
      return up;
    }

    @Override
    public long groups() {
      long sum = 0;
      for (TypeMap part : parts) {
        sum = sum + part.groups() < 0 ? Long.MAX_VALUE : sum + part.groups();
      }
      return sum;
    }

    @Override
    void groups(long base, long from, long to, GroupConsumer consumer) {
      for (int i = floor(packed, from); i < parts.length && packed[i] < to; i++) {
        long start = Math.max(from - packed[i], 0);
        long end = Math.min(to - packed[i], parts[i].size());
        parts[i].groups(base, start, end, consumer);
      }
    }

    int count() {
      return parts.length;
    }

    TypeMap part(int i) {
      return parts[i];
    }

    long packedAt(int i) {
      return packed[i];
    }

    int indexOf(long position) {
      return floor(packed, position);
    }

    @Override
    public long offsetAt(long position) {
      int i = indexOf(position);
      return parts[i].offsetAt(position - packed[i]);
    }

    @Override
    public long packedBefore(long offset) {
      int low = 0;
      int high = parts.length - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (parts[middle].low() < offset) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return packed[low] + parts[low].packedBefore(offset);
    }
  }

  /** Returns the index of the last entry not above the value, or -1. */
  private static int floor(long[] sorted, long value) {
    int found = Arrays.binarySearch(sorted, value);
    return found >= 0 ? found : -found - 2;
  }
}
