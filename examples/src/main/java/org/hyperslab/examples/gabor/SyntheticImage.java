package org.hyperslab.examples.gabor;

import java.util.List;

/**
 * A multispectral image of twelve patches, three rows of four. Each patch has a wave that one of
 * the filters is made for; each channel shows it with another strength, and with noise of its own.
 *
 * @param size the length of the edges in pixels
 * @param channels how many channels
 */
record SyntheticImage(int size, int channels) {

  private static final List<GaborFilter> BANK = GaborFilter.bank();
  private static final double NOISE = 0.2;

  /** Returns the index of the filter that a pixel's patch is made for. */
  int patch(int y, int x) {
    int row = (int) ((long) y * GaborFilter.FREQUENCIES / size);
    int column = (int) ((long) x * GaborFilter.ORIENTATIONS / size);
    return row * GaborFilter.ORIENTATIONS + column;
  }

  /** Returns rows of a channel. */
  float[] rows(int channel, int firstRow, int count) {
    float[] pixels = new float[count * size];
    double strength = 1 - 0.5 * channel / channels;
    for (int row = 0; row < count; row++) {
      int y = firstRow + row;
      for (int x = 0; x < size; x++) {
        double wave = Math.cos(BANK.get(patch(y, x)).phase(y, x));
        pixels[row * size + x] =
            (float) (strength * (1 + wave) + NOISE * noise(channel, (long) y * size + x));
      }
    }
    return pixels;
  }

  /** Returns a number from -1 to 1 that looks random and is always the same for a pixel. */
  private static double noise(int channel, long pixel) {
    long mixed = (pixel + 1) * 0x9E37_79B9_7F4A_7C15L + channel * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ (mixed >>> 30)) * 0x94D0_49BB_1331_11EBL;
    return (double) (mixed ^ (mixed >>> 31)) / Long.MAX_VALUE;
  }
}
