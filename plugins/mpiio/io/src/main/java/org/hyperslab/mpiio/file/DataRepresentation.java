package org.hyperslab.mpiio.file;

import java.lang.foreign.MemorySegment;
import org.hyperslab.mpiio.datatype.ElementaryType;

/**
 * The representation of elements in a file (MPI 4.1, section 14.5). The built-in ones are {@link
 * #NATIVE}, {@link #INTERNAL} and {@link #EXTERNAL32}; a user's implementation is used in the same
 * way, and found by name after {@link DataRepresentations#register}.
 *
 * <p>This object replaces the three functions and the state pointer of {@code
 * MPI_Register_datarep}; it converts runs of one elementary type, packed on both sides.
 *
 * <p>Thread rule: implementations are safe for use by several threads.
 */
public interface DataRepresentation {

  /** The representation of memory, without conversion. */
  DataRepresentation NATIVE = new NativeRepresentation("native");

  /** The library's own representation, for files that only it reads: that of memory. */
  DataRepresentation INTERNAL = new NativeRepresentation("internal");

  /** Big-endian, with the sizes of MPI 4.1, table 14.2: the same on all machines. */
  DataRepresentation EXTERNAL32 = new External32();

  /** {@return the name, as {@code MPI_File_set_view} takes it} */
  String name();

  /**
   * {@return the size and extent in the file of one element, in bytes}
   *
   * @param type the elementary type
   */
  long fileBytes(ElementaryType type);

  /**
   * {@return whether the file holds the same bytes as memory, so that conversion is never called}
   */
  default boolean verbatim() {
    return false;
  }

  /**
   * Converts {@code count} elements for the file.
   *
   * @param type the elementary type
   * @param count the number of elements
   * @param memory {@code count * type.bytes()} bytes
   * @param file {@code count * fileBytes(type)} bytes, to be filled
   * @throws org.hyperslab.error.InvalidUseException if the file has no bytes for a value
   */
  void toFile(ElementaryType type, long count, MemorySegment memory, MemorySegment file);

  /**
   * Converts {@code count} elements from the file; segments as in {@link #toFile}.
   *
   * @param type the elementary type
   * @param count the number of elements
   * @param file the bytes in the file
   * @param memory the memory
   */
  void fromFile(ElementaryType type, long count, MemorySegment file, MemorySegment memory);
}
