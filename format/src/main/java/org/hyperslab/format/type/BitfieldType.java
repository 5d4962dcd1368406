package org.hyperslab.format.type;

/**
 * A field of bits (class 4).
 *
 * @param size the size of an element in bytes
 * @param order the byte order, LITTLE or BIG
 * @param precision the number of significant bits
 * @param offset the position of the first significant bit
 * @param lowPadding the value of the bits below the offset
 * @param highPadding the value of the bits above the precision
 */
public record BitfieldType(
    int size,
    Endian order,
    int precision,
    int offset,
    BitPadding lowPadding,
    BitPadding highPadding)
    implements Datatype {

  /** Requires that the bits fit in the element. */
  public BitfieldType {
    TypeChecks.bits("bitfield", size, precision, offset);
    TypeChecks.notVax("bitfield", order);
    TypeChecks.present("bitfield low padding", lowPadding);
    TypeChecks.present("bitfield high padding", highPadding);
  }

  /**
   * {@return a bitfield in which all bits of the element are significant}
   *
   * @param size the size of an element in bytes
   * @param order the byte order
   */
  public static BitfieldType of(int size, Endian order) {
    return new BitfieldType(size, order, 8 * size, 0, BitPadding.ZERO, BitPadding.ZERO);
  }

  /** {@return whether every bit of the element is significant} */
  public boolean fillsElement() {
    return precision == 8 * size;
  }

  @Override
  public int classNumber() {
    return 4;
  }

  @Override
  public boolean hasOutOfLineParts() {
    return false;
  }

  @Override
  public String describe() {
    String text = "bitfield" + precision + (order == Endian.BIG ? "be" : "le");
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
