package org.hyperslab;

import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;

/**
 * The bytes of a file in memory, which remain when the file is closed.
 *
 * <p>Thread rule: any thread.
 */
final class MemoryFile extends StoreDecorator {

  static final String NAME = "memory:file.h5";

  private final MemoryStore memory;

  private MemoryFile(MemoryStore memory) {
    super(memory);
    this.memory = memory;
  }

  /** Creates a file from a copy of the bytes; an empty one if there are none. */
  static MemoryFile of(byte[] content) {
    return new MemoryFile(MemoryStore.copyOf(NAME, content));
  }

  byte[] toByteArray() {
    return memory.toByteArray();
  }

  /** Keeps the bytes. */
  @Override
  public void close() {}
}
