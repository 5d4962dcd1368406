package org.hyperslab.mpiio.datatype;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;

/**
 * A datatype of MPI: elementary, or derived by one of the constructors below (MPI 4.1, section
 * 5.1), which have MPI's names and arguments. Immutable and shareable; two types are equal if they
 * were constructed in the same way.
 *
 * <p>All sizes, bounds and displacements are bytes unless a parameter says that it counts extents
 * of the old type. A value that does not fit a long, a negative count, or arrays of different
 * lengths are an {@link InvalidUseException}.
 */
public final class DerivedType {

  /** Uninterpreted bytes, which no representation converts. */
  public static final DerivedType BYTE = of(ElementaryType.BYTE);

  /** Signed integers of 16 bits, as Java's {@code short}. */
  public static final DerivedType INT16 = of(ElementaryType.INT16);

  /** Signed integers of 32 bits, as Java's {@code int}. */
  public static final DerivedType INT32 = of(ElementaryType.INT32);

  /** Signed integers of 64 bits, as Java's {@code long}. */
  public static final DerivedType INT64 = of(ElementaryType.INT64);

  /** IEEE 754 binary32, as Java's {@code float}. */
  public static final DerivedType FLOAT = of(ElementaryType.FLOAT);

  /** IEEE 754 binary64, as Java's {@code double}. */
  public static final DerivedType DOUBLE = of(ElementaryType.DOUBLE);

  private final TypeConstructor constructor;
  private final Bounds bounds;
  private final TypeMap map;
  private final Signature signature;
  private final long lowerBound;
  private final long extent;

  private DerivedType(TypeConstructor constructor, Parts parts) {
    this.constructor = constructor;
    this.bounds = parts.bounds;
    this.map = parts.map;
    this.signature = parts.signature;
    this.lowerBound = bounds.lower();
    this.extent = bounds.extent();
  }

  /** The result of a constructor. */
  record Parts(Bounds bounds, TypeMap map, Signature signature) {}

  /**
   * {@return an elementary type, with its size in memory}
   *
   * @param elementary the elementary type
   */
  public static DerivedType of(ElementaryType elementary) {
    return of(elementary, elementary.bytes());
  }

  /**
   * {@return an elementary type with another size, as in a data representation of files}
   *
   * @param elementary the elementary type
   * @param bytes the size of an element, in bytes
   */
  public static DerivedType of(ElementaryType elementary, long bytes) {
    require(bytes > 0, "size of an elementary type", bytes, "at least 1");
    int alignment = bytes == elementary.bytes() ? elementary.alignment() : 1;
    return made(
        new TypeConstructor.Basic(elementary, bytes),
        () ->
            new Parts(
                Bounds.basic(bytes, alignment), TypeMap.dense(0, bytes), Signature.of(elementary)));
  }

  /**
   * {@return {@code count} consecutive elements of the old type} This is {@code
   * MPI_Type_contiguous}.
   *
   * @param count the number of blocks or elements
   * @param old the type of an element
   */
  public static DerivedType contiguous(long count, DerivedType old) {
    notNegative("count", count);
    return made(new TypeConstructor.Contiguous(count, old), () -> repeated(old, count, old.extent));
  }

  /**
   * {@return {@code count} blocks of {@code blockLength} of the old type} This is {@code
   * MPI_Type_vector}.
   *
   * @param count the number of blocks or elements
   * @param blockLength elements of a block
   * @param stride from the start of a block to that of the next, in extents
   * @param old the type of an element
   */
  public static DerivedType vector(long count, long blockLength, long stride, DerivedType old) {
    return made(
        new TypeConstructor.Vector(count, blockLength, stride, old),
        () -> blocks(count, blockLength, Math.multiplyExact(stride, old.extent), old));
  }

  /**
   * {@return blocks of equal length at equal distances in bytes} This is {@code
   * MPI_Type_create_hvector}.
   *
   * @param count the number of blocks or elements
   * @param blockLength elements of a block
   * @param strideBytes bytes from the start of one block to the start of the next
   * @param old the type of an element
   */
  public static DerivedType hvector(
      long count, long blockLength, long strideBytes, DerivedType old) {
    return made(
        new TypeConstructor.HVector(count, blockLength, strideBytes, old),
        () -> blocks(count, blockLength, strideBytes, old));
  }

  /**
   * {@return blocks of different lengths at any places} This is {@code MPI_Type_indexed}.
   *
   * @param blockLengths elements of each block
   * @param displacements where each block starts, in extents
   * @param old the type of an element
   */
  public static DerivedType indexed(
      LongList blockLengths, LongList displacements, DerivedType old) {
    return made(
        new TypeConstructor.Indexed(blockLengths, displacements, old),
        () -> placed(blockLengths, scaled(displacements, old.extent), old));
  }

  /**
   * {@return blocks of different lengths at any places, in bytes} This is {@code
   * MPI_Type_create_hindexed}.
   *
   * @param blockLengths elements of each block
   * @param displacementsBytes where each block begins, in bytes
   * @param old the type of an element
   */
  public static DerivedType hindexed(
      LongList blockLengths, LongList displacementsBytes, DerivedType old) {
    return made(
        new TypeConstructor.HIndexed(blockLengths, displacementsBytes, old),
        () -> placed(blockLengths, displacementsBytes, old));
  }

  /**
   * {@return equal blocks at any places, in extents} This is {@code MPI_Type_create_indexed_block}.
   *
   * @param blockLength elements of a block
   * @param displacements where each block begins, in extents of the old type
   * @param old the type of an element
   */
  public static DerivedType indexedBlock(
      long blockLength, LongList displacements, DerivedType old) {
    return made(
        new TypeConstructor.IndexedBlock(blockLength, displacements, old),
        () ->
            placed(
                LongList.repeated(blockLength, displacements.size()),
                scaled(displacements, old.extent),
                old));
  }

  /**
   * {@return equal blocks at any places, in bytes} This is {@code MPI_Type_create_hindexed_block}.
   *
   * @param blockLength elements of a block
   * @param displacementsBytes where each block begins, in bytes
   * @param old the type of an element
   */
  public static DerivedType hindexedBlock(
      long blockLength, LongList displacementsBytes, DerivedType old) {
    return made(
        new TypeConstructor.HIndexedBlock(blockLength, displacementsBytes, old),
        () ->
            placed(
                LongList.repeated(blockLength, displacementsBytes.size()),
                displacementsBytes,
                old));
  }

  /**
   * {@return blocks of different types at any places} This is {@code MPI_Type_create_struct}.
   *
   * @param blockLengths elements of each block
   * @param displacementsBytes where each block starts
   * @param old the type of each block
   */
  public static DerivedType struct(
      LongList blockLengths, LongList displacementsBytes, List<DerivedType> old) {
    return made(
        new TypeConstructor.Struct(blockLengths, displacementsBytes, old),
        () -> BlockTypes.struct(blockLengths, displacementsBytes, old));
  }

  /**
   * {@return a box of an array; the extent is that of the whole array} This is {@code
   * MPI_Type_create_subarray}.
   *
   * @param sizes elements of the array in each dimension
   * @param subsizes elements of the box, at least 1
   * @param starts where the box starts, from 0
   * @param order the storage order
   * @param old the type of an element
   */
  public static DerivedType subarray(
      LongList sizes, LongList subsizes, LongList starts, ArrayOrder order, DerivedType old) {
    TypeConstructor.Subarray constructor =
        new TypeConstructor.Subarray(sizes, subsizes, starts, order, old);
    return made(constructor, () -> ArrayTypeMaps.subarray(constructor));
  }

  /**
   * {@return the part that one process has of an array that is distributed as in High Performance
   * Fortran; the extent is that of the whole array} This is {@code MPI_Type_create_darray}. If a
   * dimension is distributed in a way that MPI does not have, it is made of indexed types.
   *
   * @param place the process, the process grid and the storage order
   * @param sizes elements of the array in each dimension
   * @param distributions the distribution of each dimension
   * @param old the type of an element
   */
  public static DerivedType darray(
      TypeConstructor.Place place,
      LongList sizes,
      List<DimensionDistribution> distributions,
      DerivedType old) {
    if (distributions.stream().anyMatch(NestedDistributions::isNeeded)) {
      return NestedDistributions.of(place, sizes, distributions, old);
    }
    TypeConstructor.Darray constructor =
        new TypeConstructor.Darray(place, sizes, distributions, old);
    return made(constructor, () -> ArrayTypeMaps.darray(constructor));
  }

  /**
   * {@return the old type with another lower bound and extent} This is {@code
   * MPI_Type_create_resized}.
   *
   * @param lowerBoundBytes the new lower bound, in bytes
   * @param extentBytes the new extent, in bytes
   * @param old the type of an element
   */
  public static DerivedType resized(long lowerBoundBytes, long extentBytes, DerivedType old) {
    return made(
        new TypeConstructor.Resized(lowerBoundBytes, extentBytes, old),
        () -> new Parts(old.bounds.resized(lowerBoundBytes, extentBytes), old.map, old.signature));
  }

  /** {@return the constructor of this type, with its arguments} */
  public TypeConstructor constructor() {
    return constructor;
  }

  /** {@return the number of bytes of its data} This is {@code MPI_Type_size}. */
  public long size() {
    return map.size();
  }

  /** {@return the lower bound in bytes, relative to the position of an element; may be negative} */
  public long lowerBound() {
    return lowerBound;
  }

  /** {@return the distance between consecutive elements of this type, in bytes} */
  public long extent() {
    return extent;
  }

  /** {@return the upper bound: the sum of lower bound and extent} */
  public long upperBound() {
    return lowerBound + extent;
  }

  /** {@return the lowest byte of the data, marks and alignment apart} */
  public long trueLowerBound() {
    return map.low();
  }

  /** {@return the distance from the lowest byte of the data to one past the highest} */
  public long trueExtent() {
    return map.high() - map.low();
  }

  /** {@return the places of its bytes} */
  public TypeMap map() {
    return map;
  }

  /** {@return the elementary types of its bytes} */
  public Signature signature() {
    return signature;
  }

  /** {@return whether consecutive elements leave no gaps and are in order} */
  public boolean isContiguous() {
    return map.isDense() && extent == map.size();
  }

  Bounds bounds() {
    return bounds;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DerivedType that && constructor.equals(that.constructor);
  }

  @Override
  public int hashCode() {
    return constructor.hashCode();
  }

  @Override
  public String toString() {
    return constructor instanceof TypeConstructor.Basic b
        ? b.elementary().toString()
        : constructor.toString();
  }

  private static DerivedType made(TypeConstructor constructor, Supplier<Parts> parts) {
    try {
      return new DerivedType(constructor, parts.get());
    } catch (ArithmeticException e) {
      throw new InvalidUseException(
          "datatype: actual=a size or displacement beyond 2^63, expected=less, at=" + constructor,
          e);
    }
  }

  private static Parts repeated(DerivedType old, long count, long stride) {
    return new Parts(
        old.bounds.repeated(0, count, stride),
        old.map.repeated(0, count, stride),
        old.signature.times(count));
  }

  private static Parts blocks(long count, long blockLength, long strideBytes, DerivedType old) {
    notNegative("count", count);
    notNegative("block length", blockLength);
    Parts block = repeated(old, blockLength, old.extent);
    return new Parts(
        block.bounds.repeated(0, count, strideBytes),
        block.map.repeated(0, count, strideBytes),
        block.signature.times(count));
  }

  private static Parts placed(LongList blockLengths, LongList displacementsBytes, DerivedType old) {
    return BlockTypes.indexed(blockLengths, displacementsBytes, old);
  }

  private static LongList scaled(LongList displacements, long extent) {
    return LongList.of(
        Arrays.stream(displacements.toArray()).map(d -> Math.multiplyExact(d, extent)).toArray());
  }

  static void notNegative(String what, long value) {
    require(value >= 0, what, value, "at least 0");
  }

  static void require(boolean holds, String what, Object actual, String expected) {
    if (!holds) {
      throw new InvalidUseException(
          what + ": actual=" + actual + ", expected=" + expected + ", at=datatype constructor");
    }
  }
}
