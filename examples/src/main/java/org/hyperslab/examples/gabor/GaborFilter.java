package org.hyperslab.examples.gabor;

import java.util.ArrayList;
import java.util.List;

/**
 * A complex Gabor filter: a plane wave under a round Gaussian, with a bandwidth of one octave. A
 * wave of the filter's own orientation and frequency and of amplitude 1 gives a response of
 * magnitude 1/2.
 *
 * @param orientation the angle between the x axis and the direction in which the wave runs, in
 *     radians
 * @param frequency periods of the wave for each pixel
 */
record GaborFilter(double orientation, double frequency) {

  static final int ORIENTATIONS = 4;

  static final int FREQUENCIES = 3;

  /**
   * Standard deviation of the Gaussian, in periods of the wave, for a bandwidth of one octave:
   * {@code sqrt(ln 2 / 2) / pi * 3}.
   */
  private static final double DEVIATION_PERIODS = 0.5622;

  private static final double HIGHEST_FREQUENCY = 0.25;

  /**
   * Returns twelve filters: four orientations for each of three frequencies an octave apart, the
   * highest frequency first.
   */
  static List<GaborFilter> bank() {
    List<GaborFilter> bank = new ArrayList<>();
    for (int octave = 0; octave < FREQUENCIES; octave++) {
      for (int turn = 0; turn < ORIENTATIONS; turn++) {
        bank.add(new GaborFilter(turn * Math.PI / ORIENTATIONS, HIGHEST_FREQUENCY / (1 << octave)));
      }
    }
    return List.copyOf(bank);
  }

  /** Returns the phase of the wave at a point, in radians. */
  double phase(double y, double x) {
    return 2 * Math.PI * frequency * (x * Math.cos(orientation) + y * Math.sin(orientation));
  }

  /**
   * Fills rows of the filter in an image that repeats in both directions; the filter's centre is at
   * the first pixel. The filter is the product of a function of x and one of y.
   *
   * @param slab receives complex pixels, row after row
   * @param firstRow the first row of the slab in the image
   * @param size the length of the image's edges in pixels
   */
  void fill(float[] slab, int firstRow, int size) {
    double[] across = factor(Math.cos(orientation), size);
    double[] down = factor(Math.sin(orientation), size);
    int rows = slab.length / (2 * size);
    for (int row = 0; row < rows; row++) {
      double re = down[2 * (firstRow + row)];
      double im = down[2 * (firstRow + row) + 1];
      for (int x = 0; x < 2 * size; x += 2) {
        int at = 2 * size * row + x;
        slab[at] = (float) (re * across[x] - im * across[x + 1]);
        slab[at + 1] = (float) (re * across[x + 1] + im * across[x]);
      }
    }
  }

  /** Returns the complex factor of one coordinate, with the sum of magnitudes about 1. */
  private double[] factor(double direction, int size) {
    double deviation = DEVIATION_PERIODS / frequency;
    double[] values = new double[2 * size];
    for (int i = 0; i < size; i++) {
      double distance = i <= size / 2 ? i : i - size;
      double gauss =
          Math.exp(-distance * distance / (2 * deviation * deviation))
              / (Math.sqrt(2 * Math.PI) * deviation);
      double phase = 2 * Math.PI * frequency * direction * distance;
      values[2 * i] = gauss * Math.cos(phase);
      values[2 * i + 1] = gauss * Math.sin(phase);
    }
    return values;
  }
}
