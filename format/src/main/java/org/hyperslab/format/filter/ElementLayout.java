package org.hyperslab.format.filter;

import java.nio.ByteOrder;
import java.util.List;

/**
 * Describes a dataset's element for the configuration of filters: sizes, byte order, and the
 * significant bits. It follows from the datatype, reduced to the properties that filters need.
 *
 * <p>Thread rule: immutable.
 */
public sealed interface ElementLayout {

  /** {@return the size of one element in bytes, at least 1} */
  int sizeBytes();

  /** {@return a short description for messages, such as {@code a compound of 12 bytes}} */
  default String describe() {
    String kind =
        switch (this) {
          case Number number ->
              number.numberClass() == NumberClass.FLOAT ? "a float" : "an integer";
          case Array _ -> "an array";
          case Compound _ -> "a compound";
          case Other _ -> "no number, an element";
        };
    return kind + " of " + sizeBytes() + " bytes";
  }

  /** The classes of numbers that nbit and scale-offset pack. */
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
   * @param sizeBytes the size in bytes
   * @param order the byte order
   * @param signed whether an integer is in two's complement; true for floating point
   * @param offsetBits the position of the first significant bit, counted from the least significant
   *     one
   * @param precisionBits the number of significant bits
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
     * {@return a number whose bits are all significant}
     *
     * @param numberClass integer or floating point
     * @param sizeBytes the size in bytes
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
   * @param base the layout of an element of the array
   */
  record Array(int sizeBytes, ElementLayout base) implements ElementLayout {}

  /**
   * A compound datatype.
   *
   * @param sizeBytes the size of the compound in bytes
   * @param members the members, in the order of the datatype message
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
   * @param offsetBytes the offset within the compound in bytes
   * @param layout the layout of the member
   */
  record Member(int offsetBytes, ElementLayout layout) {}

  /**
   * Any other element: strings, opaque, bit fields, enumerations, references, variable-length ids.
   *
   * @param sizeBytes the size in bytes
   * @param order the byte order, or null if it has none
   */
  record Other(int sizeBytes, ByteOrder order) implements ElementLayout {

    /**
     * Creates the layout of bytes without a byte order.
     *
     * @param sizeBytes the size in bytes
     */
    public Other(int sizeBytes) {
      this(sizeBytes, null);
    }
  }
}
