package org.hyperslab.convert.numpy;

import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hyperslab.convert.bytes.InputBytes;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.interchange.numpy.PythonLiteral;

/**
 * The header of a NumPy array:
 *
 * <pre>
 * 0   0x93 'N' 'U' 'M' 'P' 'Y' | major | minor
 * 8   length of the text: u16 (version 1) or u32 (versions 2 and 3), little-endian
 * 10  text: a dict with 'descr', 'fortran_order', 'shape'; Latin-1, in version 3 UTF-8;
 * 12  padded by spaces to a multiple of 64 bytes in all, ended by a newline
 * </pre>
 *
 * @param descr the type, as a Python literal
 * @param parsed the type, parsed
 * @param fortran whether the first dimension varies fastest
 * @param shape the lengths
 * @param dataOffset the offset of the first element in bytes
 */
record NpyHeader(String descr, Object parsed, boolean fortran, long[] shape, long dataOffset) {

  static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int MAX_HEADER_BYTES = 1 << 20;

  /** Reads a header from the start of a file. */
  static NpyHeader read(InputBytes bytes) {
    byte[] start = bytes.read(0, 10);
    if (!Arrays.equals(start, 0, 6, MAGIC, 0, 6)) {
      throw corrupt(bytes, 0, "actual=another magic number, expected=\\x93NUMPY");
    }
    int version = start[6];
    if (version < 1 || version > 3 || start[7] != 0) {
      throw corrupt(
          bytes, 6, "actual=version " + version + "." + start[7] + ", expected=1.0, 2.0 or 3.0");
    }
    int lengthBytes = version == 1 ? 2 : 4;
    byte[] lengthField = bytes.read(8, lengthBytes);
    long length = 0;
    for (int i = lengthBytes - 1; i >= 0; i--) {
      length = length << 8 | lengthField[i] & 0xFF;
    }
    if (length > MAX_HEADER_BYTES) {
      throw corrupt(bytes, 8, "actual=" + length + " bytes, expected<=" + MAX_HEADER_BYTES);
    }
    Charset charset = version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
    String text = new String(bytes.read(8 + lengthBytes, (int) length), charset);
    return parse(text, bytes, 8 + lengthBytes + length);
  }

  private static CorruptFileException corrupt(InputBytes bytes, long at, String problem) {
    return new CorruptFileException(bytes.name(), "NumPy array header", at, problem);
  }

  private static NpyHeader parse(String text, InputBytes bytes, long dataOffset) {
    Object literal = PythonLiteral.parse(text, bytes.name());
    if (!(literal instanceof Map<?, ?> dict)
        || dict.size() != 3
        || !(dict.get("fortran_order") instanceof Boolean fortran)
        || !(dict.get("shape") instanceof List<?> lengths)
        || !dict.containsKey("descr")) {
      throw corrupt(
          bytes, 10, "actual=" + text.strip() + ", expected=descr, fortran_order and shape");
    }
    if (lengths.size() > Dataspace.MAX_RANK) {
      throw corrupt(bytes, 10, "actual=" + lengths.size() + " dimensions, expected<=32");
    }
    long[] shape = new long[lengths.size()];
    for (int d = 0; d < shape.length; d++) {
      if (!(lengths.get(d) instanceof BigInteger n) || n.signum() < 0 || n.bitLength() > 62) {
        throw corrupt(bytes, 10, "actual=" + lengths + ", expected=lengths");
      }
      shape[d] = n.longValue();
    }
    Object descr = dict.get("descr");
    return new NpyHeader(literal(descr), descr, fortran, shape, dataOffset);
  }

  static String literal(Object value) {
    return switch (value) {
      case String text -> PythonLiteral.quote(text);
      case List<?> list -> {
        boolean isFields = !list.isEmpty() && list.stream().allMatch(List.class::isInstance);
        String inner =
            String.join(", ", list.stream().map(NpyHeader::literal).toList())
                + (list.size() == 1 && !isFields ? "," : "");
        yield isFields ? "[" + inner + "]" : "(" + inner + ")";
      }
      default -> value.toString();
    };
  }

  /**
   * Checks that the file contains the bytes of all elements.
   *
   * @throws CorruptFileException if the size exceeds 2^63 - 1, or the file ends before
   */
  void requireElements(InputBytes bytes, int elementBytes) {
    try {
      long length = Math.multiplyExact(Dataspace.product(shape), (long) elementBytes);
      bytes.requireWithin(dataOffset, length);
    } catch (ArithmeticException _) {
      throw corrupt(
          bytes,
          10,
          "actual=shape "
              + Arrays.toString(shape)
              + ", expected=a shape whose "
              + "elements fit into the file");
    }
  }
}
