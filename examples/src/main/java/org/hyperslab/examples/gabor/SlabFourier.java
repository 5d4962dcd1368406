package org.hyperslab.examples.gabor;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.comm.Communicator;
import org.jtransforms.fft.FloatFFT_1D;

/**
 * A two-dimensional Fourier transform of a square image whose rows are divided among ranks. Each
 * rank transforms its rows, all ranks transpose the image, and each transforms its rows again,
 * which are columns of the image. A spectrum stays transposed.
 *
 * <p>Pixels are complex: real part, imaginary part. The lines are transformed by JTransforms.
 *
 * <p>Thread rule: confined to the rank's thread. All methods that transform are collective.
 */
final class SlabFourier {

  private final Communicator ranks;
  private final int size;
  private final int rows;
  private final FloatFFT_1D line;

  /** Blocks that go to and come from each rank, in the order of ranks. */
  private final float[] leaving;

  private final float[] arriving;
  private final long[] counts;
  private final long[] offsets;

  /**
   * Prepares transforms of square images whose rows are divided among ranks.
   *
   * @param ranks among whom the rows are divided
   * @param size the length of the image's edges in pixels
   * @throws InvalidUseException if the ranks cannot have equally many rows
   */
  SlabFourier(Communicator ranks, int size) {
    if (size < 1 || size % ranks.size() != 0) {
      throw new InvalidUseException(
          "size of the image: actual=" + size + ", expected=a multiple of " + ranks.size());
    }
    this.ranks = ranks;
    this.size = size;
    this.rows = size / ranks.size();
    this.line = new FloatFFT_1D(size);
    this.leaving = new float[pixelFloats()];
    this.arriving = new float[pixelFloats()];
    this.counts = new long[ranks.size()];
    this.offsets = new long[ranks.size()];
    long block = 2L * Float.BYTES * rows * rows;
    Arrays.fill(counts, block);
    Arrays.setAll(offsets, rank -> rank * block);
  }

  /** Returns how many rows each rank has. */
  int rows() {
    return rows;
  }

  /** Returns the floats of a rank's complex pixels. */
  int pixelFloats() {
    return Math.multiplyExact(2 * rows, size);
  }

  /**
   * Transforms an image to its transposed spectrum, in place.
   *
   * @param slab the rank's rows
   * @param meanwhile is called after each line
   */
  void forward(float[] slab, Runnable meanwhile) {
    forwardLines(slab, meanwhile);
    transpose(slab, meanwhile);
    forwardLines(slab, meanwhile);
  }

  /**
   * Transforms a transposed spectrum to the image, in place.
   *
   * @param slab the rank's columns of the spectrum
   * @param meanwhile is called after each line
   */
  void inverse(float[] slab, Runnable meanwhile) {
    inverseLines(slab, meanwhile);
    transpose(slab, meanwhile);
    inverseLines(slab, meanwhile);
  }

  private void forwardLines(float[] slab, Runnable meanwhile) {
    for (int at = 0; at < slab.length; at += 2 * size) {
      line.complexForward(slab, at);
      meanwhile.run();
    }
  }

  private void inverseLines(float[] slab, Runnable meanwhile) {
    for (int at = 0; at < slab.length; at += 2 * size) {
      line.complexInverse(slab, at, true);
      meanwhile.run();
    }
  }

  /** Transposes the image. Blocks are turned when they leave, so that they arrive line by line. */
  private void transpose(float[] slab, Runnable meanwhile) {
    int to = 0;
    for (int column = 0; column < size; column++) {
      for (int row = 0; row < rows; row++) {
        int from = 2 * (row * size + column);
        leaving[to++] = slab[from];
        leaving[to++] = slab[from + 1];
      }
    }
    meanwhile.run();
    ranks.allToAllV(
        MemorySegment.ofArray(leaving),
        counts,
        offsets,
        MemorySegment.ofArray(arriving),
        counts,
        offsets);
    meanwhile.run();
    int part = 2 * rows;
    for (int rank = 0; rank < ranks.size(); rank++) {
      for (int row = 0; row < rows; row++) {
        int from = part * (rank * rows + row);
        System.arraycopy(arriving, from, slab, row * 2 * size + rank * part, part);
      }
    }
  }
}
