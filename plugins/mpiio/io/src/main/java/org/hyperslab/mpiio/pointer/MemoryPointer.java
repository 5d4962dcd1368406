package org.hyperslab.mpiio.pointer;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A shared pointer in memory that all ranks reach.
 *
 * @param place memory that holds the MPI_Comm
 */
public record MemoryPointer(AtomicLong place) implements SharedFilePointer {

  public static final String NAME = "sm";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public long get() {
    return place.get();
  }

  @Override
  public void set(long etypes) {
    place.set(etypes);
  }

  @Override
  public long take(long etypes) {
    return place.getAndAdd(etypes);
  }

  @Override
  public void close() {
    // The garbage collector frees the memory.
  }
}
