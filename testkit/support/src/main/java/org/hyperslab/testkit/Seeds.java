package org.hyperslab.testkit;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Random numbers that can be had again. A test draws its seed here; when it fails, the seed is in
 * the message, and {@code -Dhyperslab.seed=N} runs it again with the same numbers.
 */
public final class Seeds {

  /** The system property that replays a seed. */
  public static final String PROPERTY = "hyperslab.seed";

  private Seeds() {}

  /** The seed to replay, or a new one. */
  public static long draw() {
    Long replayed = Long.getLong(PROPERTY);
    return replayed != null ? replayed : new Random().nextLong() >>> 16;
  }

  /**
   * The numbers of one case of many that have one seed. They are mixed, for generators of
   * neighbouring seeds begin with nearly the same number.
   *
   * @param index of the case
   */
  public static Random random(long seed, long index) {
    return new Random(new SplittableRandom(seed + index).nextLong());
  }

  /**
   * Runs a test with random numbers, several times with new seeds, or once with the seed to replay.
   *
   * @throws AssertionError with the seed in its message, if the test fails
   */
  public static void run(int times, Consumer<Random> test) {
    run(IntStream.range(0, times).mapToLong(i -> draw()), test);
  }

  /**
   * As {@link #run}, with the same seeds every time, 0 to {@code times - 1}, unless the system
   * property {@code hyperslab.fresh} is true.
   */
  public static void runFixed(int times, Consumer<Random> test) {
    boolean fresh = Boolean.getBoolean("hyperslab.fresh");
    run(IntStream.range(0, times).mapToLong(i -> fresh ? draw() : i), test);
  }

  private static void run(LongStream seeds, Consumer<Random> test) {
    Long replayed = Long.getLong(PROPERTY);
    for (long seed : replayed != null ? new long[] {replayed} : seeds.toArray()) {
      try {
        test.accept(new Random(seed));
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            "failed with seed " + seed + "; run it again with -D" + PROPERTY + "=" + seed, e);
      }
    }
  }
}
