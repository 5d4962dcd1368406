package org.hyperslab.format.type;

/**
 * A two's-complement or unsigned integer (class 0) of any size.
 *
 * @param size the size of an element in bytes
 * @param order the byte order, LITTLE or BIG
 * @param signed whether the most significant bit of the precision is a sign
 * @param precision the number of significant bits, 1 to 8·size
 * @param offset the position of the least significant bit, from the least significant bit of the
 *     element
 * @param lowPadding the value of the bits below the offset
 * @param highPadding the value of the bits above the precision
 */
public record IntegerType(
    int size,
    Endian order,
    boolean signed,
    int precision,
    int offset,
    BitPadding lowPadding,
    BitPadding highPadding)
    implements Datatype {

  /** Requires that the bits fit in the element. */
  public IntegerType {
    TypeChecks.bits("integer", size, precision, offset);
    TypeChecks.notVax("integer", order);
    TypeChecks.present("integer low padding", lowPadding);
    TypeChecks.present("integer high padding", highPadding);
  }

  /**
   * {@return an integer in which all bits of the element are significant}
   *
   * @param size the size of an element in bytes
   * @param order the byte order
   * @param signed whether the numbers are signed
   */
  public static IntegerType of(int size, Endian order, boolean signed) {
    return new IntegerType(size, order, signed, 8 * size, 0, BitPadding.ZERO, BitPadding.ZERO);
  }

  /**
   * {@return this integer type with fewer significant bits}
   *
   * @param newPrecision the number of significant bits
   * @param newOffset the position of the first significant bit
   */
  public IntegerType withPrecision(int newPrecision, int newOffset) {
    return new IntegerType(size, order, signed, newPrecision, newOffset, lowPadding, highPadding);
  }

  /** {@return whether every bit of the element is significant} */
  public boolean fillsElement() {
    return precision == 8 * size;
  }

  @Override
  public int classNumber() {
    return 0;
  }

  @Override
  public boolean hasOutOfLineParts() {
    return false;
  }

  @Override
  public String describe() {
    String text = (signed ? "int" : "uint") + precision + (order == Endian.BIG ? "be" : "le");
    return fillsElement() ? text : text + "@" + offset + "/" + 8 * size;
  }

  /**
   * Returns the description, followed by what it omits where that is unusual: equal texts are those
   * of equal types.
   */
  @Override
  public String toString() {
    return describe() + BitPadding.text(lowPadding, highPadding);
  }
}
