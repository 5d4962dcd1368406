package org.hyperslab.web.grove;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.interchange.numpy.NpyHead;
import org.hyperslab.interchange.numpy.PlainTypes;
import org.hyperslab.web.slice.StridedBox;

/**
 * Writes the headers of exported files.
 *
 * <p>Source: TIFF revision 6.0 (baseline, with SampleFormat of section 19).
 */
final class ExportHeads {

  private static final int TIFF_ENTRIES = 10;
  private static final int SHORT = 3;
  private static final int LONG = 4;

  private ExportHeads() {}

  /** {@return the header of a .npy file for elements written in their stored form} */
  static byte[] npy(Datatype type, long[] shape) {
    String descr =
        PlainTypes.descr(type)
            .orElseThrow(() ->
                new UnsupportedFeatureException(
                    "type: actual=" + type.describe() + ", expected=a type that NumPy has"));
    return NpyHead.encode(descr, shape);
  }

  /**
   * {@return the head of a TIFF file of one image in one strip, whose samples are little-endian
   * numbers}
   */
  static byte[] tiff(Datatype type, long[] shape) {
    int format = sampleFormat(type);
    long bytes =
        shape.length == 2
            ? StridedBox.product(StridedBox.product(shape[0], shape[1]), type.size())
            : 0;
    if (shape.length != 2 || bytes == 0 || bytes > Integer.MAX_VALUE) {
      throw new UnsupportedFeatureException(
          "TIFF image: actual="
              + Arrays.toString(shape)
              + ", expected=two dimensions, not empty, less than 2 GiB; choose them with a "
              + "selection");
    }
    int length = 8 + 2 + 12 * TIFF_ENTRIES + 4;
    ByteBuffer head = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    head.put((byte) 'I').put((byte) 'I').putShort((short) 42).putInt(8);
    head.putShort((short) TIFF_ENTRIES);
    entry(head, 256, LONG, shape[1]); // width
    entry(head, 257, LONG, shape[0]); // length
    entry(head, 258, SHORT, 8L * type.size()); // bits of a sample
    entry(head, 259, SHORT, 1); // not compressed
    entry(head, 262, SHORT, 1); // the least number is black
    entry(head, 273, LONG, length); // offset of the strip
    entry(head, 277, SHORT, 1); // samples of a pixel
    entry(head, 278, LONG, shape[0]); // rows of a strip
    entry(head, 279, LONG, bytes); // bytes of the strip
    entry(head, 339, SHORT, format);
    return head.array();
  }

  private static int sampleFormat(Datatype type) {
    return switch (type) {
      case IntegerType t when t.order() == Endian.LITTLE -> t.signed() ? 2 : 1;
      case EnumType t -> t.base().signed() ? 2 : 1;
      case FloatType _ -> 3;
      default ->
          throw new UnsupportedFeatureException(
              "TIFF samples: actual=" + type.describe() + ", expected=numbers");
    };
  }

  private static void entry(ByteBuffer head, int tag, int type, long value) {
    head.putShort((short) tag).putShort((short) type).putInt(1);
    if (type == SHORT) {
      head.putShort((short) value).putShort((short) 0);
    } else {
      head.putInt((int) value);
    }
  }
}
