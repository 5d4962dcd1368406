package org.hyperslab.benchmarks.parallel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.DerivedType;
import org.hyperslab.mpiio.file.FileRequest;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.file.MpiFile;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Measures the latency and the overlap of collective I/O, after Venkatesan, Chaarawi, Gabriel,
 * Hoefler: Design and Evaluation of Nonblocking Collective I/O Operations (2011). All ranks write
 * interleaved blocks: by the blocking collective call, by the started one with an immediate wait,
 * and by the started one while they compute for as long as the blocking one took, with periodic
 * tests.
 *
 * <p>Prints a line for each round: the seconds of each, the ratio of blocking to started, and the
 * share of the I/O time that was hidden: {@code (I/O + computation - both) / I/O}.
 *
 * <p>Arguments: {@code threads RANKS} or {@code mpi}, then the label, MiB of each rank, the rounds,
 * the file, {@code priced} or {@code plain}, and optionally hints. Requests to a priced file take
 * half a millisecond and a nanosecond a byte longer, in which the processor is free.
 */
final class Overlap {

  private static final int BLOCK_BYTES = 1 << 20;
  private static final long TEST_NANOS = 1_000_000;
  private static final Set<AccessMode> MODES = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);

  private final String label;
  private final long bytes;
  private final int rounds;
  private final Path path;
  private final boolean priced;
  private final Hints hints;

  private Overlap(String[] args) {
    this.label = args[0];
    this.bytes = Long.parseLong(args[1]) << 20;
    this.rounds = Integer.parseInt(args[2]);
    this.path = Path.of(args[3]);
    this.priced = args[4].equals("priced");
    this.hints = args.length > 5 ? Hints.parse(args[5]) : Hints.defaults();
  }

  /**
   * Runs the rounds.
   *
   * @param args see the class
   */
  public static void main(String[] args) {
    if (args[0].equals("threads")) {
      Overlap overlap = new Overlap(Arrays.copyOfRange(args, 2, args.length));
      ThreadWorld.run(Integer.parseInt(args[1]), overlap::run);
    } else {
      new Overlap(Arrays.copyOfRange(args, 1, args.length)).run(Worlds.current());
    }
  }

  /** A file whose requests take time. */
  private static final class Priced extends StoreDecorator {
    private static final long REQUEST_NANOS = 500_000;

    Priced(ByteStore store) {
      super(store);
    }

    @Override
    public void write(long offset, MemorySegment source) {
      super.write(offset, source);
      pay(source.byteSize());
    }

    @Override
    public void write(long offset, MemorySegment[] sources) {
      super.write(offset, sources);
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
      DerivedType block = DerivedType.contiguous(BLOCK_BYTES, DerivedType.BYTE);
      file.setView(
          FileView.of(
              (long) comm.rank() * BLOCK_BYTES,
              DerivedType.BYTE,
              DerivedType.resized(0, (long) comm.size() * BLOCK_BYTES, block)));
      MemoryBuffer data =
          MemoryBuffer.of(arena.allocate(bytes, 4096).fill((byte) (1 + comm.rank())));
      for (int round = 0; round < rounds; round++) {
        round(comm, file, data);
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

  private void round(Communicator comm, MpiFile file, MemoryBuffer data) {
    double blocking = seconds(comm, () -> file.writeAtAll(0, data));
    double started = seconds(comm, () -> file.startWriteAtAll(0, data).await());
    long work = (long) (blocking * 1e9);
    double compute = seconds(comm, () -> compute(work, () -> {}));
    double both =
        seconds(
            comm,
            () -> {
              FileRequest request = file.startWriteAtAll(0, data);
              compute(work, request::test);
              request.await();
            });
    if (comm.rank() == 0) {
      System.out.printf(
          Locale.ROOT,
          "%s blocking %.4f started %.4f compute %.4f both %.4f ratio %.3f hidden %.3f%n",
          label,
          blocking,
          started,
          compute,
          both,
          blocking / started,
          (blocking + compute - both) / blocking);
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
   * Keeps the processor busy for some time, and tests a request every millisecond.
   *
   * @return a number that depends on all that was computed
   */
  private static double compute(long nanos, Runnable test) {
    double sum = 0;
    long now = System.nanoTime();
    long end = now + nanos;
    long next = now + TEST_NANOS;
    while (now < end) {
      for (int i = 1; i < 1000; i++) {
        sum += Math.sqrt(i + sum);
      }
      now = System.nanoTime();
      if (now >= next) {
        test.run();
        next = now + TEST_NANOS;
      }
    }
    return sum;
  }
}
