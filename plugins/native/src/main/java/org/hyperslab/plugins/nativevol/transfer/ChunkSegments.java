package org.hyperslab.plugins.nativevol.transfer;

import java.util.Arrays;
import org.hyperslab.format.space.RunPairs;

/**
 * The runs of a transfer, cut where they cross from one chunk into another, in the order of
 * transfer: a value that is made in one pass over both selections. A chunk that is touched has a
 * number, counted from 0 in the order in which chunks are touched.
 *
 * <p>{@link org.hyperslab.format.space.ChunkIterator} cuts a selection into a piece for each chunk
 * instead, which several threads can transfer and which needs no memory for its runs. For a few
 * elements in each of many chunks, making a piece costs much more than moving its elements.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ChunkSegments {

  private static final int FIRST_ROOM = 256;

  private final int last;
  private final long[] extent;
  private final long[] chunkDims;

  /** The elements of the dataset in a step along each dimension. */
  private final long[] rows;

  /** The elements of a chunk in a step along each dimension. */
  private final long[] units;

  /** The chunks in a step of one chunk along each dimension. */
  private final long[] grid;

  private final int maxChunks;

  // The row of the last run: its coordinates, each divided by the chunk's extent and the rest.
  private long rowStart = -1;
  private final long[] row;
  private final long[] quotient;
  private final long[] rest;
  private long rowChunk;
  private long rowInChunk;

  private int size;
  private int[] chunkOf = new int[FIRST_ROOM];
  private int[] inChunk = new int[FIRST_ROOM];
  private int[] lengths = new int[FIRST_ROOM];
  private long[] inMemory = new long[FIRST_ROOM];
  private long elements;
  private boolean memoryIsOneRun = true;

  private int chunkCount;
  private long[] chunks = new long[64];
  private int[] lowest = new int[64];
  private int[] ends = new int[64];
  private int[] covered = new int[64];
  private int[] table = new int[128];
  private long knownChunk = -1;
  private int knownNumber;

  /**
   * Creates an empty list.
   *
   * @param extent the extent of the dataset in elements; its volume is below 2^62
   * @param chunkDims the extent of a chunk in elements; its volume is below 2^31
   * @param maxChunks the number of chunks at which {@link #add} stops
   */
  ChunkSegments(long[] extent, long[] chunkDims, int maxChunks) {
    int rank = extent.length;
    this.last = rank - 1;
    this.extent = extent;
    this.chunkDims = chunkDims;
    this.maxChunks = maxChunks;
    this.rows = new long[rank];
    this.units = new long[rank];
    this.grid = new long[rank];
    this.row = new long[rank];
    this.quotient = new long[rank];
    this.rest = new long[rank];
    rows[last] = 1;
    units[last] = 1;
    grid[last] = 1;
    for (int d = last - 1; d >= 0; d--) {
      rows[d] = rows[d + 1] * extent[d + 1];
      units[d] = units[d + 1] * chunkDims[d + 1];
      grid[d] = grid[d + 1] * Math.ceilDiv(extent[d + 1], chunkDims[d + 1]);
    }
  }

  /**
   * Adds all runs.
   *
   * @param pairs the runs in the dataset and in memory
   * @return false if they touch too many chunks; the list is then incomplete
   */
  boolean add(RunPairs pairs) {
    while (pairs.nextGroup()) {
      long file = pairs.fileOffset();
      long memory = pairs.memoryOffset();
      for (long k = pairs.repeats(); k > 0; k--) {
        run(file, memory, pairs.length());
        file += pairs.fileStride();
        memory += pairs.memoryStride();
      }
      if (chunkCount > maxChunks) {
        return false;
      }
    }
    return true;
  }

  private void run(long file, long memory, long length) {
    long rowLength = extent[last];
    long at = file;
    long to = memory;
    long left = length;
    while (left > 0 && chunkCount <= maxChunks) {
      long column = at - rowStart;
      if (rowStart < 0 || column < 0 || column >= rowLength) {
        enterRow(at);
        column = at - rowStart;
      }
      long inRow = Math.min(left, rowLength - column);
      alongRow(column, to, inRow);
      at += inRow;
      to += inRow;
      left -= inRow;
    }
  }

  private void alongRow(long column, long memory, long length) {
    long width = chunkDims[last];
    long chunk = column / width;
    long inside = column - chunk * width;
    long to = memory;
    long left = length;
    while (left > 0) {
      int number = (int) Math.min(left, width - inside);
      put(rowChunk + chunk, (int) (rowInChunk + inside), to, number);
      to += number;
      left -= number;
      chunk++;
      inside = 0;
    }
  }

  private void enterRow(long at) {
    if (rowStart >= 0 && at >= rowStart && at - rowStart < 2 * extent[last]) {
      rowStart += extent[last];
      nextRow();
    } else {
      long left = at;
      for (int d = 0; d < last; d++) {
        row[d] = left / rows[d];
        left -= row[d] * rows[d];
        quotient[d] = row[d] / chunkDims[d];
        rest[d] = row[d] - quotient[d] * chunkDims[d];
      }
      rowStart = at - left;
    }
    rowChunk = 0;
    rowInChunk = 0;
    for (int d = 0; d < last; d++) {
      rowChunk += quotient[d] * grid[d];
      rowInChunk += rest[d] * units[d];
    }
  }

  private void nextRow() {
    for (int d = last - 1; d >= 0; d--) {
      if (++row[d] < extent[d]) {
        if (++rest[d] == chunkDims[d]) {
          rest[d] = 0;
          quotient[d]++;
        }
        return;
      }
      row[d] = 0;
      quotient[d] = 0;
      rest[d] = 0;
    }
  }

  private void put(long chunk, int at, long memory, int length) {
    int number = chunk == knownChunk ? knownNumber : numberOf(chunk);
    int before = size - 1;
    if (before >= 0 && inMemory[before] + lengths[before] != memory) {
      memoryIsOneRun = false;
    } else if (before >= 0
        && chunkOf[before] == number
        && inChunk[before] + lengths[before] == at) {
      lengths[before] += length;
      count(number, at, length);
      return;
    }
    if (size == lengths.length) {
      chunkOf = Arrays.copyOf(chunkOf, 2 * size);
      inChunk = Arrays.copyOf(inChunk, 2 * size);
      lengths = Arrays.copyOf(lengths, 2 * size);
      inMemory = Arrays.copyOf(inMemory, 2 * size);
    }
    chunkOf[size] = number;
    inChunk[size] = at;
    lengths[size] = length;
    inMemory[size++] = memory;
    count(number, at, length);
  }

  private void count(int number, int at, int length) {
    lowest[number] = Math.min(lowest[number], at);
    ends[number] = Math.max(ends[number], at + length);
    covered[number] += length;
    elements += length;
  }

  /** Returns the number of a chunk, which is given one if it has none. */
  private int numberOf(long chunk) {
    int slot = slot(chunk);
    while (table[slot] != 0 && chunks[table[slot] - 1] != chunk) {
      slot = slot + 1 & table.length - 1;
    }
    if (table[slot] == 0) {
      if (chunkCount == chunks.length) {
        grow();
        return numberOf(chunk);
      }
      chunks[chunkCount] = chunk;
      lowest[chunkCount] = Integer.MAX_VALUE;
      table[slot] = ++chunkCount;
    }
    knownChunk = chunk;
    knownNumber = table[slot] - 1;
    return knownNumber;
  }

  private int slot(long chunk) {
    return (int) (chunk * 0x9E3779B97F4A7C15L >>> 32) & table.length - 1;
  }

  private void grow() {
    int room = 2 * chunks.length;
    chunks = Arrays.copyOf(chunks, room);
    lowest = Arrays.copyOf(lowest, room);
    ends = Arrays.copyOf(ends, room);
    covered = Arrays.copyOf(covered, room);
    table = new int[2 * room];
    for (int i = 0; i < chunkCount; i++) {
      int slot = slot(chunks[i]);
      while (table[slot] != 0) {
        slot = slot + 1 & table.length - 1;
      }
      table[slot] = i + 1;
    }
  }

  /** Returns the number of segments. */
  int size() {
    return size;
  }

  /** Returns the number of the chunk that a segment is in. */
  int chunk(int segment) {
    return chunkOf[segment];
  }

  /** Returns where a segment begins, in elements from the beginning of its chunk. */
  int inChunk(int segment) {
    return inChunk[segment];
  }

  /** Returns where a segment begins in memory, in elements. */
  long inMemory(int segment) {
    return inMemory[segment];
  }

  /** Returns the number of elements of a segment. */
  int length(int segment) {
    return lengths[segment];
  }

  /** Returns the number of elements of all segments. */
  long elements() {
    return elements;
  }

  /** Returns whether the segments follow each other in memory without a hole. */
  boolean memoryIsOneRun() {
    return memoryIsOneRun;
  }

  /** Returns the number of chunks that are touched. */
  int chunkCount() {
    return chunkCount;
  }

  /** Returns the place of a chunk in the grid of chunks, in row-major order. */
  long place(int number) {
    return chunks[number];
  }

  /** Returns the coordinates of a chunk in units of chunks. */
  long[] scaled(int number) {
    long[] scaled = new long[extent.length];
    long left = chunks[number];
    for (int d = 0; d < scaled.length; d++) {
      scaled[d] = left / grid[d];
      left -= scaled[d] * grid[d];
    }
    return scaled;
  }

  /** Returns the first element of a chunk that is touched. */
  int lowest(int number) {
    return lowest[number];
  }

  /** Returns the index after the last element of a chunk that is touched. */
  int end(int number) {
    return ends[number];
  }

  /**
   * Returns the number of elements of a chunk that are touched; elements that are selected twice
   * count twice.
   */
  int covered(int number) {
    return covered[number];
  }
}
