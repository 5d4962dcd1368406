package org.hyperslab.mpiio.file;

import org.hyperslab.mpiio.datatype.DerivedType;

/**
 * The status of an access: "the amount of data accessed by the calling process" (MPI 4.1, section
 * 14.4.1). A read of 100 elements of a file that has 27 left returns 27, with every algorithm and
 * view. With {@code vendor} it is the library's count: ROMIO, in MPICH, returns the requested
 * amount if it reads collectively or through a view with gaps.
 *
 * @param bytes the bytes of memory that were read or written; less than requested only if a read
 *     met the end of the file
 */
public record AccessStatus(long bytes) {

  /** The result of {@link #count} if the bytes are not a whole number of elements. */
  public static final long UNDEFINED = -1;

  /**
   * {@return the number of whole elements of a type, or {@link #UNDEFINED}} This is {@code
   * MPI_Get_count}.
   *
   * @param type the datatype
   */
  public long count(DerivedType type) {
    if (type.size() == 0) {
      return bytes == 0 ? 0 : UNDEFINED;
    }
    return bytes % type.size() == 0 ? bytes / type.size() : UNDEFINED;
  }

  /**
   * {@return how many whole elementary elements of a type that is} This is {@code
   * MPI_Get_elements}.
   *
   * @param type the datatype
   */
  public long elements(DerivedType type) {
    return type.signature().elementsIn(bytes);
  }
}
