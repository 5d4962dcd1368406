package org.hyperslab.mpiio.file;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.Signature;
import org.hyperslab.mpiio.datatype.TypeMap;

/**
 * The memory of an access: MPI's buffer, count and datatype.
 *
 * @param memory the segment with the elements, heap or native
 * @param originBytes the offset of the first element's origin; above 0 for types with bytes below
 *     their origin
 * @param count the number of elements
 * @param type their type
 */
public record MemoryBuffer(MemorySegment memory, long originBytes, long count, DerivedType type) {

  /**
   * Checks that the elements lie within the memory.
   *
   * @throws InvalidUseException if they do not
   */
  public MemoryBuffer {
    if (count < 0) {
      throw new InvalidUseException("buffer: actual=" + count + " elements, expected=at least 0");
    }
    TypeMap map = map(count, type);
    boolean fits;
    try {
      fits =
          map.size() == 0
              || (Math.addExact(originBytes, map.low()) >= 0
                  && Math.addExact(originBytes, map.high()) <= memory.byteSize());
    } catch (ArithmeticException beyond) {
      fits = false;
    }
    if (!fits) {
      throw new InvalidUseException(
          "buffer: actual="
              + memory.byteSize()
              + " bytes with the origin at "
              + originBytes
              + ", expected=room for bytes "
              + map.low()
              + " to "
              + map.high()
              + " from the origin; pass a longer segment");
    }
  }

  /**
   * {@return all bytes of a segment}
   *
   * @param memory the memory
   */
  public static MemoryBuffer of(MemorySegment memory) {
    return new MemoryBuffer(memory, 0, memory.byteSize(), DerivedType.BYTE);
  }

  /**
   * {@return elements of a type from the start of a segment}
   *
   * @param memory the memory
   * @param count how many elements of the type
   * @param type the datatype
   */
  public static MemoryBuffer of(MemorySegment memory, long count, DerivedType type) {
    return new MemoryBuffer(memory, 0, count, type);
  }

  /** {@return an empty buffer, for a rank without data in a collective access} */
  public static MemoryBuffer none() {
    return new MemoryBuffer(MemorySegment.NULL, 0, 0, DerivedType.BYTE);
  }

  /** {@return the number of bytes of all elements' data} */
  public long bytes() {
    return Math.multiplyExact(count, type.size());
  }

  /** {@return the elementary types of these bytes} */
  public Signature signature() {
    return type.signature().times(count);
  }

  /** {@return the places of all elements' bytes in packed order, from the origin} */
  public TypeMap map() {
    return map(count, type);
  }

  private static TypeMap map(long count, DerivedType type) {
    try {
      return type.map().repeated(0, count, type.extent());
    } catch (ArithmeticException e) {
      throw new InvalidUseException(
          "buffer: actual=" + count + " elements of " + type + ", expected=less than 2^63 bytes",
          e);
    }
  }
}
