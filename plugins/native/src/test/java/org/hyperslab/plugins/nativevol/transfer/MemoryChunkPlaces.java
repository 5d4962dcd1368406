package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.hyperslab.format.index.ChunkLocation;

/** Chunks in a map, at addresses that only increase. */
final class MemoryChunkPlaces implements ChunkPlaces {

  private final Map<String, ChunkLocation> index = new HashMap<>();
  private byte[] stored = new byte[8];
  private int reads;
  private long read;
  private int writes;

  @Override
  public String file() {
    return "memory";
  }

  @Override
  public long[] extent() {
    long[] endless = new long[32];
    Arrays.fill(endless, Long.MAX_VALUE);
    return endless;
  }

  @Override
  public synchronized ChunkLocation find(long[] scaled) {
    return index.getOrDefault(Arrays.toString(scaled), ChunkLocation.NONE);
  }

  @Override
  public synchronized ChunkLocation place(
      long[] scaled, long storedBytes, int filterMask, boolean mayOverwrite) {
    ChunkLocation old = find(scaled);
    if (old.isAllocated() && mayOverwrite && old.storedBytes() == storedBytes) {
      return old;
    }
    ChunkLocation fresh = new ChunkLocation(stored.length, storedBytes, filterMask);
    stored = Arrays.copyOf(stored, stored.length + (int) storedBytes);
    index.put(Arrays.toString(scaled), fresh);
    return fresh;
  }

  @Override
  public synchronized void read(long address, MemorySegment target) {
    reads++;
    MemorySegment.copy(MemorySegment.ofArray(stored), address, target, 0, target.byteSize());
    read += target.byteSize();
  }

  @Override
  public synchronized void write(long address, MemorySegment source) {
    writes++;
    MemorySegment.copy(source, 0, MemorySegment.ofArray(stored), address, source.byteSize());
  }

  /** Returns the number of reads. */
  synchronized int reads() {
    return reads;
  }

  /** Returns the number of bytes that were read. */
  synchronized long bytesRead() {
    return read;
  }

  /** Returns the number of writes. */
  synchronized int writes() {
    return writes;
  }
}
