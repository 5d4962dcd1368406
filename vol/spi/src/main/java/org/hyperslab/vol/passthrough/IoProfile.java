package org.hyperslab.vol.passthrough;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A profile of a program's I/O, similar to Darshan's reports: counts and times of operations by
 * kind, bytes by size of request, and figures by object.
 *
 * @param kinds figures by kind of operation, such as {@code Dataset.Write}, in alphabetical order
 * @param objects figures by object, by its file and path as they were opened
 * @param readSizes read requests by size class, as {@link #SIZE_CLASSES} names them
 * @param writeSizes write requests by size class
 */
public record IoProfile(
    Map<String, Figures> kinds,
    Map<String, ObjectFigures> objects,
    List<Long> readSizes,
    List<Long> writeSizes) {

  /** The size classes of requests, Darshan's own: upper ends are not included. */
  public static final List<String> SIZE_CLASSES =
      List.of(
          "0-100",
          "100-1K",
          "1K-10K",
          "10K-100K",
          "100K-1M",
          "1M-4M",
          "4M-10M",
          "10M-100M",
          "100M-1G",
          "1G+");

  private static final long[] SIZE_ENDS = {
    100, 1_000, 10_000, 100_000, 1_000_000, 4_000_000, 10_000_000, 100_000_000, 1_000_000_000
  };

  /**
   * Figures of a kind of operation.
   *
   * @param operations how many completed
   * @param failures how many of them failed
   * @param bytes bytes of elements in memory that they moved
   * @param nanos from submission to completion, summed; overlapping operations count each
   * @param longestNanos the longest of them
   */
  public record Figures(long operations, long failures, long bytes, long nanos, long longestNanos) {

    static final Figures NONE = new Figures(0, 0, 0, 0, 0);

    Figures plus(boolean failed, long moreBytes, long moreNanos) {
      return new Figures(
          operations + 1,
          failures + (failed ? 1 : 0),
          bytes + moreBytes,
          nanos + moreNanos,
          Math.max(longestNanos, moreNanos));
    }
  }

  /**
   * Figures of an object.
   *
   * @param reads reads of elements
   * @param writes writes of elements
   * @param others everything else
   */
  public record ObjectFigures(Figures reads, Figures writes, Figures others) {

    static final ObjectFigures NONE = new ObjectFigures(Figures.NONE, Figures.NONE, Figures.NONE);

    long nanos() {
      return reads.nanos + writes.nanos + others.nanos;
    }
  }

  /** Copies the parts. */
  public IoProfile {
    kinds = new TreeMap<>(kinds);
    objects = new TreeMap<>(objects);
    readSizes = List.copyOf(readSizes);
    writeSizes = List.copyOf(writeSizes);
  }

  static int sizeClass(long bytes) {
    int at = 0;
    while (at < SIZE_ENDS.length && bytes >= SIZE_ENDS[at]) {
      at++;
    }
    return at;
  }

  /** {@return all operations together} */
  public Figures total() {
    Figures total = Figures.NONE;
    for (Figures f : kinds.values()) {
      total =
          new Figures(
              total.operations + f.operations,
              total.failures + f.failures,
              total.bytes + f.bytes,
              total.nanos + f.nanos,
              Math.max(total.longestNanos, f.longestNanos));
    }
    return total;
  }

  /**
   * {@return the profile as a report of tables, objects by decreasing time, at most {@code
   * objectLimit}}
   *
   * @param objectLimit the most objects to list
   */
  public String report(int objectLimit) {
    StringBuilder out = new StringBuilder("I/O profile\n");
    line(out, "operation", "count", "failed", "MiB", "ms", "longest ms");
    kinds.forEach((kind, figures) -> line(out, kind, figures));
    line(out, "total", total());
    out.append('\n');
    line(out, "request size", "reads", "writes");
    for (int i = 0; i < SIZE_CLASSES.size(); i++) {
      if (readSizes.get(i) + writeSizes.get(i) > 0) {
        line(
            out,
            SIZE_CLASSES.get(i),
            Long.toString(readSizes.get(i)),
            Long.toString(writeSizes.get(i)));
      }
    }
    out.append('\n');
    line(out, "object", "reads", "read MiB", "writes", "write MiB", "ms");
    objects.entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<String, ObjectFigures> e) -> -e.getValue().nanos()))
        .limit(objectLimit)
        .forEach(e ->
            line(
                out,
                e.getKey(),
                Long.toString(e.getValue().reads.operations),
                mebibytes(e.getValue().reads.bytes),
                Long.toString(e.getValue().writes.operations),
                mebibytes(e.getValue().writes.bytes),
                millis(e.getValue().nanos())));
    if (objects.size() > objectLimit) {
      out.append("  … and ").append(objects.size() - objectLimit).append(" more objects\n");
    }
    return out.toString();
  }

  private static void line(StringBuilder out, String name, Figures f) {
    line(
        out,
        name,
        Long.toString(f.operations),
        Long.toString(f.failures),
        mebibytes(f.bytes),
        millis(f.nanos),
        millis(f.longestNanos));
  }

  private static void line(StringBuilder out, String name, String... columns) {
    out.append(String.format(Locale.ROOT, "  %-40s", name));
    for (String column : columns) {
      out.append(String.format(Locale.ROOT, " %12s", column));
    }
    out.append('\n');
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.3f", bytes / 1048576.0);
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.3f", nanos / 1e6);
  }
}
