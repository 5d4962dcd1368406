package org.hyperslab.plugins.mpiio.collective;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;

/**
 * OMPIO's k: the least request with which one writer gets nearly all the bandwidth that it can get
 * from a file system. Measured once and kept in a file, by the file system's name.
 */
public final class SaturationPoint {

  private static final long LEAST_BYTES = 16 << 10;
  private static final long MOST_BYTES = 16 << 20;
  private static final long VOLUME_BYTES = 32 << 20;
  private static final double NEARLY = 0.9;

  private SaturationPoint() {}

  /**
   * The kept value, or a new measurement in {@code folder}, which is then kept.
   *
   * @param kept the file with what is known, which need not exist
   * @param type the file system's name
   * @param folder a folder on it, for a temporary file of 32 MiB
   */
  public static long of(Path kept, String type, Path folder) {
    Properties known = new Properties();
    try {
      if (Files.exists(kept)) {
        try (var in = Files.newInputStream(kept)) {
          known.load(in);
        }
      }
      String value = known.getProperty(type);
      if (value != null && value.matches("\\d{1,15}")) {
        return Math.max(1, Long.parseLong(value));
      }
      long measured = measure(folder);
      known.setProperty(type, Long.toString(measured));
      try (var out = Files.newOutputStream(kept)) {
        known.store(out, "bytes at which one writer saturates a file system");
      }
      return measured;
    } catch (IOException failed) {
      throw new StorageException(
          "saturation point: actual="
              + failed
              + ", expected=a readable and writable file, at="
              + kept,
          failed);
    }
  }

  /** Writes a temporary file with requests of growing length and compares. */
  static long measure(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "saturation", ".tmp");
    int sizes = Long.numberOfTrailingZeros(MOST_BYTES / LEAST_BYTES) + 1;
    double[] rates = new double[sizes];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(MOST_BYTES, 4096);
      data.fill((byte) 1);
      for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < sizes; i++) {
          rates[i] = Math.max(rates[i], rate(file, data.asSlice(0, LEAST_BYTES << i)));
        }
      }
    } finally {
      Files.deleteIfExists(file);
    }
    return LEAST_BYTES << firstNearlyBest(rates);
  }

  private static double rate(Path file, MemorySegment request) {
    try (FileStore store = FileStore.open(file, FileAccess.TRUNCATE)) {
      long start = System.nanoTime();
      for (long at = 0; at < VOLUME_BYTES; at += request.byteSize()) {
        store.write(at, request);
      }
      return (double) VOLUME_BYTES / (System.nanoTime() - start);
    }
  }

  /** The index of the first rate that is nearly the best. */
  static int firstNearlyBest(double[] rates) {
    double best = 0;
    for (double rate : rates) {
      best = Math.max(best, rate);
    }
    for (int i = 0; i < rates.length; i++) {
      if (rates[i] >= NEARLY * best) {
        return i;
      }
    }
    return rates.length - 1;
  }
}
