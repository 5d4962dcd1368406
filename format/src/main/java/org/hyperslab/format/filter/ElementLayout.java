package org.hyperslab.format.filter;

import java.nio.ByteOrder;
import java.util.List;

/**
 * The description of a dataset's element from which a filter is configured: sizes, byte order, and
 * which bits matter. It says the same as the datatype, in the few words that filters need.
 *
 * <p>Thread rule: immutable.
 */
public sealed interface ElementLayout {

  /** {@return the size of one element in bytes, at least 1} */
  int sizeBytes();

  /** The two classes of number that nbit and scale-offset pack. */
  enum NumberClass {
    /** A fixed-point number. */
    INTEGER,
    /** A floating-point number. */
    FLOAT
  }

  /**
   * An integer or floating-point number.
   *
   * @param numberClass integer or floating point
   * @param sizeBytes its size in bytes
   * @param order its byte order
   * @param signed whether an integer is in two's complement; true for floating point
   * @param offsetBits the first significant bit, counted from the least significant one
   * @param precisionBits how many bits are significant
   */
  @SuppressWarnings("AvoidCommonTypeNames") // always written ElementLayout.Number
  record Number(
      NumberClass numberClass,
      int sizeBytes,
      ByteOrder order,
      boolean signed,
      int offsetBits,
      int precisionBits)
      implements ElementLayout {

    /**
     * {@return a number all of whose bits matter}
     *
     * @param numberClass integer or floating point
     * @param sizeBytes the length, bytes
     * @param order the byte order
     * @param signed whether the numbers are signed
     */
    public static Number full(
        NumberClass numberClass, int sizeBytes, ByteOrder order, boolean signed) {
      return new Number(numberClass, sizeBytes, order, signed, 0, sizeBytes * 8);
    }
  }

  /**
   * An array datatype.
   *
   * @param sizeBytes the size of the whole array in bytes
   * @param base its element
   */
  record Array(int sizeBytes, ElementLayout base) implements ElementLayout {}

  /**
   * A compound datatype.
   *
   * @param sizeBytes the size of the whole in bytes
   * @param members its members, in the order of the datatype message
   */
  record Compound(int sizeBytes, List<Member> members) implements ElementLayout {

    /** Copies the list. */
    public Compound {
      members = List.copyOf(members);
    }
  }

  /**
   * A member of a compound.
   *
   * @param offsetBytes where it begins in the compound
   * @param layout the layout of the member
   */
  record Member(int offsetBytes, ElementLayout layout) {}

  /**
   * Any other element: strings, opaque, bit fields, enumerations, references, variable-length ids.
   *
   * @param sizeBytes its size in bytes
   * @param order its byte order, or null if it has none
   */
  record Other(int sizeBytes, ByteOrder order) implements ElementLayout {

    /**
     * Creates the layout of bytes without an order.
     *
     * @param sizeBytes the length, bytes
     */
    public Other(int sizeBytes) {
      this(sizeBytes, null);
    }
  }
}
