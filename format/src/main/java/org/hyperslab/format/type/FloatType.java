package org.hyperslab.format.type;

import org.hyperslab.error.InvalidUseException;

/**
 * A binary floating-point number (class 1) of any layout. Bit positions are counted from the least
 * significant bit of the element, with its bytes in little-endian order.
 *
 * @param size the size of an element in bytes
 * @param order the byte order
 * @param precision the number of significant bits
 * @param offset the position of the first significant bit
 * @param fields the positions of sign, exponent and mantissa
 * @param padding the value of unused bits
 */
public record FloatType(
    int size, Endian order, int precision, int offset, Fields fields, Padding padding)
    implements Datatype {

  /**
   * The fields of the number.
   *
   * @param signPosition the position of the sign bit
   * @param exponentPosition the position of the exponent's least significant bit
   * @param exponentSize the number of bits of the exponent
   * @param mantissaPosition the position of the mantissa's least significant bit
   * @param mantissaSize the number of bits of the mantissa as stored
   * @param exponentBias the number subtracted from the stored exponent; unsigned 32 bits
   * @param normalization the storage of the leading bit
   */
  public record Fields(
      int signPosition,
      int exponentPosition,
      int exponentSize,
      int mantissaPosition,
      int mantissaSize,
      long exponentBias,
      Normalization normalization) {}

  /**
   * The values of unused bits.
   *
   * @param low the bits below the offset
   * @param high the bits above the precision
   * @param internal the bits between the fields
   */
  public record Padding(BitPadding low, BitPadding high, BitPadding internal) {
    /** Zeros in all unused bits. */
    public static final Padding ZEROS =
        new Padding(BitPadding.ZERO, BitPadding.ZERO, BitPadding.ZERO);
  }

  /** Requires that the fields fit in the element. */
  public FloatType {
    TypeChecks.bits("float", size, precision, offset);
    TypeChecks.present("float order", order);
    TypeChecks.present("float padding", padding);
    if (order == Endian.VAX && size % 2 != 0) {
      throw new InvalidUseException("VAX float size: actual=" + size + ", expected=an even number");
    }
    int bits = 8 * size;
    if (fields.exponentSize() < 1
        || fields.mantissaSize() < 1
        || fields.signPosition() < 0
        || fields.signPosition() >= bits
        || fields.exponentPosition() < 0
        || fields.exponentPosition() + fields.exponentSize() > bits
        || fields.mantissaPosition() < 0
        || fields.mantissaPosition() + fields.mantissaSize() > bits) {
      throw new InvalidUseException(
          "float fields: actual=" + fields + ", expected=all inside " + bits + " bits");
    }
  }

  /**
   * {@return an IEEE 754 style float that fills its element: sign, exponent, mantissa from the top}
   *
   * @param size the size of an element in bytes
   * @param order the byte order
   * @param exponentSize the number of bits of the exponent; the bias is 2^(exponentSize-1)-1
   */
  public static FloatType ieee(int size, Endian order, int exponentSize) {
    int bits = 8 * size;
    int mantissa = bits - 1 - exponentSize;
    long bias = (1L << (exponentSize - 1)) - 1;
    Fields fields =
        new Fields(bits - 1, mantissa, exponentSize, 0, mantissa, bias, Normalization.IMPLIED);
    return new FloatType(size, order, bits, 0, fields, Padding.ZEROS);
  }

  /**
   * {@return this float in another byte order}
   *
   * @param newOrder the new byte order
   */
  public FloatType withOrder(Endian newOrder) {
    return new FloatType(size, newOrder, precision, offset, fields, padding);
  }

  /**
   * {@return whether every finite value of this type is one of another, so that conversion changes
   * none}
   *
   * @param other the other type, an IEEE format
   */
  public boolean isWithin(FloatType other) {
    return fields.exponentSize() <= other.fields.exponentSize()
        && significantBits() <= other.significantBits()
        && greatestExponent() <= other.greatestExponent()
        && leastExponent() >= other.leastExponent();
  }

  private int significantBits() {
    return fields.mantissaSize() + (fields.normalization() == Normalization.IMPLIED ? 1 : 0);
  }

  /** Returns the exponent, to base two, of the greatest finite number. */
  private long greatestExponent() {
    long infinite = order == Endian.VAX ? 0 : 1; // VAX has neither infinity nor NaN
    return (1L << fields.exponentSize()) - 1 - infinite - fields.exponentBias();
  }

  /** Returns the exponent, to base two, of the last bit of the least numbers. */
  private long leastExponent() {
    return 2 - fields.exponentBias() - significantBits();
  }

  @Override
  public int classNumber() {
    return 1;
  }

  @Override
  public boolean hasOutOfLineParts() {
    return false;
  }

  @Override
  public String describe() {
    String suffix =
        switch (order) {
          case LITTLE -> "le";
          case BIG -> "be";
          case VAX -> "vax";
        };
    String text = "float" + precision + suffix;
    boolean usual =
        order != Endian.VAX
            && ((size == 8 && equals(ieee(size, order, 11)))
                || (size == 4 && equals(ieee(size, order, 8)))
                || (size == 2 && equals(ieee(size, order, 5))));
    return usual
        ? text
        : text + "(e" + fields.exponentSize() + "m" + fields.mantissaSize() + "/" + 8 * size + ")";
  }

  /**
   * Returns the description, followed by all fields where these are not those of {@link #ieee}:
   * equal texts are those of equal types.
   */
  @Override
  public String toString() {
    boolean usual =
        order != Endian.VAX
            && fields.exponentSize() > 0
            && fields.exponentSize() < 32
            && fields.exponentSize() + fields.mantissaSize() == 8 * size - 1
            && equals(ieee(size, order, fields.exponentSize()));
    return usual
        ? describe()
        : describe() + "[offset=" + offset + ", " + fields + ", " + padding + "]";
  }
}
