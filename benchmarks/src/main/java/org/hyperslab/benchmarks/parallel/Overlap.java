package org.hyperslab.benchmarks.parallel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.FileRequest;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Measures the latency and the overlap of collective I/O, after Venkatesan, Chaarawi, Gabriel,
 * Hoefler: Design and Evaluation of Nonblocking Collective I/O Operations (2011). All ranks write
 * interleaved blocks: by the blocking collective call, by the started one with an immediate wait,
 * and by the started one while they compute for as long as the blocking one took, with periodic
 * tests. What they compute is the same with and without a transfer, so that processor time that the
 * transfer takes is seen.
 *
 * <p>Prints a line for each round: the seconds of each; the ratio of blocking to started; the share
 * of the shorter of I/O and computation that was hidden behind the other, {@code (I/O + computation
 * - both) / min(I/O, computation)}; and the share of a processor that a rank's process used while
 * it did nothing but I/O, divided by the ranks in the process: as much cannot be hidden where every
 * processor computes.
 *
 * <p>Arguments: {@code threads RANKS} or {@code mpi}, then the label, MiB of each rank, the rounds,
 * the file, {@code priced} or {@code plain}, and optionally hints and KiB of a block. Requests to a
 * priced file take half a millisecond and a nanosecond a byte, in which the processor is free, and
 * their bytes go nowhere.
 */
final class Overlap {

  private static final long TEST_NANOS = 1_000_000;
  private static final Set<AccessMode> MODES = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);

  private final String label;
  private final long bytes;
  private final int rounds;
  private final Path path;
  private final boolean priced;
  private final Hints hints;
  private final int blockBytes;
  private final int ranksHere;

  /** Steps of computation that a rank makes in a nanosecond while all ranks compute. */
  private double speed;

  private Overlap(String[] args, int ranksHere) {
    this.ranksHere = ranksHere;
    this.label = args[0];
    this.bytes = Long.parseLong(args[1]) << 20;
    this.rounds = Integer.parseInt(args[2]);
    this.path = Path.of(args[3]);
    this.priced = args[4].equals("priced");
    this.hints = args.length > 5 ? Hints.parse(args[5]) : Hints.defaults();
    this.blockBytes = args.length > 6 ? Integer.parseInt(args[6]) << 10 : 1 << 20;
  }

  /**
   * Runs the rounds.
   *
   * @param args see the class
   */
  public static void main(String[] args) {
    if (args[0].equals("threads")) {
      int ranks = Integer.parseInt(args[1]);
      ThreadWorld.run(
          ranks, comm -> new Overlap(Arrays.copyOfRange(args, 2, args.length), ranks).run(comm));
    } else {
      new Overlap(Arrays.copyOfRange(args, 1, args.length), 1).run(Worlds.current());
    }
  }

  /** A file whose requests take time and do nothing else. */
  private static final class Priced extends StoreDecorator {
    private static final long REQUEST_NANOS = 500_000;

    Priced(ByteStore store) {
      super(store);
    }

    @Override
    public void write(long offset, MemorySegment source) {
      pay(source.byteSize());
    }

    @Override
    public void write(long offset, MemorySegment[] sources) {
      pay(Arrays.stream(sources).mapToLong(MemorySegment::byteSize).sum());
    }

    private static void pay(long bytes) {
      long end = System.nanoTime() + REQUEST_NANOS + bytes;
      for (long left = REQUEST_NANOS + bytes; left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
  }

  private void run(Communicator comm) {
    try (Arena arena = Arena.ofShared();
        MpiFile file = open(comm)) {
      DerivedType block = DerivedType.contiguous(blockBytes, DerivedType.BYTE);
      file.setView(
          FileView.of(
              (long) comm.rank() * blockBytes,
              DerivedType.BYTE,
              DerivedType.resized(0, (long) comm.size() * blockBytes, block)));
      MemoryBuffer data =
          MemoryBuffer.of(arena.allocate(bytes, 4096).fill((byte) (1 + comm.rank())));
      for (int round = 0; round < rounds; round++) {
        learnSpeed(comm);
        round(round, comm, file, data);
      }
      if (comm.rank() == 0 && Boolean.getBoolean("hyperslab.explain")) {
        System.out.println("# " + file.explain().replace("\n", "\n# "));
      }
    }
  }

  private MpiFile open(Communicator comm) {
    if (!priced) {
      return MpiFile.open(comm, path, MODES, hints);
    }
    try {
      if (comm.rank() == 0 && !Files.exists(path)) {
        Files.createFile(path);
      }
    } catch (IOException failed) {
      throw new StorageException("file: actual=" + failed, failed);
    }
    comm.barrier();
    ByteStore store = new Priced(FileStore.open(path, FileAccess.UPDATE));
    return MpiFile.over(comm, store, MODES, hints);
  }

  /** The speed differs from rank to rank where they have processors of their own; on average. */
  private void learnSpeed(Communicator comm) {
    long steps = speed == 0 ? 1_000 : (long) (speed * 10_000_000);
    comm.barrier();
    long start = System.nanoTime();
    compute(steps, () -> {});
    long[] nanos = {System.nanoTime() - start};
    comm.allReduce(nanos, Reduction.SUM);
    speed = (double) steps * comm.size() / nanos[0];
  }

  private static double waitedFor(Communicator comm, MpiFile file, MemoryBuffer data) {
    return seconds(comm, () -> file.startWriteAtAll(0, data).await());
  }

  private void round(int round, Communicator comm, MpiFile file, MemoryBuffer data) {
    boolean startedFirst = round % 2 == 1;
    double started = startedFirst ? waitedFor(comm, file, data) : 0;
    long before = processorNanos();
    double blocking = seconds(comm, () -> file.writeAtAll(0, data));
    double busy = (processorNanos() - before) * 1e-9 / blocking / ranksHere;
    started = startedFirst ? started : waitedFor(comm, file, data);
    long steps = (long) (speed * 1e9 * blocking);
    double compute = seconds(comm, () -> compute(steps, () -> {}));
    double both =
        seconds(
            comm,
            () -> {
              FileRequest request = file.startWriteAtAll(0, data);
              compute(steps, request::test);
              request.await();
            });
    if (comm.rank() == 0) {
      System.out.printf(
          Locale.ROOT,
          "%s blocking %.4f started %.4f compute %.4f both %.4f ratio %.3f hidden %.3f busy %.3f%n",
          label,
          blocking,
          started,
          compute,
          both,
          blocking / started,
          (started + compute - both) / Math.min(started, compute),
          busy);
    }
  }

  /**
   * Returns the processor time of all threads of this process; 0 where Linux does not report it.
   */
  private static long processorNanos() {
    long nanos = 0;
    try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
      for (Path thread : threads.toList()) {
        nanos += Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
      }
      return nanos;
    } catch (IOException | UncheckedIOException | NumberFormatException unknown) {
      return 0;
    }
  }

  /** Returns the time from a barrier to the end of the last rank. */
  private static double seconds(Communicator comm, Runnable action) {
    comm.barrier();
    long start = System.nanoTime();
    action.run();
    long[] nanos = {System.nanoTime() - start};
    comm.allReduce(nanos, Reduction.MAX);
    return nanos[0] / 1e9;
  }

  /**
   * Keeps the processor busy, and tests a request every millisecond.
   *
   * @param steps how much there is to compute, in thousands of square roots
   * @return a number that depends on all that was computed
   */
  private static double compute(long steps, Runnable test) {
    double sum = 0;
    long next = System.nanoTime() + TEST_NANOS;
    for (long step = 0; step < steps; step++) {
      for (int i = 1; i < 1000; i++) {
        sum += Math.sqrt(i + sum);
      }
      long now = System.nanoTime();
      if (now >= next) {
        test.run();
        next = now + TEST_NANOS;
      }
    }
    return sum;
  }
}
