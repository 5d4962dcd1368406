package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.hyperslab.format.index.ChunkLocation;

/** Chunks in a map, at addresses that only increase. */
final class MemoryChunkPlaces implements ChunkPlaces {

  private final Map<String, ChunkLocation> index = new HashMap<>();
  private final Map<Long, byte[]> stored = new HashMap<>();
  private long end = 8;
  private int reads;

  @Override
  public String file() {
    return "memory";
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
    stored.remove(old.address());
    ChunkLocation fresh = new ChunkLocation(end, storedBytes, filterMask);
    end += storedBytes;
    stored.put(fresh.address(), new byte[(int) storedBytes]);
    index.put(Arrays.toString(scaled), fresh);
    return fresh;
  }

  @Override
  public synchronized void read(long address, MemorySegment target) {
    reads++;
    MemorySegment.copy(chunkAt(address), offsetIn(address), target, 0, target.byteSize());
  }

  @Override
  public synchronized void write(long address, MemorySegment source) {
    MemorySegment.copy(source, 0, chunkAt(address), offsetIn(address), source.byteSize());
  }

  /** Returns the number of chunks that have a place. */
  int count() {
    return index.size();
  }

  /** Returns the number of reads. */
  synchronized int reads() {
    return reads;
  }

  private MemorySegment chunkAt(long address) {
    return MemorySegment.ofArray(stored.get(start(address)));
  }

  private long offsetIn(long address) {
    return address - start(address);
  }

  private long start(long address) {
    return stored.keySet().stream().filter(a -> a <= address).max(Long::compare).orElseThrow();
  }

  /** All bytes of the first chunk, for looking at. */
  byte[] first() {
    return chunkAt(stored.keySet().stream().min(Long::compare).orElseThrow())
        .toArray(ValueLayout.JAVA_BYTE);
  }
}
