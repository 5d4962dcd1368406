package org.hyperslab.format.space;

import java.util.IdentityHashMap;

/**
 * Cuts one dimension of a tree to a window and moves the result to the window's beginning; shared
 * nodes are cut once.
 *
 * <p>Thread rule: confined to one thread.
 */
final class SpanWindow {

  private final int dimension;
  private final long low;
  private final long end;
  private final boolean apart;
  private IdentityHashMap<SpanNode, SpanNode> known;

  /** Creates a window {@code low .. end - 1} of a dimension counted from the root. */
  SpanWindow(int dimension, long low, long end) {
    this(dimension, low, end, false);
  }

  /**
   * Creates a window of which the parts are walked once.
   *
   * @param apart whether the tree is regular and its parts are never compared, so that they need
   *     not be the shared ones
   */
  SpanWindow(int dimension, long low, long end, boolean apart) {
    this.apart = apart;
    this.dimension = dimension;
    this.low = low;
    this.end = end;
  }

  /**
   * Returns the part of a node of dimension {@code depth} inside the window; empty if there is
   * none.
   */
  SpanNode cut(SpanNode node, int depth) {
    if (depth == dimension) {
      return slice(node);
    }
    if (known == null) {
      known = new IdentityHashMap<>();
    }
    SpanNode done = known.get(node);
    if (done != null) {
      return done;
    }
    SpanBuilder builder = new SpanBuilder(node.rank);
    SpanNode lastDown = null;
    SpanNode lastCut = null;
    for (int i = 0; i < node.size(); i++) {
      SpanNode down = node.down(i);
      if (down != lastDown) {
        lastDown = down;
        lastCut = known.containsKey(down) ? known.get(down) : cutAndKeep(down, depth + 1);
      }
      builder.run(node.start(i), node.stride(i), node.repeats(i), node.block(i), lastCut);
    }
    return built(builder);
  }

  private SpanNode built(SpanBuilder builder) {
    return apart ? builder.buildApart() : builder.build();
  }

  private SpanNode cutAndKeep(SpanNode node, int depth) {
    SpanNode result = cut(node, depth);
    known.put(node, result);
    return result;
  }

  private SpanNode slice(SpanNode node) {
    if (low == 0 && node.endExclusive() <= end) {
      return node;
    }
    SpanBuilder builder = new SpanBuilder(node.rank);
    for (int i = Math.max(0, node.entryAtOrBefore(low));
        i < node.size() && node.start(i) < end;
        i++) {
      sliceEntry(node, i, builder);
    }
    return built(builder);
  }

  private void sliceEntry(SpanNode node, int entry, SpanBuilder builder) {
    long start = node.start(entry);
    long stride = node.stride(entry);
    long block = node.block(entry);
    SpanNode down = node.down(entry);
    long first = start >= low ? 0 : (low - start) / stride;
    long lastStarting = Math.min(node.repeats(entry) - 1, (end - 1 - start) / stride);
    if (first > lastStarting) {
      return;
    }
    long head = start + first * stride;
    if (head < low) {
      builder.span(0, Math.min(head + block, end) - low, down);
      first++;
    }
    if (first > lastStarting) {
      return;
    }
    long tail = start + lastStarting * stride;
    boolean tailCut = tail + block > end;
    long whole = lastStarting - first + (tailCut ? 0 : 1);
    builder.run(start + first * stride - low, stride, whole, block, down);
    if (tailCut) {
      builder.span(tail - low, end - low, down);
    }
  }
}
