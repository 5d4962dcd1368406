package org.hyperslab.mpiio.store;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.function.LongSupplier;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.DurableFile;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.mpiio.comm.Communicator;

/**
 * Measures OMPIO's k: the least request with which one writer reaches nearly its full bandwidth to
 * a file system, without the page cache. It is measured once and stored in a file of this machine,
 * by the file system's name.
 *
 * <p>The system property {@code hyperslab.saturation.file} names that file, which is otherwise
 * {@code hyperslab/saturation.properties} in the folder that the environment variable {@code
 * XDG_CACHE_HOME} names, or in {@code .cache} of the user's home. If a line of the file is deleted,
 * the file system is measured again.
 *
 * @param kept the file with stored values, which need not exist
 * @param nanoClock returns the time in nanoseconds
 */
public record SaturationPoint(Path kept, LongSupplier nanoClock) {

  /** The system property that names the file. */
  static final String PROPERTY = "hyperslab.saturation.file";

  private static final long MIN_BYTES = 16 << 10;
  private static final long MAX_BYTES = 16 << 20;
  private static final long VOLUME_BYTES = 32 << 20;
  private static final double NEARLY = 0.9;

  /** The greatest time for requests of one length. */
  private static final long MAX_NANOS = 250_000_000;

  /** {@return an instance with this machine's file and clock} */
  public static SaturationPoint ofThisMachine() {
    String named = System.getProperty(PROPERTY);
    return new SaturationPoint(named != null ? Path.of(named) : cached(), System::nanoTime);
  }

  private static Path cached() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path folder =
        cache != null && !cache.isEmpty()
            ? Path.of(cache)
            : Path.of(System.getProperty("user.home"), ".cache");
    return folder.resolve("hyperslab").resolve("saturation.properties");
  }

  /**
   * Returns the stored value of the file system that holds a folder, or measures and stores it.
   *
   * @param folder the folder for a temporary file of 32 MiB
   */
  long of(Path folder) {
    try {
      return of(FileSystemTraits.nameOf(folder), () -> measured(folder));
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  /**
   * {@return the value that rank 0 finds, on all ranks; collective}
   *
   * @param comm the communicator
   * @param folder the folder for a temporary file of 32 MiB
   * @throws StorageException on all ranks, if rank 0 fails
   */
  public long agreed(Communicator comm, Path folder) {
    StorageException failure = null;
    long[] value = new long[1];
    if (comm.rank() == 0) {
      try {
        value[0] = of(folder);
      } catch (StorageException e) {
        failure = e;
      }
    }
    comm.broadcast(MemorySegment.ofArray(value), 0);
    if (failure != null) {
      throw failure;
    }
    if (value[0] == 0) {
      throw new StorageException(
          "saturation point: actual=not measured on rank 0, whose error gives the reason, "
              + "at="
              + folder);
    }
    return value[0];
  }

  /** Returns the stored value of a file system, or measures and stores it. */
  long of(String system, LongSupplier measurement) {
    try {
      Properties known = new Properties();
      if (Files.exists(kept)) {
        try (var in = Files.newInputStream(kept)) {
          known.load(in);
        }
      }
      String value = known.getProperty(system);
      if (value != null && value.matches("\\d{1,15}")) {
        return Math.max(1, Long.parseLong(value));
      }
      long measured = measurement.getAsLong();
      known.setProperty(system, Long.toString(measured));
      keep(known);
      return measured;
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  /** Stores the values. A job that reads at the same time sees the old file or the new one. */
  private void keep(Properties known) throws IOException {
    DurableFile.write(
        kept,
        fresh -> {
          try (OutputStream out = Files.newOutputStream(fresh)) {
            known.store(out, "bytes at which one writer saturates a file system");
          }
        });
  }

  private StorageException failure(IOException failed) {
    return new StorageException(
        "saturation point: actual="
            + failed
            + ", expected=a readable and writable file (system property "
            + PROPERTY
            + "), at="
            + kept,
        failed);
  }

  private long measured(Path folder) {
    try {
      Path file = Files.createTempFile(folder, "saturation", ".tmp");
      try (FileStore store = FileStore.open(file, FileAccess.TRUNCATE)) {
        return measure(store);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  /**
   * Writes with requests of each length, twice, 32 MiB or a quarter of a second, and compares.
   *
   * @param store truncated before each length
   */
  long measure(ByteStore store) {
    int sizes = Long.numberOfTrailingZeros(MAX_BYTES / MIN_BYTES) + 1;
    double[] rates = new double[sizes];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(MAX_BYTES, 4096);
      data.fill((byte) 1);
      for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < sizes; i++) {
          rates[i] = Math.max(rates[i], rate(store, data.asSlice(0, MIN_BYTES << i)));
        }
      }
    }
    return MIN_BYTES << firstNearlyBest(rates);
  }

  /** Returns the rate in bytes per nanosecond; each request is made durable, to bypass caches. */
  private double rate(ByteStore store, MemorySegment request) {
    store.truncate(0);
    long start = nanoClock.getAsLong();
    long at = 0;
    long nanos = 0;
    while (at < VOLUME_BYTES && nanos < MAX_NANOS) {
      store.write(at, request);
      store.force(false);
      at += request.byteSize();
      nanos = nanoClock.getAsLong() - start;
    }
    return (double) at / Math.max(1, nanos);
  }

  /** Returns the index of the first rate that is nearly the best. */
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
