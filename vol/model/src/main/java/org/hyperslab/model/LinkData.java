package org.hyperslab.model;

import java.util.Arrays;

/**
 * The bytes of a user-defined link, which only programs that know its class understand. Equal if
 * the bytes are.
 *
 * <p>Thread rule: immutable.
 */
public final class LinkData {

  /** Data of no bytes. */
  public static final LinkData NONE = new LinkData(new byte[0]);

  private final byte[] bytes;

  private LinkData(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * {@return the data of a link}
   *
   * @param bytes the bytes, which are copied
   */
  public static LinkData of(byte[] bytes) {
    return bytes.length == 0 ? NONE : new LinkData(bytes.clone());
  }

  /** {@return the number of bytes} */
  public int size() {
    return bytes.length;
  }

  /** {@return a copy of the bytes} */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LinkData data && Arrays.equals(bytes, data.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns the bytes as numbers. */
  @Override
  public String toString() {
    return Arrays.toString(bytes);
  }
}
