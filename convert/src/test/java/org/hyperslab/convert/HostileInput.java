package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;

/**
 * Makes damaged files. Each must be converted, or refused with a typed error, within 2 s and 256
 * MiB; a failed conversion must leave no incomplete output.
 */
final class HostileInput {

  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final long LIMIT_BYTES = 256L << 20;
  private static final byte[][] NUMBERS = {
    {0, 0, 0, 0},
    {-1, -1, -1, -1},
    {0x7F, -1, -1, -1},
    {-1, -1, -1, 0x7F},
    {-128, 0, 0, 0},
    {0, 0, 0, 1},
    {1, 0, 0, 0},
    {0x7F, -1, -1, -1, -1, -1, -1, -1},
    {-1, -1, -1, -1, -1, -1, -1, 0x7F},
    {0, 0, 0, 0, 0x40, 0, 0, 0},
  };

  private HostileInput() {}

  /**
   * Damages files and converts the results to HDF5.
   *
   * @param seeds sound files of one kind
   * @param kind the kind
   * @param times how often
   */
  static void fuzz(List<byte[]> seeds, FileKind kind, int times) {
    long seed = Seeds.draw();
    convert(seeds.getFirst(), kind, "warm-up"); // which loads classes
    for (int i = 0; i < times; i++) {
      Random random = Seeds.random(seed, i);
      byte[] damaged = damage(seeds.get(random.nextInt(seeds.size())), random);
      convert(damaged, kind, "seed " + seed + ", case " + i);
    }
  }

  /**
   * Damages bytes.
   *
   * @param sound the bytes, which stay as they are
   * @param random determines the damage
   * @return damaged bytes
   */
  static byte[] damage(byte[] sound, Random random) {
    byte[] bytes = sound.clone();
    if (random.nextInt(4) == 0) {
      bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    }
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes && bytes.length > 0; i++) {
      int reach = random.nextInt(3) == 0 ? bytes.length : Math.min(bytes.length, 256);
      int at = random.nextInt(reach);
      byte[] number = NUMBERS[random.nextInt(NUMBERS.length)];
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt(256);
        default ->
            System.arraycopy(number, 0, bytes, at, Math.min(number.length, bytes.length - at));
      }
    }
    return bytes;
  }

  /**
   * Converts bytes, which may be refused.
   *
   * @param input the file's bytes
   * @param kind the kind that is passed to the converter
   * @param what the case, for messages
   * @return what they were refused with; empty if they were converted
   */
  static Optional<HyperslabException> convert(byte[] input, FileKind kind, String what) {
    return convert(input, what, ConversionOptions.DEFAULT.withKinds(kind, FileKind.HDF5));
  }

  /** Converts bytes with other limits than the usual ones. */
  static Optional<HyperslabException> convert(byte[] input, String what, ConversionOptions limits) {
    try (TemporaryFolder temporary = TemporaryFolder.create("hostile")) {
      Path in = temporary.path().resolve("in");
      Path out = temporary.path().resolve("out.h5");
      Files.write(in, input);
      ConversionOptions options = limits.withMemory(16 << 20);
      Optional<HyperslabException> refused =
          refusal(what, () -> FileConverter.convert(in, out, options, FileConverter.Progress.NONE));
      assertThat(Files.exists(out)).as(what).isEqualTo(refused.isEmpty());
      try (Stream<Path> left = Files.list(temporary.path())) {
        assertThat(left.toList()).as(what).isSubsetOf(in, out);
      }
      return refused;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Runs something that may be refused, within the limits.
   *
   * @param what the case, for messages
   * @param action what to run
   * @return whether it was refused
   */
  static boolean measured(String what, Runnable action) {
    return refusal(what, action).isPresent();
  }

  private static Optional<HyperslabException> refusal(String what, Runnable action) {
    long before = allocated();
    long start = System.nanoTime();
    long startOfProcessor = processorTime();
    Optional<HyperslabException> refused = Optional.empty();
    try {
      action.run();
    } catch (HyperslabException failure) {
      refused = Optional.of(failure);
    } catch (RuntimeException | Error failure) {
      throw new AssertionError(what, failure);
    }
    assertThat(refused.filter(InternalErrorException.class::isInstance)).as(what).isEmpty();
    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
    Duration processor = Duration.ofNanos(processorTime() - startOfProcessor);
    // On a busy machine, time passes in which nothing is done; a hang is found all the same.
    assertThat(elapsed.compareTo(processor) < 0 ? elapsed : processor).as(what).isLessThan(LIMIT);
    assertThat(elapsed).as(what).isLessThan(LONGEST_WAIT);
    assertThat(allocated() - before).as(what).isLessThan(LIMIT_BYTES);
    return refused;
  }

  /** Of all threads, because a conversion has several. */
  private static long allocated() {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getTotalThreadAllocatedBytes();
  }

  /** Time that a busy machine gives to other processes does not count. */
  private static long processorTime() {
    var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return machine.getProcessCpuTime();
  }
}
