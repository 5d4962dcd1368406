package org.hyperslab.testkit;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Provides reproducible random numbers. A test draws its seed here; when it fails, the seed is in
 * the message, and {@code -Dhyperslab.seed=N} runs it again with the same numbers.
 *
 * <p>Every run has the same seeds, so that a test which passes once passes again. With {@code
 * -Dhyperslab.fresh=true} the seeds are new, which campaigns use to find new failures.
 */
public final class Seeds {

  /** The system property that replays a seed. */
  public static final String PROPERTY = "hyperslab.seed";

  private static final long USUAL = 20_261_122L;

  private Seeds() {}

  /**
   * Chooses the seed of a run.
   *
   * @return the seed to replay if one is given, a new one if that is requested, otherwise the same
   *     in every run
   */
  public static long draw() {
    Long replayed = Long.getLong(PROPERTY);
    return replayed != null ? replayed : isFresh() ? fresh() : USUAL;
  }

  private static boolean isFresh() {
    return Boolean.getBoolean("hyperslab.fresh");
  }

  private static long fresh() {
    return new Random().nextLong() >>> 16;
  }

  /**
   * Creates the random numbers of one of many cases that share a seed. Seed and index are mixed,
   * because generators of neighbouring seeds begin with nearly the same number.
   *
   * @param seed the seed of all cases
   * @param index the index of the case
   * @return the generator
   */
  public static Random random(long seed, long index) {
    return new Random(new SplittableRandom(seed + index).nextLong());
  }

  /**
   * Runs a test with random numbers, several times with seeds far from each other, or once with the
   * seed to replay.
   *
   * @param times the number of times, each with another seed
   * @param test the test
   * @throws AssertionError with the seed in its message, if the test fails
   */
  public static void run(int times, Consumer<Random> test) {
    LongStream apart = new SplittableRandom(USUAL).longs(times).map(seed -> seed >>> 16);
    run(isFresh() ? LongStream.generate(Seeds::fresh).limit(times) : apart, test);
  }

  /**
   * Runs a test as {@link #run} does, with the seeds 0 to {@code times - 1} unless new ones are
   * requested.
   *
   * @param times the number of times
   * @param test the test
   */
  public static void runFixed(int times, Consumer<Random> test) {
    run(
        isFresh() ? LongStream.generate(Seeds::fresh).limit(times) : LongStream.range(0, times),
        test);
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
