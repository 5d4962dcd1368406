package org.hyperslab.format.space;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/**
 * Builds a canonical {@link SpanNode} from spans that arrive in ascending order: merges spans that
 * touch and compresses runs, at constant cost per call for any number of repeats.
 *
 * <p>Reusable: {@link #build} empties the builder and keeps its arrays.
 *
 * <p>Thread rule: confined to one thread.
 */
final class SpanBuilder {

  /**
   * The greatest number of entries of one node, for which growing, copying and keeping them takes
   * at most half of the heap; a larger selection is refused instead of exhausting memory.
   */
  private static final long MAX_ENTRIES = Math.min(1 << 26, Runtime.getRuntime().maxMemory() / 320);

  private final int rank;
  private long[] spans = new long[4 * SpanNode.WIDTH];
  private SpanNode[] downs;
  private int size;

  /** The node below every entry, or null if they differ; set while building. */
  private SpanNode shared;

  /** Creates a builder of nodes of {@code rank} dimensions, at least one. */
  SpanBuilder(int rank) {
    this.rank = rank;
    this.downs = rank == 1 ? null : new SpanNode[4];
  }

  /** Makes room for an expected number of entries, which is a hint. */
  void expect(int entries) {
    if (SpanNode.WIDTH * (long) entries > spans.length && entries < MAX_ENTRIES) {
      spans = Arrays.copyOf(spans, SpanNode.WIDTH * entries);
      if (downs != null) {
        downs = Arrays.copyOf(downs, entries);
      }
    }
  }

  /**
   * Adds the span {@code low .. endExclusive - 1}; has no effect if it or {@code down} is empty.
   */
  void span(long low, long endExclusive, SpanNode down) {
    run(low, endExclusive - low, 1, endExclusive - low, down);
  }

  /**
   * Adds a run of {@code count} blocks, all after the spans added before; has no effect if it is
   * empty.
   */
  void run(long start, long stride, long count, long block, SpanNode down) {
    if (count <= 0 || block <= 0 || down == SpanNode.EMPTY) {
      return;
    }
    if (count == 1 || stride == block) {
      one(start, block * count, down);
    } else {
      many(start, stride, count, block, down);
    }
  }

  private void one(long start, long block, SpanNode down) {
    if (size > 0 && lastDown() == down) {
      int at = SpanNode.WIDTH * (size - 1);
      long lastStart = spans[at] + (spans[at + SpanNode.COUNT] - 1) * spans[at + SpanNode.STRIDE];
      if (start == lastStart + spans[at + SpanNode.BLOCK]) {
        dropLastSpan(at);
        one(lastStart, start - lastStart + block, down);
        return;
      }
      if (extendsRun(at, start - lastStart, block)) {
        spans[at + SpanNode.STRIDE] = start - lastStart;
        spans[at + SpanNode.COUNT]++;
        return;
      }
    }
    push(start, block, 1, block, down);
  }

  private void many(long start, long stride, long count, long block, SpanNode down) {
    if (size > 0 && lastDown() == down) {
      int at = SpanNode.WIDTH * (size - 1);
      long step =
          start - spans[at] - (spans[at + SpanNode.COUNT] - 1) * spans[at + SpanNode.STRIDE];
      if (step == spans[at + SpanNode.BLOCK]) {
        one(start, block, down);
        run(start + stride, stride, count - 1, block, down);
        return;
      }
      if (extendsRun(at, step, block)) {
        boolean all = step == stride;
        spans[at + SpanNode.STRIDE] = step;
        spans[at + SpanNode.COUNT] += all ? count : 1;
        if (!all) {
          push(start + stride, stride, count - 1, block, down);
        }
        return;
      }
    }
    push(start, stride, count, block, down);
  }

  private boolean extendsRun(int at, long step, long block) {
    return spans[at + SpanNode.BLOCK] == block
        && (spans[at + SpanNode.COUNT] == 1 || spans[at + SpanNode.STRIDE] == step);
  }

  private void dropLastSpan(int at) {
    spans[at + SpanNode.COUNT]--;
    if (spans[at + SpanNode.COUNT] == 0) {
      size--;
    } else if (spans[at + SpanNode.COUNT] == 1) {
      spans[at + SpanNode.STRIDE] = spans[at + SpanNode.BLOCK];
    }
  }

  private SpanNode lastDown() {
    return downs == null ? SpanNode.UNIT : downs[size - 1];
  }

  private void push(long start, long stride, long count, long block, SpanNode down) {
    int at = SpanNode.WIDTH * size;
    if (at == spans.length) {
      grow();
    }
    spans[at] = start;
    spans[at + SpanNode.STRIDE] = count == 1 ? block : stride;
    spans[at + SpanNode.COUNT] = count;
    spans[at + SpanNode.BLOCK] = block;
    if (downs != null) {
      downs[size] = down;
    }
    size++;
  }

  private void grow() {
    if (size >= MAX_ENTRIES) {
      throw new InvalidUseException(
          "spans of one selection: actual=more than "
              + size
              + ", expected=at most "
              + MAX_ENTRIES
              + "; split the selection");
    }
    spans = Arrays.copyOf(spans, 2 * spans.length);
    if (downs != null) {
      downs = Arrays.copyOf(downs, 2 * downs.length);
    }
  }

  /**
   * Returns the node of the spans added since the last call; {@link SpanNode#EMPTY} if there are
   * none.
   */
  SpanNode build() {
    if (size == 0) {
      return SpanNode.EMPTY;
    }
    shared = sharedDown();
    SpanNode node = SpanTable.intern(mix(hash()), this);
    size = 0;
    return node;
  }

  /**
   * Returns a node as {@link #build} does that no other is the same as, for a tree that is walked
   * once and never compared: finding the shared one takes longer than making it.
   */
  SpanNode buildApart() {
    if (size == 0) {
      return SpanNode.EMPTY;
    }
    shared = sharedDown();
    SpanNode node = toNode(mix(hash()));
    size = 0;
    return node;
  }

  private int hash() {
    int hash = rank;
    for (int i = 0; i < SpanNode.WIDTH * size; i++) {
      hash = 31 * hash + Long.hashCode(spans[i]);
    }
    for (int i = 0; shared == null && i < size; i++) {
      hash = 31 * hash + downs[i].hash;
    }
    return shared != null ? 31 * hash + shared.hash : hash;
  }

  /** Returns whether a node equals this builder's content; during {@link #build} only. */
  boolean equalsNode(SpanNode node) {
    return node.hasContent(rank, size, spans, shared, downs);
  }

  /** Returns a node of this builder's content; during {@link #build} only. */
  SpanNode toNode(int hash) {
    long[] ownSpans = Arrays.copyOf(spans, SpanNode.WIDTH * size);
    SpanNode[] ownDowns = shared == null ? Arrays.copyOf(downs, size) : null;
    long count = 0;
    for (int i = 0; i < size; i++) {
      SpanNode down = shared != null ? shared : downs[i];
      int at = SpanNode.WIDTH * i;
      long indices = spans[at + SpanNode.COUNT] * spans[at + SpanNode.BLOCK];
      count = Extents.addOrOverflow(count, Extents.multiplyOrOverflow(indices, down.count));
    }
    return new SpanNode(rank, ownSpans, shared, ownDowns, count, bounds(), hash);
  }

  private SpanNode sharedDown() {
    if (downs == null) {
      return SpanNode.UNIT;
    }
    SpanNode first = downs[0];
    for (int i = 1; i < size; i++) {
      if (downs[i] != first) {
        return null;
      }
    }
    return first;
  }

  private long[] bounds() {
    long[] bounds = new long[2 * rank];
    int last = SpanNode.WIDTH * (size - 1);
    bounds[0] = spans[0];
    bounds[1] =
        spans[last]
            + (spans[last + SpanNode.COUNT] - 1) * spans[last + SpanNode.STRIDE]
            + spans[last + SpanNode.BLOCK];
    if (rank > 1) {
      System.arraycopy((shared != null ? shared : downs[0]).bounds, 0, bounds, 2, 2 * rank - 2);
      for (int i = 1; shared == null && i < size; i++) {
        if (downs[i] != downs[i - 1]) {
          widen(bounds, downs[i].bounds);
        }
      }
    }
    return bounds;
  }

  private static void widen(long[] bounds, long[] below) {
    for (int i = 0; i < below.length; i += 2) {
      bounds[i + 2] = Math.min(bounds[i + 2], below[i]);
      bounds[i + 3] = Math.max(bounds[i + 3], below[i + 1]);
    }
  }

  private static int mix(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ (mixed >>> 15);
  }
}
