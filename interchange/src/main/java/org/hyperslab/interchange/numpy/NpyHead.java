package org.hyperslab.interchange.numpy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Writes the header of a file of one NumPy array.
 *
 * <p>Source: NumPy's documentation of the NPY format, versions 1.0, 2.0 and 3.0.
 *
 * <p>Thread rule: no state.
 */
public final class NpyHead {

  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int ALIGNMENT = 64;

  private NpyHead() {}

  /**
   * Encodes a header, in the oldest version that can hold it.
   *
   * @param descr NumPy's description of the type of an element, as a Python literal
   * @param shape the shape of the array, in C order
   * @return the header
   */
  public static byte[] encode(String descr, long[] shape) {
    String text =
        "{'descr': "
            + descr
            + ", 'fortran_order': False, 'shape': "
            + shape(Arrays.stream(shape).boxed().toList())
            + ", }";
    boolean latin = StandardCharsets.ISO_8859_1.newEncoder().canEncode(text);
    byte[] encoded = text.getBytes(latin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    int version = !latin ? 3 : padded(10 + encoded.length) - 10 > 0xFFFF ? 2 : 1;
    int prefix = version == 1 ? 10 : 12;
    int total = padded(prefix + encoded.length);
    int length = total - prefix;
    ByteArrayOutputStream out = new ByteArrayOutputStream(total);
    out.writeBytes(MAGIC);
    out.write(version);
    out.write(0);
    for (int i = 0; i < prefix - 8; i++) {
      out.write(length >>> 8 * i);
    }
    out.writeBytes(encoded);
    while (out.size() < total - 1) {
      out.write(' ');
    }
    out.write('\n');
    return out.toByteArray();
  }

  private static int padded(int bytesWithoutNewline) {
    return (bytesWithoutNewline + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
  }

  /**
   * Returns lengths as a tuple of Python.
   *
   * @param dims the lengths
   * @return the tuple
   */
  public static String shape(List<? extends Number> dims) {
    StringBuilder text = new StringBuilder("(");
    for (int i = 0; i < dims.size(); i++) {
      text.append(i == 0 ? "" : " ").append(dims.get(i)).append(',');
    }
    if (dims.size() > 1) {
      text.setLength(text.length() - 1);
    }
    return text.append(')').toString();
  }
}
