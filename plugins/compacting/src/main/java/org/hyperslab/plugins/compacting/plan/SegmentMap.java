package org.hyperslab.plugins.compacting.plan;

import java.util.Map;
import java.util.TreeMap;

/**
 * A map from element offsets to the requests that supply the elements: disjoint segments, where a
 * later segment replaces the parts of earlier ones that it overlaps.
 *
 * <p>Thread rule: confined to one thread.
 */
final class SegmentMap {

  /** Receives segments one by one. */
  @FunctionalInterface
  interface Sink {
    /** Receives a segment, or the part of a segment within the requested range. */
    void segment(long start, long end, int source, long ordinal);
  }

  /**
   * Elements of one request.
   *
   * @param end the offset after the last
   * @param source the index of the request
   * @param ordinal the position of the first in the request's order of transfer
   */
  private record Segment(long end, int source, long ordinal) {}

  private final TreeMap<Long, Segment> segments;

  /** The end of the last segment: a range that begins there or later overlaps nothing. */
  private long end;

  SegmentMap() {
    this.segments = new TreeMap<>();
  }

  private SegmentMap(SegmentMap original) {
    this.segments = new TreeMap<>(original.segments);
    this.end = original.end;
  }

  SegmentMap copy() {
    return new SegmentMap(this);
  }

  /** Visits the parts of segments within a range, in ascending order. */
  void forEachIn(long from, long to, Sink sink) {
    if (from >= end) {
      return;
    }
    Map.Entry<Long, Segment> before = segments.lowerEntry(from);
    if (before != null && before.getValue().end > from) {
      Segment segment = before.getValue();
      long skipped = from - before.getKey();
      sink.segment(from, Math.min(to, segment.end), segment.source, segment.ordinal + skipped);
    }
    for (Map.Entry<Long, Segment> entry = segments.ceilingEntry(from);
        entry != null && entry.getKey() < to;
        entry = segments.higherEntry(entry.getKey())) {
      Segment segment = entry.getValue();
      sink.segment(entry.getKey(), Math.min(to, segment.end), segment.source, segment.ordinal);
    }
  }

  /** Adds a segment and removes the parts of other segments that it overlaps. */
  void put(long from, long to, int source, long ordinal) {
    if (from < end) {
      cut(from, to);
    }
    segments.put(from, new Segment(to, source, ordinal));
    end = Math.max(end, to);
  }

  private void cut(long from, long to) {
    Map.Entry<Long, Segment> before = segments.lowerEntry(from);
    if (before != null && before.getValue().end > from) {
      Segment segment = before.getValue();
      segments.put(before.getKey(), new Segment(from, segment.source, segment.ordinal));
      if (segment.end > to) {
        long skipped = to - before.getKey();
        segments.put(to, new Segment(segment.end, segment.source, segment.ordinal + skipped));
        return;
      }
    }
    Map.Entry<Long, Segment> entry = segments.ceilingEntry(from);
    while (entry != null && entry.getKey() < to) {
      Segment segment = entry.getValue();
      segments.remove(entry.getKey());
      if (segment.end > to) {
        long skipped = to - entry.getKey();
        segments.put(to, new Segment(segment.end, segment.source, segment.ordinal + skipped));
      }
      entry = segments.ceilingEntry(from);
    }
  }

  /**
   * Visits all segments in ascending order; adjoining segments of one source are visited as one.
   */
  void forEach(Sink sink) {
    long start = 0;
    Segment joined = null;
    for (Map.Entry<Long, Segment> entry : segments.entrySet()) {
      Segment next = entry.getValue();
      boolean continues =
          joined != null
              && joined.end == entry.getKey()
              && joined.source == next.source
              && joined.ordinal + (joined.end - start) == next.ordinal;
      if (continues) {
        joined = new Segment(next.end, joined.source, joined.ordinal);
      } else {
        if (joined != null) {
          sink.segment(start, joined.end, joined.source, joined.ordinal);
        }
        start = entry.getKey();
        joined = next;
      }
    }
    if (joined != null) {
      sink.segment(start, joined.end, joined.source, joined.ordinal);
    }
  }
}
