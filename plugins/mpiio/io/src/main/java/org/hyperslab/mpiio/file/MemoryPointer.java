package org.hyperslab.mpiio.file;

import java.util.concurrent.atomic.AtomicLong;

/** A shared pointer in memory that all ranks reach. */
record MemoryPointer(AtomicLong place) implements SharedFilePointer {

  static final String NAME = "sm";

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
