package org.hyperslab.mpiio.file;

import java.lang.foreign.MemorySegment;

/**
 * How elements lie in a file (MPI 4.1, section 14.5). The built-in ones are {@link #NATIVE}, {@link
 * #INTERNAL} and {@link #EXTERNAL32}; an implementation by the user is used as these are, and found
 * by name after {@link DataRepresentations#register}.
 *
 * <p>Where {@code MPI_Register_datarep} takes three functions and a pointer to their state, this is
 * an object; conversion is asked for runs of one elementary type, packed on both sides.
 *
 * <p>Thread rule: implementations are safe for use by several threads.
 */
public interface DataRepresentation {

  /** As in memory: nothing is converted. */
  DataRepresentation NATIVE = new Verbatim("native");

  /** The library's own choice, for files that only it reads: as in memory. */
  DataRepresentation INTERNAL = new Verbatim("internal");

  /** Big-endian, with the sizes of MPI 4.1, table 14.2: the same on all machines. */
  DataRepresentation EXTERNAL32 = new External32();

  /** {@return the name, as {@code MPI_File_set_view} takes it} */
  String name();

  /**
   * {@return the size and extent in the file of one element, in bytes}
   *
   * @param type the elementary type
   */
  long fileBytes(Elementary type);

  /**
   * {@return whether the file holds the very bytes that memory does; conversion is not asked for
   * then}
   */
  default boolean verbatim() {
    return false;
  }

  /**
   * Converts {@code count} elements for the file.
   *
   * @param type the elementary type
   * @param count how many elements
   * @param memory {@code count * type.bytes()} bytes
   * @param file {@code count * fileBytes(type)} bytes, to be filled
   * @throws org.hyperslab.error.InvalidUseException if the file has no bytes for a value
   */
  void toFile(Elementary type, long count, MemorySegment memory, MemorySegment file);

  /**
   * Converts {@code count} elements from the file; segments as in {@link #toFile}.
   *
   * @param type the elementary type
   * @param count how many elements
   * @param file the bytes in the file
   * @param memory the memory
   */
  void fromFile(Elementary type, long count, MemorySegment file, MemorySegment memory);
}
