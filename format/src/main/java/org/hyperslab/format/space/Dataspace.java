package org.hyperslab.format.space;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/**
 * The shape of a dataset or an attribute: no element, one element, or an array of up to 32
 * dimensions, each with a current and a maximum extent.
 *
 * <p>Invariant: 0 ≤ current ≤ maximum in every dimension, a maximum may be {@link #UNLIMITED}, and
 * the number of elements fits in a long. The last dimension varies fastest.
 *
 * <p>Thread rule: immutable. Source: HDF5 File Format Specification, IV.A.2.b "The Dataspace
 * Message".
 */
public final class Dataspace {

  /** The maximum extent of a dimension that may grow without limit. */
  public static final long UNLIMITED = -1L;

  /** The greatest rank that HDF5 permits. */
  public static final int MAX_RANK = 32;

  private static final Dataspace NULL = new Dataspace(Kind.NULL, new long[0], new long[0], 0);
  private static final Dataspace SCALAR = new Dataspace(Kind.SCALAR, new long[0], new long[0], 1);

  /** The kind of a dataspace. */
  public enum Kind {
    /** A single element, rank 0. */
    SCALAR,
    /** An array of rank 1 to 32. */
    SIMPLE,
    /** A dataspace without elements and without a shape. */
    NULL
  }

  private final Kind kind;
  private final long[] dims;
  private final long[] maxDims;
  private final long elementCount;

  private Dataspace(Kind kind, long[] dims, long[] maxDims, long elementCount) {
    this.kind = kind;
    this.dims = dims;
    this.maxDims = maxDims;
    this.elementCount = elementCount;
  }

  /** {@return the dataspace without elements} */
  public static Dataspace nullSpace() {
    return NULL;
  }

  /** {@return the dataspace of one element and rank 0} */
  public static Dataspace scalar() {
    return SCALAR;
  }

  /**
   * {@return an array whose maximum extent is its current extent; {@link #scalar()} if there are no
   * arguments}
   *
   * @param dims the extent of each dimension in elements, slowest first
   * @throws InvalidUseException if the rank is above 32, an extent is negative, or the number of
   *     elements exceeds 2^63-1
   */
  public static Dataspace simple(long... dims) {
    return simple(dims, dims);
  }

  /**
   * {@return an array with current and maximum extents; {@link #scalar()} if the rank is 0}
   *
   * @param dims the current extent of each dimension in elements, slowest first
   * @param maxDims the maximum extents, each at least the current one, or {@link #UNLIMITED}
   * @throws InvalidUseException if the ranks differ or exceed 32, an extent is out of range, or the
   *     number of elements exceeds 2^63-1
   */
  public static Dataspace simple(long[] dims, long[] maxDims) {
    if (dims.length > MAX_RANK) {
      throw new InvalidUseException(
          "dataspace rank: actual=" + dims.length + ", expected=0.." + MAX_RANK);
    }
    if (dims.length != maxDims.length) {
      throw new InvalidUseException(
          "rank of maximum extent: actual=" + maxDims.length + ", expected=" + dims.length);
    }
    for (int i = 0; i < dims.length; i++) {
      if (dims[i] < 0) {
        throw new InvalidUseException(
            "extent: actual=" + dims[i] + ", expected=at least 0, at=dimension " + i);
      }
      if (maxDims[i] != UNLIMITED && maxDims[i] < dims[i]) {
        throw new InvalidUseException(
            "maximum extent: actual="
                + maxDims[i]
                + ", expected=at least the extent "
                + dims[i]
                + ", or UNLIMITED, at=dimension "
                + i);
      }
    }
    return dims.length == 0
        ? SCALAR
        : new Dataspace(Kind.SIMPLE, dims.clone(), maxDims.clone(), Extents.volume(dims));
  }

  /**
   * Returns the kind of the dataspace.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /** {@return the number of dimensions; 0 for null and scalar} */
  public int rank() {
    return dims.length;
  }

  /** {@return a copy of the current extents} */
  public long[] dims() {
    return dims.clone();
  }

  /** {@return a copy of the maximum extents; {@link #UNLIMITED} where there is no limit} */
  public long[] maxDims() {
    return maxDims.clone();
  }

  /**
   * {@return the current extent of dimension {@code i}}
   *
   * @param i the dimension, counted from 0
   */
  public long dim(int i) {
    return dims[i];
  }

  /**
   * {@return the maximum extent of dimension {@code i}, or {@link #UNLIMITED}}
   *
   * @param i the dimension, counted from 0
   */
  public long maxDim(int i) {
    return maxDims[i];
  }

  /** {@return whether a dimension can grow} */
  public boolean isExtendible() {
    return !Arrays.equals(dims, maxDims);
  }

  /**
   * {@return the bytes of a box of elements; the greatest number if they are more}
   *
   * @param elementBytes the size of an element
   * @param lengths the lengths of the box, none negative
   */
  public static long bytes(int elementBytes, long... lengths) {
    try {
      return Math.multiplyExact(product(lengths), elementBytes);
    } catch (ArithmeticException tooMany) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * Returns the number of elements of a box.
   *
   * @param lengths its lengths, none negative
   * @return their product; 1 if there are none, and 0 if one of them is
   * @throws ArithmeticException if the product exceeds 2^63 - 1
   */
  public static long product(long... lengths) {
    long product = 1;
    boolean fits = true;
    for (long length : lengths) {
      if (length == 0) {
        return 0;
      }
      fits &= Math.multiplyHigh(product, length) == 0 && product * length >= 0;
      product *= length;
    }
    if (!fits) {
      throw new ArithmeticException("long overflow");
    }
    return product;
  }

  /** {@return the number of elements of the current extent: 0 if null, 1 if scalar} */
  public long elementCount() {
    return elementCount;
  }

  /**
   * {@return this dataspace with other current extents}
   *
   * @param newDims the new lengths, slowest dimension first
   * @throws InvalidUseException if the rank differs or an extent exceeds the maximum
   */
  public Dataspace withDims(long... newDims) {
    if (newDims.length != dims.length) {
      throw new InvalidUseException(
          "rank of the new extent: actual=" + newDims.length + ", expected=" + dims.length);
    }
    for (int i = 0; i < newDims.length; i++) {
      if (maxDims[i] != UNLIMITED && newDims[i] > maxDims[i]) {
        throw new InvalidUseException(
            "extent: actual="
                + newDims[i]
                + ", expected=at most the maximum extent "
                + maxDims[i]
                + ", at=dimension "
                + i
                + "; create a chunked dataset with a larger or unlimited maximum extent, and copy"
                + " the elements to it");
      }
    }
    return kind == Kind.SIMPLE ? simple(newDims, maxDims) : this;
  }

  /** Compares kind, current and maximum extents. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Dataspace that
        && kind == that.kind
        && Arrays.equals(dims, that.dims)
        && Arrays.equals(maxDims, that.maxDims);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * kind.hashCode() + Arrays.hashCode(dims)) + Arrays.hashCode(maxDims);
  }

  /**
   * Returns text such as {@code simple[3/10, 4/unlimited]}, current over maximum where they differ.
   */
  @Override
  public String toString() {
    if (kind != Kind.SIMPLE) {
      return kind == Kind.NULL ? "null" : "scalar";
    }
    StringBuilder text = new StringBuilder("simple[");
    for (int i = 0; i < dims.length; i++) {
      text.append(i == 0 ? "" : ", ").append(dims[i]);
      if (maxDims[i] != dims[i]) {
        text.append('/').append(maxDims[i] == UNLIMITED ? "unlimited" : maxDims[i]);
      }
    }
    return text.append(']').toString();
  }
}
