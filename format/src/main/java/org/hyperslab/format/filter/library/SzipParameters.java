package org.hyperslab.format.filter.library;

import java.util.Arrays;
import org.hyperslab.format.filter.MalformedDataException;

/**
 * The parameters of one szip stream, checked.
 *
 * @param differences whether differences of neighbouring pixels are encoded (option NN)
 * @param bigEndian the byte order of pixels of more than one byte
 * @param pixelsPerBlock J in CCSDS 121.0-B: 2 to 256, even
 * @param bitsPerSample bits of one coded sample: 1 to 24
 * @param pixelsPerLine samples between two reference samples, without padding
 * @param planes the number of byte planes that a pixel was split into; 1 if it was not split
 */
record SzipParameters(
    boolean differences,
    boolean bigEndian,
    int pixelsPerBlock,
    int bitsPerSample,
    int pixelsPerLine,
    int planes) {

  private static final int MAXIMUM_PIXELS_PER_BLOCK = 256;
  private static final int MAXIMUM_PIXELS_PER_LINE = 1 << 20;

  /** Returns the parameters in client data from a file, which may contain any values. */
  static SzipParameters of(int[] values) throws MalformedDataException {
    boolean good = values.length == 4;
    if (good) {
      int block = values[1];
      int bits = values[2];
      int line = values[3];
      good =
          block >= 2
              && block <= MAXIMUM_PIXELS_PER_BLOCK
              && block % 2 == 0
              && ((bits >= 1 && bits <= 24) || bits == 32 || bits == 64)
              && line >= 1
              && line <= MAXIMUM_PIXELS_PER_LINE;
    }
    if (!good) {
      throw new MalformedDataException(
          "parameters: actual="
              + Arrays.toString(values)
              + ", expected=options, pixels per block, bits per pixel, pixels per line");
    }
    boolean planes = values[2] >= 32;
    return new SzipParameters(
        (values[0] & SzipFilter.NN_OPTION) != 0,
        (values[0] & SzipFilter.MSB_OPTION) != 0,
        values[1],
        planes ? 8 : values[2],
        values[3],
        planes ? values[2] / 8 : 1);
  }

  /** Returns the size of one sample in memory, in bytes. */
  int sampleBytes() {
    if (bitsPerSample > 16) {
      return 4;
    }
    return bitsPerSample > 8 ? 2 : 1;
  }

  /** Returns the number of blocks in a line, including a padded last one. */
  int blocksPerLine() {
    return (pixelsPerLine + pixelsPerBlock - 1) / pixelsPerBlock;
  }

  /** Returns the largest sample. */
  int maximumSample() {
    return (1 << bitsPerSample) - 1;
  }

  /** Returns the number of bits of a code option's number. */
  int optionBits() {
    if (bitsPerSample > 16) {
      return 5;
    }
    return bitsPerSample > 8 ? 4 : 3;
  }
}
