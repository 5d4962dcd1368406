package org.hyperslab.format.header;

/**
 * Finds the content of shared messages. It is implemented by the engine, which can open other
 * headers and the heap of shared messages.
 */
@FunctionalInterface
public interface SharedMessageResolver {

  /**
   * Returns the message that a pointer refers to.
   *
   * @param typeCode the expected type of the message
   * @param pointer the place of the message
   * @return a message of that type that is not itself shared
   * @throws org.hyperslab.error.CorruptFileException if there is no such message there
   */
  Message resolve(int typeCode, SharedPointer pointer);
}
