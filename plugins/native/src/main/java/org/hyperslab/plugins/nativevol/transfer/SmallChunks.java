package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.hyperslab.format.space.PointSelection;
import org.hyperslab.format.space.RunPairs;

/**
 * Moves a few elements to or from many small chunks without filters, in the caller's thread. Chunks
 * that are close to each other in the file are read in one request, and short runs are collected
 * before they are converted together.
 *
 * <p>Thread rule: created and run by one thread; a writer holds the file's write lock.
 */
final class SmallChunks {

  /** The size in bytes of the largest chunk that is moved whole for a part of it. */
  private static final long CHUNK_BYTES = 4096;

  /** The greatest number of elements, each of which may be a segment of its own. */
  private static final long MAX_ELEMENTS = 1 << 16;

  /** The greatest number of bytes of chunks, and of holes between chunks that are read together. */
  private static final int MAX_BYTES = 1 << 20;

  /** The size in bytes of the largest hole that is read together with the chunks around it. */
  private static final long HOLE_BYTES = 4096;

  /** The places of chunks in the grid that can be sorted together with their numbers. */
  private static final long MAX_PLACE = 1L << 40;

  /** Runs of this many elements are converted one by one, shorter ones together. */
  private static final int LONG_RUN = 32;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

  /** The bytes of a run that are copied by the loops here, not as a block. */
  private static final int COPIED_BYTES = 64;

  private final DecodedChunks chunks;
  private final ElementTransfer transfer;
  private final ElementMover mover;
  private final int chunkBytes;
  private final int fileSize;
  private final int memorySize;
  private final ChunkSegments segments;

  // The chunks in the order of the grid, and for each number: where it is in the buffer.
  private int[] order;
  private ChunkLocation[] locations;
  private int[] inBuffer;

  private SmallChunks(
      DecodedChunks chunks, ElementTransfer transfer, ElementMover mover, boolean reads) {
    this.chunks = chunks;
    this.transfer = transfer;
    this.mover = mover;
    this.chunkBytes = (int) chunks.shape().chunkBytes();
    this.fileSize = reads ? mover.sourceSize() : mover.targetSize();
    this.memorySize = reads ? mover.targetSize() : mover.sourceSize();
    this.segments =
        new ChunkSegments(
            transfer.fileExtent(), chunks.shape().chunkDims(), MAX_BYTES / chunkBytes);
  }

  /**
   * Reads the elements, if the transfer is of this kind.
   *
   * @return false if it is not, and nothing was read
   */
  static boolean read(DecodedChunks chunks, ElementTransfer transfer, ElementMover mover) {
    if (!suit(chunks, transfer, mover)) {
      return false;
    }
    SmallChunks small = new SmallChunks(chunks, transfer, mover, true);
    if (!small.cut()) {
      return false;
    }
    small.sort();
    small.read();
    return true;
  }

  /**
   * Writes the elements, if the transfer is of this kind.
   *
   * @return false if it is not, or a chunk may not be overwritten; nothing was written then
   */
  static boolean write(DecodedChunks chunks, ElementTransfer transfer, ElementMover mover) {
    if (!suit(chunks, transfer, mover)) {
      return false;
    }
    SmallChunks small = new SmallChunks(chunks, transfer, mover, false);
    if (!small.cut()) {
      return false;
    }
    small.sort();
    if (!small.mayOverwrite()) {
      return false;
    }
    small.write();
    return true;
  }

  private static boolean suit(DecodedChunks chunks, ElementTransfer transfer, ElementMover mover) {
    ChunkShape shape = chunks.shape();
    long elements = transfer.elements();
    if (elements == 0
        || elements > MAX_ELEMENTS
        || !shape.pipeline().isEmpty()
        || shape.chunkBytes() > CHUNK_BYTES
        || !mover.parallel()
        || mover.needsBackground()
        || mover.frees()
        || chunks.places().prefetches()) {
      return false;
    }
    long volume = 1;
    for (long dim : transfer.fileExtent()) {
      volume = ChunkShape.product(volume, dim);
    }
    long count = shape.count(transfer.fileExtent());
    return count > 1 && count < MAX_PLACE && volume < Long.MAX_VALUE / 2;
  }

  private boolean cut() {
    return segments.add(
        RunPairs.of(
            transfer.fileSelection(),
            transfer.fileExtent(),
            transfer.memorySelection(),
            transfer.memoryExtent()));
  }

  /** Looks chunks up in the order of the grid, which is usually that of the file. */
  private void sort() {
    int number = segments.chunkCount();
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(number);
    long[] keys = new long[number];
    for (int i = 0; i < number; i++) {
      keys[i] = segments.place(i) << bits | i;
    }
    Arrays.sort(keys);
    order = new int[number];
    locations = new ChunkLocation[number];
    inBuffer = new int[number];
    for (int i = 0; i < number; i++) {
      int chunk = (int) keys[i] & (1 << bits) - 1;
      order[i] = chunk;
      locations[chunk] = chunks.places().find(segments.scaled(chunk));
    }
  }

  private boolean mayOverwrite() {
    for (int i = 0; i < locations.length; i++) {
      if (!locations[i].isAllocated()
          || !chunks.places().mayOverwrite(segments.scaled(i), locations[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Places chunks in the buffer as they are in the file, with the holes between those that are
   * close to each other.
   *
   * @return the size of the buffer in bytes
   */
  private int arrange() {
    long end = 0;
    long holes = 0;
    for (int i = 0; i < order.length; i++) {
      long hole = i == 0 ? -1 : holeBefore(i);
      if (hole > 0 && holes + hole <= MAX_BYTES) {
        holes += hole;
        end += hole;
      }
      inBuffer[order[i]] = (int) end;
      end += chunkBytes;
    }
    return (int) end;
  }

  /** Returns the bytes between two chunks that may be read together; -1 if they may not be. */
  private long holeBefore(int i) {
    ChunkLocation before = locations[order[i - 1]];
    ChunkLocation now = locations[order[i]];
    if (!before.isAllocated() || !now.isAllocated()) {
      return -1;
    }
    long hole = now.address() - before.address() - chunkBytes;
    return hole <= HOLE_BYTES ? hole : -1;
  }

  /** Returns the index, in order, after the last chunk that is as far away as in the buffer. */
  private int endOfGroup(int from) {
    ChunkLocation first = locations[order[from]];
    int to = from + 1;
    while (to < order.length
        && first.isAllocated()
        && locations[order[to]].isAllocated()
        && locations[order[to]].address() - first.address()
            == inBuffer[order[to]] - inBuffer[order[from]]) {
      to++;
    }
    return to;
  }

  private void load(MemorySegment buffer) {
    int to;
    for (int from = 0; from < order.length; from = to) {
      to = endOfGroup(from);
      long start = inBuffer[order[from]];
      long end = (long) inBuffer[order[to - 1]] + chunkBytes;
      chunks.unfiltered(locations[order[from]]).read(0, buffer.asSlice(start, end - start));
    }
  }

  private void read() {
    try (Lease lease = chunks.pool().take(arrange())) {
      MemorySegment buffer = lease.segment();
      MemorySegment memory = transfer.memory();
      load(buffer);
      if (mover.copies()) {
        for (int i = 0; i < segments.size(); i++) {
          copy(buffer, at(i), memory, inMemory(i), segments.length(i) * fileSize);
        }
      } else if (hasLongRuns()) {
        for (int i = 0; i < segments.size(); i++) {
          convert(buffer, at(i), memory, inMemory(i), segments.length(i));
        }
      } else {
        readTogether(buffer, memory);
      }
    }
  }

  private boolean hasLongRuns() {
    return segments.elements() >= (long) LONG_RUN * segments.size();
  }

  private void readTogether(MemorySegment buffer, MemorySegment memory) {
    long number = segments.elements();
    try (Lease packed = chunks.pool().take(number * fileSize)) {
      pack(buffer, this::at, packed.segment(), fileSize);
      if (segments.memoryIsOneRun()) {
        convert(packed.segment(), 0, memory, inMemory(0), number);
        return;
      }
      try (Lease converted = chunks.pool().take(number * memorySize)) {
        convert(packed.segment(), 0, converted.segment(), 0, number);
        unpack(converted.segment(), memory, this::inMemory, memorySize);
      }
    }
  }

  /** Copies the segments from their places to one behind the other. */
  private void pack(
      MemorySegment from, IntToLongFunction place, MemorySegment packed, int elementSize) {
    long done = 0;
    for (int i = 0; i < segments.size(); i++) {
      int bytes = segments.length(i) * elementSize;
      copy(from, place.applyAsLong(i), packed, done, bytes);
      done += bytes;
    }
  }

  /** Copies segments that are one behind the other to their places. */
  private void unpack(
      MemorySegment packed, MemorySegment to, IntToLongFunction place, int elementSize) {
    long done = 0;
    for (int i = 0; i < segments.size(); i++) {
      int bytes = segments.length(i) * elementSize;
      copy(packed, done, to, place.applyAsLong(i), bytes);
      done += bytes;
    }
  }

  private void convert(MemorySegment from, long at, MemorySegment to, long toAt, long number) {
    mover.move(
        from,
        new Steps(at, number * mover.sourceSize()),
        to,
        new Steps(toAt, number * mover.targetSize()),
        number,
        1);
  }

  private void write() {
    try (Lease lease = chunks.pool().take(arrange())) {
      MemorySegment buffer = lease.segment();
      MemorySegment memory = transfer.memory();
      boolean loaded = !isDense();
      if (loaded) {
        load(buffer);
      }
      if (mover.copies()) {
        for (int i = 0; i < segments.size(); i++) {
          copy(memory, inMemory(i), buffer, at(i), segments.length(i) * fileSize);
        }
      } else if (hasLongRuns()) {
        for (int i = 0; i < segments.size(); i++) {
          convert(memory, inMemory(i), buffer, at(i), segments.length(i));
        }
      } else {
        writeTogether(memory, buffer);
      }
      store(buffer, loaded);
    }
  }

  /** Returns whether each chunk is written without a hole, so that nothing has to be read. */
  private boolean isDense() {
    if (transfer.fileSelection() instanceof PointSelection) {
      return false;
    }
    for (int i = 0; i < segments.chunkCount(); i++) {
      if (segments.covered(i) != segments.end(i) - segments.lowest(i)) {
        return false;
      }
    }
    return true;
  }

  private void writeTogether(MemorySegment memory, MemorySegment buffer) {
    long number = segments.elements();
    try (Lease converted = chunks.pool().take(number * fileSize)) {
      if (segments.memoryIsOneRun()) {
        convert(memory, inMemory(0), converted.segment(), 0, number);
      } else {
        try (Lease packed = chunks.pool().take(number * memorySize)) {
          pack(memory, this::inMemory, packed.segment(), memorySize);
          convert(packed.segment(), 0, converted.segment(), 0, number);
        }
      }
      unpack(converted.segment(), buffer, this::at, fileSize);
    }
  }

  /** Writes what is touched of each chunk; parts of adjacent chunks in one request. */
  private void store(MemorySegment buffer, boolean loaded) {
    int i = 0;
    while (i < order.length) {
      long start = start(order[i]);
      long address = locations[order[i]].address() - inBuffer[order[i]];
      int last = order[i++];
      while (i < order.length && continues(last, order[i], loaded)) {
        last = order[i++];
      }
      chunks.places().write(address + start, buffer.asSlice(start, end(last) - start));
    }
  }

  /**
   * Returns whether what is touched of a chunk may be written together with what is touched of the
   * one before it: the chunks are adjacent, and what is between was read or is nothing.
   */
  private boolean continues(int before, int chunk, boolean loaded) {
    return locations[chunk].address() - locations[before].address() == chunkBytes
        && inBuffer[chunk] - inBuffer[before] == chunkBytes
        && (loaded || start(chunk) == end(before));
  }

  private long start(int chunk) {
    return inBuffer[chunk] + (long) segments.lowest(chunk) * fileSize;
  }

  private long end(int chunk) {
    return inBuffer[chunk] + (long) segments.end(chunk) * fileSize;
  }

  private long at(int segment) {
    return inBuffer[segments.chunk(segment)] + (long) segments.inChunk(segment) * fileSize;
  }

  private long inMemory(int segment) {
    return segments.inMemory(segment) * memorySize;
  }

  /** Copies a run, which is usually of a few bytes. */
  private static void copy(MemorySegment from, long at, MemorySegment to, long toAt, int bytes) {
    if (bytes > COPIED_BYTES) {
      MemorySegment.copy(from, at, to, toAt, bytes);
      return;
    }
    int i = 0;
    for (; i + 8 <= bytes; i += 8) {
      to.set(LONG, toAt + i, from.get(LONG, at + i));
    }
    for (; i + 2 <= bytes; i += 2) {
      to.set(SHORT, toAt + i, from.get(SHORT, at + i));
    }
    if (i < bytes) {
      to.set(ValueLayout.JAVA_BYTE, toAt + i, from.get(ValueLayout.JAVA_BYTE, at + i));
    }
  }
}
