package org.hyperslab.plugins.nativevol.space;

import java.util.Arrays;

/**
 * For each dataset, by the address of its header, the greatest end of the space that was allocated
 * to it. If there are many datasets, those whose space ends first are forgotten: only what is at
 * the end of the file may move. The numbers are kept in arrays, because a file may gain many
 * datasets while it is open, and a map of objects would be copied and searched by the garbage
 * collector for each of them.
 *
 * <p>An entry is at the first free place from the hash of its header on. That of a dataset that was
 * forgotten stays, without an end, until the arrays grow.
 *
 * <p>Thread rule: one thread at a time: under the file's write lock.
 */
public final class PlacedEnds {

  private static final int FIRST_LENGTH = 16;

  /** The number of datasets at which half of them are forgotten. */
  static final int MOST = 1 << 15;

  /** The address of no header: a superblock precedes all of them. */
  private static final long NONE = -1;

  private long[] headers = new long[0];
  private long[] ends = new long[0];

  /** The number of places that are not free, among them those without an end. */
  private int taken;

  /** The number of datasets. */
  private int size;

  /** Receives the entries. */
  @FunctionalInterface
  interface Entry {
    /** Called once for each dataset. */
    void accept(long header, long end);
  }

  /** Creates an empty table. */
  public PlacedEnds() {}

  /**
   * Records that space of a dataset ends at an address.
   *
   * @param header the address of the dataset's header
   * @param end the end of the raw data, bytes from the file's base address
   */
  public void add(long header, long end) {
    if (taken >= headers.length / 4 * 3) {
      grow();
    }
    int at = find(header);
    if (headers[at] == NONE) {
      headers[at] = header;
      taken++;
    }
    size += ends[at] == NONE ? 1 : 0;
    ends[at] = Math.max(ends[at], end);
  }

  /**
   * Forgets a dataset, if it is known.
   *
   * @param header the address of the dataset's header
   */
  public void remove(long header) {
    int at = headers.length == 0 ? -1 : find(header);
    if (at >= 0 && ends[at] != NONE) {
      ends[at] = NONE;
      size--;
    }
  }

  /** {@return the number of datasets} */
  public int size() {
    return size;
  }

  void forEach(Entry action) {
    for (int i = 0; i < headers.length; i++) {
      if (ends[i] != NONE) {
        action.accept(headers[i], ends[i]);
      }
    }
  }

  /** Returns the place of a header, or the free one where it would be. */
  private int find(long header) {
    int mask = headers.length - 1;
    int at = (int) ((header * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (headers[at] != header && headers[at] != NONE) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /**
   * Drops what was forgotten, and makes room for about twice as many datasets; if there are many,
   * forgets half of them instead.
   */
  private void grow() {
    boolean many = size >= MOST;
    long least = many ? medianEnd() : 0;
    int kept = many ? size / 2 : size;
    long[] oldHeaders = headers;
    long[] oldEnds = ends;
    headers = new long[Math.max(FIRST_LENGTH, Integer.highestOneBit(kept + 1) * 4)];
    ends = new long[headers.length];
    Arrays.fill(headers, NONE);
    Arrays.fill(ends, NONE);
    taken = 0;
    size = 0;
    for (int i = 0; i < oldHeaders.length; i++) {
      if (oldEnds[i] != NONE && oldEnds[i] >= least) {
        add(oldHeaders[i], oldEnds[i]);
      }
    }
  }

  private long medianEnd() {
    long[] all = new long[size];
    int count = 0;
    for (long end : ends) {
      if (end != NONE) {
        all[count++] = end;
      }
    }
    Arrays.sort(all);
    return all[size / 2];
  }
}
