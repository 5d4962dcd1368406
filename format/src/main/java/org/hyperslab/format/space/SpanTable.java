package org.hyperslab.format.space;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Keeps one object for equal span nodes, by weak references: a node that is no longer used is
 * reclaimed with its entry.
 *
 * <p>It is state shared by the whole process, but that state cannot be observed: it makes no
 * difference which of two equal immutable nodes survives.
 *
 * <p>Thread rule: any thread; striped locks. Source: hash consing, Filliâtre and Conchon,
 * "Type-safe modular hash-consing", 2006.
 */
final class SpanTable {

  private static final int STRIPES = 64;
  private static final SpanTable SHARED = new SpanTable();

  private final Stripe[] stripes = new Stripe[STRIPES];

  private SpanTable() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /** Returns the shared node for a builder's content: an existing one, or one created for it. */
  static SpanNode intern(int hash, SpanBuilder content) {
    return SHARED.stripes[hash & (STRIPES - 1)].intern(hash, content);
  }

  /** A reference in a chain of its bucket. */
  private static final class Entry extends WeakReference<SpanNode> {
    private final int hash;
    private Entry next;

    Entry(SpanNode node, ReferenceQueue<SpanNode> cleared, Entry next) {
      super(node, cleared);
      this.hash = node.hash;
      this.next = next;
    }
  }

  /** A part of the table with its own lock. */
  private static final class Stripe {
    private final ReferenceQueue<SpanNode> cleared = new ReferenceQueue<>();
    private Entry[] buckets = new Entry[16];
    private int size;

    synchronized SpanNode intern(int hash, SpanBuilder content) {
      expunge();
      int at = bucket(hash);
      for (Entry entry = buckets[at]; entry != null; entry = entry.next) {
        if (entry.hash == hash) {
          SpanNode node = entry.get();
          if (node != null && content.equalsNode(node)) {
            return node;
          }
        }
      }
      SpanNode fresh = content.toNode(hash);
      buckets[at] = new Entry(fresh, cleared, buckets[at]);
      size++;
      if (size > buckets.length) {
        grow();
      }
      return fresh;
    }

    private int bucket(int hash) {
      return (hash >>> 6) & (buckets.length - 1);
    }

    private void expunge() {
      for (Object dead = cleared.poll(); dead != null; dead = cleared.poll()) {
        remove((Entry) dead);
      }
    }

    private void remove(Entry dead) {
      int at = bucket(dead.hash);
      Entry previous = null;
      for (Entry entry = buckets[at]; entry != null; entry = entry.next) {
        if (entry == dead) {
          if (previous == null) {
            buckets[at] = entry.next;
          } else {
            previous.next = entry.next;
          }
          size--;
          return;
        }
        previous = entry;
      }
    }

    private void grow() {
      Entry[] old = buckets;
      buckets = new Entry[old.length * 2];
      for (Entry chain : old) {
        Entry entry = chain;
        while (entry != null) {
          Entry next = entry.next;
          int at = bucket(entry.hash);
          entry.next = buckets[at];
          buckets[at] = entry;
          entry = next;
        }
      }
    }
  }
}
