package org.hyperslab.remote;

import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What remote requests need from outside: time, chance, and a place for warnings. Tests replace it,
 * so that they neither wait nor depend on chance.
 *
 * <p>Thread rule: any thread.
 */
interface Surroundings {

  /** The clock of this machine; warnings go to standard error. */
  Surroundings REAL =
      new Surroundings() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public Instant now() {
          return Instant.now();
        }

        @Override
        public double random() {
          return ThreadLocalRandom.current().nextDouble();
        }

        @Override
        public void pause(long millis) throws InterruptedException {
          Thread.sleep(millis);
        }

        @Override
        public void warn(String text) {
          System.err.println(text);
        }
      };

  /** Returns nanoseconds since an arbitrary moment, as {@link System#nanoTime} does. */
  long nanos();

  /** Returns the date and time. */
  Instant now();

  /** Returns a random number from 0, inclusive, to 1, exclusive. */
  double random();

  /** Waits for some milliseconds. */
  void pause(long millis) throws InterruptedException;

  /** Tells the user something that is not an error. */
  void warn(String text);
}
