package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.hyperslab.format.index.grid.ChunkLocation;

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
  public synchronized void put(
      long[] scaled, MemorySegment bytes, int filterMask, boolean mayOverwrite) {
    ChunkLocation old = find(scaled);
    boolean stays = old.isAllocated() && mayOverwrite && old.storedBytes() == bytes.byteSize();
    ChunkLocation place =
        stays ? old : new ChunkLocation(stored.length, bytes.byteSize(), filterMask);
    if (!stays) {
      stored = Arrays.copyOf(stored, stored.length + (int) bytes.byteSize());
      index.put(Arrays.toString(scaled), place);
    }
    write(place.address(), bytes);
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
