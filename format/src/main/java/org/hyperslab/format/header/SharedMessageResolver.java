package org.hyperslab.format.header;

/**
 * Finds the content of shared messages. The engine that knows how to open other headers and the
 * heap of shared messages implements it.
 */
@FunctionalInterface
public interface SharedMessageResolver {

  /**
   * Returns the message behind a pointer.
   *
   * @param typeCode the type of message expected
   * @param pointer where the message is stored
   * @return a message of that type that is not itself shared
   * @throws org.hyperslab.error.CorruptFileException if there is no such message there
   */
  Message resolve(int typeCode, SharedPointer pointer);
}
