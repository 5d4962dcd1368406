package org.hyperslab.format.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Computes Bob Jenkins' lookup3 hash ({@code hashlittle}): the checksum of every version 2 metadata
 * structure, and the hash of link and attribute names in B-trees.
 *
 * <p>Source: Bob Jenkins, "lookup3.c", May 2006, public domain; HDF5 File Format Specification,
 * appendix on checksums.
 */
public final class Lookup3 {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Lookup3() {}

  /**
   * Hashes {@code length} bytes from {@code from}.
   *
   * @param bytes the bytes
   * @param from the index of the first byte
   * @param length the number of bytes
   * @param initial the seed; 0 in HDF5
   * @return the checksum
   */
  public static int hash(byte[] bytes, int from, int length, int initial) {
    int a = 0xdeadbeef + length + initial;
    int b = a;
    int c = a;
    int at = from;
    int left = length;
    while (left > 12) {
      a += (int) INT.get(bytes, at);
      b += (int) INT.get(bytes, at + 4);
      c += (int) INT.get(bytes, at + 8);
      a -= c;
      a ^= Integer.rotateLeft(c, 4);
      c += b;
      b -= a;
      b ^= Integer.rotateLeft(a, 6);
      a += c;
      c -= b;
      c ^= Integer.rotateLeft(b, 8);
      b += a;
      a -= c;
      a ^= Integer.rotateLeft(c, 16);
      c += b;
      b -= a;
      b ^= Integer.rotateLeft(a, 19);
      a += c;
      c -= b;
      c ^= Integer.rotateLeft(b, 4);
      b += a;
      at += 12;
      left -= 12;
    }
    if (left == 0) {
      return c;
    }
    a += tail(bytes, at, left);
    b += tail(bytes, at + 4, left - 4);
    c += tail(bytes, at + 8, left - 8);
    c ^= b;
    c -= Integer.rotateLeft(b, 14);
    a ^= c;
    a -= Integer.rotateLeft(c, 11);
    b ^= a;
    b -= Integer.rotateLeft(a, 25);
    c ^= b;
    c -= Integer.rotateLeft(b, 16);
    a ^= c;
    a -= Integer.rotateLeft(c, 4);
    b ^= a;
    b -= Integer.rotateLeft(a, 14);
    c ^= b;
    c -= Integer.rotateLeft(b, 24);
    return c;
  }

  private static int tail(byte[] bytes, int at, int left) {
    int value = 0;
    for (int i = 0; i < Math.min(4, left); i++) {
      value |= (bytes[at + i] & 0xFF) << (8 * i);
    }
    return value;
  }
}
