package org.hyperslab.placement;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.function.LongSupplier;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.DurableFile;
import org.hyperslab.machine.Level;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.comm.Communicator;

/**
 * Measures latency and bandwidth of a machine's levels with messages between two ranks and back,
 * and keeps the figures in a file, so that each machine is measured once.
 *
 * <p>For each level, the first pair of ranks that it connects is measured. Latency is half the time
 * of the fastest of 50 exchanges of 8 bytes, divided by hops; bandwidth comes from the fastest of 8
 * exchanges of 1 MiB. Levels that connect no two ranks of the job keep their figures.
 *
 * @param kept the file with earlier figures, which need not exist
 * @param nanoClock returns the time in nanoseconds
 */
record PingPong(Path kept, LongSupplier nanoClock) {

  /** The system property that names the file; see {@link #ofThisMachine}. */
  public static final String PROPERTY = "hyperslab.machine.file";

  private static final int TAG = 611;
  private static final int SHORT_BYTES = 8;
  private static final int LONG_BYTES = 1 << 20;
  private static final int SHORT_TURNS = 50;
  private static final int LONG_TURNS = 8;
  private static final int MAX_RANKS_LOOKED_AT = 1024;

  /**
   * Creates a measurement with this machine's clock and the file that the system property {@value
   * #PROPERTY} names, otherwise {@code hyperslab/machine.properties} in the folder that the
   * environment variable {@code XDG_CACHE_HOME} names, or in {@code .cache} of the user's home.
   *
   * @return the measurement, not started
   */
  public static PingPong ofThisMachine() {
    String named = System.getProperty(PROPERTY);
    String cache = System.getenv("XDG_CACHE_HOME");
    Path folder =
        cache != null && !cache.isEmpty()
            ? Path.of(cache)
            : Path.of(System.getProperty("user.home"), ".cache");
    return new PingPong(
        named != null ? Path.of(named) : folder.resolve("hyperslab").resolve("machine.properties"),
        System::nanoTime);
  }

  /**
   * Returns the machine with its measured figures: those in the file, or new ones, which rank 0
   * then stores. Collective: every rank passes the same map and gets the same machine.
   *
   * @param comm the ranks
   * @param ranks the processor of each rank
   * @return the machine with measured levels
   * @throws StorageException on all ranks, if rank 0 cannot read or write the file
   */
  public Machine agreed(Communicator comm, RankMap ranks) {
    Machine machine = ranks.machine();
    int levels = machine.levels().size();
    // Bandwidth and latency of each level, as bits; then whether rank 0 had them, or failed.
    long[] figures = new long[2 * levels + 1];
    StorageException failure = null;
    if (comm.rank() == 0) {
      try {
        figures[2 * levels] = load(machine, figures) ? 1 : 0;
      } catch (StorageException failed) {
        failure = failed;
        figures[2 * levels] = -1;
      }
    }
    comm.broadcast(MemorySegment.ofArray(figures), 0);
    if (figures[2 * levels] == 0) {
      measure(comm, ranks, figures);
      if (comm.rank() == 0) {
        try {
          store(machine, figures);
        } catch (StorageException failed) {
          failure = failed;
          figures[2 * levels] = -1;
        }
      }
      comm.broadcast(MemorySegment.ofArray(figures), 0);
    }
    if (figures[2 * levels] < 0) {
      throw failure != null
          ? failure
          : new StorageException(
              "machine: actual=figures not stored on rank 0, whose error gives the reason, "
                  + "at="
                  + kept);
    }
    return machine.with(decoded(machine, figures));
  }

  private static List<Level> decoded(Machine machine, long[] figures) {
    List<Level> all = new ArrayList<>();
    for (int i = 0; i < machine.levels().size(); i++) {
      all.add(
          new Level(
              machine.levels().get(i).name(),
              Double.longBitsToDouble(figures[2 * i]),
              Double.longBitsToDouble(figures[2 * i + 1])));
    }
    return all;
  }

  private void measure(Communicator comm, RankMap ranks, long[] figures) {
    List<Level> levels = ranks.machine().levels();
    for (int i = 0; i < levels.size(); i++) {
      double bandwidth = levels.get(i).bytesPerSecond();
      double latency = levels.get(i).latencyNanos();
      int[] pair = pair(ranks, i);
      if (pair != null) {
        long quick = exchange(comm, pair, SHORT_BYTES, SHORT_TURNS);
        long slow = exchange(comm, pair, LONG_BYTES, LONG_TURNS);
        latency = quick / 2.0 / Math.max(1, ranks.hops(pair[0], pair[1]));
        bandwidth = LONG_BYTES * 1e9 / Math.max(1, (slow - quick) / 2.0);
      }
      figures[2 * i] = Double.doubleToLongBits(bandwidth);
      figures[2 * i + 1] = Double.doubleToLongBits(latency);
    }
  }

  private static int[] pair(RankMap ranks, int level) {
    int most = Math.min(ranks.size(), MAX_RANKS_LOOKED_AT);
    for (int b = 1; b < most; b++) {
      for (int a = 0; a < b; a++) {
        if (ranks.processor(a) != ranks.processor(b)
            && ranks.machine().level(ranks.processor(a), ranks.processor(b)) == level) {
          return new int[] {a, b};
        }
      }
    }
    return null;
  }

  /**
   * Returns the time of the fastest of several round trips, in nanoseconds; the same on all ranks.
   */
  private long exchange(Communicator comm, int[] pair, int bytes, int turns) {
    long[] best = {Long.MAX_VALUE};
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(bytes);
      for (int turn = 0; turn < turns; turn++) {
        if (comm.rank() == pair[0]) {
          long begin = nanoClock.getAsLong();
          comm.send(data, pair[1], TAG);
          comm.receive(data, pair[1], TAG);
          best[0] = Math.min(best[0], Math.max(1, nanoClock.getAsLong() - begin));
        } else if (comm.rank() == pair[1]) {
          comm.receive(data, pair[0], TAG);
          comm.send(data, pair[0], TAG);
        }
      }
    }
    comm.broadcast(MemorySegment.ofArray(best), pair[0]);
    return best[0];
  }

  private static String key(Machine machine, Level level) {
    return machine.name() + "/" + machine.processors() + "/" + level.name();
  }

  private boolean load(Machine machine, long[] figures) {
    Properties known = known();
    for (int i = 0; i < machine.levels().size(); i++) {
      String value = known.getProperty(key(machine, machine.levels().get(i)), "");
      if (!value.matches("\\d{1,18}(\\.\\d{1,6})? \\d{1,18}(\\.\\d{1,6})?")) {
        return false;
      }
      String[] words = value.split(" ", 2);
      double bandwidth = Double.parseDouble(words[0]);
      if (!(bandwidth > 0)) {
        return false;
      }
      figures[2 * i] = Double.doubleToLongBits(bandwidth);
      figures[2 * i + 1] = Double.doubleToLongBits(Double.parseDouble(words[1]));
    }
    return true;
  }

  private Properties known() {
    Properties known = new Properties();
    if (Files.exists(kept)) {
      try (var in = Files.newInputStream(kept)) {
        known.load(in);
      } catch (IOException | IllegalArgumentException failed) {
        throw failure(failed);
      }
    }
    return known;
  }

  /** Stores the figures. A job that reads at the same time sees the old file or the new one. */
  private void store(Machine machine, long[] figures) {
    Properties known = known();
    for (Level level : decoded(machine, figures)) {
      known.setProperty(
          key(machine, level),
          String.format(Locale.ROOT, "%.3f %.3f", level.bytesPerSecond(), level.latencyNanos()));
    }
    try {
      DurableFile.write(
          kept,
          fresh -> {
            try (OutputStream out = Files.newOutputStream(fresh)) {
              known.store(out, "bytes per second and nanoseconds of each level, as measured");
            }
          });
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  private StorageException failure(Exception cause) {
    return new StorageException(
        "figures of the machine: actual=" + cause.getMessage() + ", at=" + kept, cause);
  }
}
