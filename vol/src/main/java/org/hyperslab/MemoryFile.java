package org.hyperslab;

import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;

/**
 * The bytes of a file in memory, which outlive the closing of the file.
 *
 * <p>Thread rule: any thread.
 */
final class MemoryFile extends StoreDecorator {

  static final String NAME = "memory:file.h5";

  /** What keeps files in stores; other connectors have storage of their own. */
  private static final String CONNECTOR = "native";

  private final MemoryStore memory;

  private MemoryFile(MemoryStore memory) {
    super(memory);
    this.memory = memory;
  }

  /** A file of these bytes, which are copied; without any, one to be created. */
  static MemoryFile of(byte[] content) {
    return new MemoryFile(MemoryStore.copyOf(NAME, content));
  }

  /** A connector to this file. */
  Connector connector() {
    return Connectors.factory(CONNECTOR).over(NAME, this);
  }

  byte[] toByteArray() {
    return memory.toByteArray();
  }

  /** Keeps the bytes. */
  @Override
  public void close() {}
}
