package org.hyperslab.format.space;

/**
 * Caches the results of an operation on pairs of nodes, compared by identity, with open addressing.
 *
 * <p>Thread rule: confined to one thread.
 */
final class PairMemo {

  private static final int WIDTH = 3;

  private SpanNode[] slots;
  private int size;

  /** Returns the cached result, or null. */
  SpanNode get(SpanNode first, SpanNode second) {
    if (slots == null) {
      return null;
    }
    int at = slot(slots, first, second);
    return slots[at] == null ? null : slots[at + 2];
  }

  /** Caches a result. */
  void put(SpanNode first, SpanNode second, SpanNode result) {
    if (slots == null) {
      slots = new SpanNode[WIDTH * 16];
    } else if (2 * WIDTH * size >= slots.length) {
      grow();
    }
    int at = slot(slots, first, second);
    if (slots[at] == null) {
      size++;
    }
    slots[at] = first;
    slots[at + 1] = second;
    slots[at + 2] = result;
  }

  private static int slot(SpanNode[] slots, SpanNode first, SpanNode second) {
    int capacity = slots.length / WIDTH;
    int mixed = (first.hash * 31 + second.hash) * 0x9E3779B9;
    int index = (mixed >>> 7) & (capacity - 1);
    while (slots[WIDTH * index] != null
        && (slots[WIDTH * index] != first || slots[WIDTH * index + 1] != second)) {
      index = (index + 1) & (capacity - 1);
    }
    return WIDTH * index;
  }

  private void grow() {
    SpanNode[] old = slots;
    SpanNode[] bigger = new SpanNode[2 * old.length];
    for (int i = 0; i < old.length; i += WIDTH) {
      if (old[i] != null) {
        int at = slot(bigger, old[i], old[i + 1]);
        System.arraycopy(old, i, bigger, at, WIDTH);
      }
    }
    slots = bigger;
  }
}
