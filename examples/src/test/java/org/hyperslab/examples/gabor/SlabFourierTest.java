package org.hyperslab.examples.gabor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.data.Offset;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.RankBody;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the distributed Fourier transform with its definition. */
final class SlabFourierTest {

  private static final int SIZE = 12;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6, 12})
  void forwardGivesTheTransposedSpectrumAndBackwardTheImage(int ranks) {
    float[] image = image();
    double[] spectrum = spectrum(image);
    run(
        ranks,
        world -> {
          SlabFourier fourier = new SlabFourier(world, SIZE);
          float[] slab = rows(image, world, fourier.rows());
          fourier.forward(slab, () -> {});
          for (int row = 0; row < fourier.rows(); row++) {
            int kx = world.rank() * fourier.rows() + row;
            for (int ky = 0; ky < SIZE; ky++) {
              for (int part = 0; part < 2; part++) {
                assertThat((double) slab[2 * (row * SIZE + ky) + part])
                    .isCloseTo(spectrum[2 * (ky * SIZE + kx) + part], Offset.offset(1e-4));
              }
            }
          }
          fourier.inverse(slab, () -> {});
          assertThat(slab)
              .usingComparatorWithPrecision(1e-5f)
              .containsExactly(rows(image, world, fourier.rows()));
        });
  }

  @Test
  void callbackRunsAfterEachLine() {
    AtomicInteger calls = new AtomicInteger();
    run(
        2,
        world -> {
          SlabFourier fourier = new SlabFourier(world, SIZE);
          fourier.forward(new float[fourier.pixelFloats()], calls::incrementAndGet);
        });
    assertThat(calls.get()).isGreaterThanOrEqualTo(2 * SIZE);
  }

  @Test
  void rowsMustBeDividedEqually() {
    run(
        5,
        world ->
            assertThatThrownBy(() -> new SlabFourier(world, SIZE))
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("size of the image: actual=12, expected=a multiple of 5"));
  }

  private static void run(int ranks, RankBody body) {
    ThreadWorld.of(ranks).withTimeLimit(Duration.ofMinutes(2)).run(body);
  }

  private static float[] image() {
    SplittableRandom random = new SplittableRandom(1);
    float[] image = new float[2 * SIZE * SIZE];
    for (int i = 0; i < image.length; i++) {
      image[i] = (float) random.nextDouble(-1, 1);
    }
    return image;
  }

  private static float[] rows(float[] image, Communicator world, int rows) {
    int from = 2 * SIZE * rows * world.rank();
    return Arrays.copyOfRange(image, from, from + 2 * SIZE * rows);
  }

  /** By the definition. */
  private static double[] spectrum(float[] image) {
    double[] spectrum = new double[image.length];
    for (int ky = 0; ky < SIZE; ky++) {
      for (int kx = 0; kx < SIZE; kx++) {
        int to = 2 * (ky * SIZE + kx);
        for (int y = 0; y < SIZE; y++) {
          for (int x = 0; x < SIZE; x++) {
            double angle = -2 * Math.PI * (ky * y + kx * x) / SIZE;
            float re = image[2 * (y * SIZE + x)];
            float im = image[2 * (y * SIZE + x) + 1];
            spectrum[to] += re * Math.cos(angle) - im * Math.sin(angle);
            spectrum[to + 1] += re * Math.sin(angle) + im * Math.cos(angle);
          }
        }
      }
    }
    return spectrum;
  }
}
