package org.hyperslab.benchmarks.parallel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.collective.CollectiveIo;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * Writes and reads an N by N by N array of doubles, block-distributed over ranks, like {@code
 * parallel.c}. Every round writes a new file and reads it back; a line {@code label/write seconds
 * MB/s} is printed for each measurement, taken from barrier to barrier.
 *
 * <p>Arguments: {@code threads RANKS} or {@code mpi}, then the label, N, the rounds, the file, and
 * optionally the hints and the process grid such as 2x2x2.
 */
final class BlockPeer {

  private static final int DIMENSIONS = 3;

  private final String label;
  private final long n;
  private final int rounds;
  private final Path path;
  private final Hints hints;
  private final int[] grid;

  private BlockPeer(String[] args) {
    this.label = args[0];
    this.n = Long.parseLong(args[1]);
    this.rounds = Integer.parseInt(args[2]);
    this.path = Path.of(args[3]);
    this.hints = args.length > 4 ? Hints.parse(args[4]) : Hints.defaults();
    this.grid =
        args.length > 5
            ? Arrays.stream(args[5].split("x", -1)).mapToInt(Integer::parseInt).toArray()
            : new int[0];
  }

  /**
   * Runs the rounds.
   *
   * @param args see the class
   */
  public static void main(String[] args) {
    if (args[0].equals("threads")) {
      BlockPeer peer = new BlockPeer(Arrays.copyOfRange(args, 2, args.length));
      ThreadWorld.run(Integer.parseInt(args[1]), peer::run);
    } else {
      new BlockPeer(Arrays.copyOfRange(args, 1, args.length)).run(Worlds.current());
    }
  }

  private void run(Communicator comm) {
    ExtentRuns mine = block(comm.rank(), grid.length > 0 ? grid : dims(comm.size()));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment data = arena.allocate(mine.totalBytes(), 4096);
      for (long i = 0; i < data.byteSize() / Double.BYTES; i++) {
        data.setAtIndex(ValueLayout.JAVA_DOUBLE, i, comm.rank() * 1e9 + i);
      }
      MemorySegment back = arena.allocate(mine.totalBytes(), 4096);
      back.fill((byte) 1);
      for (int round = 0; round < rounds; round++) {
        round(comm, mine, data, back);
      }
      if (data.mismatch(back) != -1) {
        throw new StorageException("read back: actual=other bytes, expected=the bytes written");
      }
    }
  }

  private void round(Communicator comm, ExtentRuns mine, MemorySegment data, MemorySegment back) {
    fresh(comm);
    try (FileStore store = FileStore.open(path, FileAccess.UPDATE);
        CollectiveIo io = CollectiveIo.open(comm, store, hints, FileSystemTraits.detect(path))) {
      comm.barrier();
      long start = System.nanoTime();
      io.write(mine, MemoryExtents.contiguous(data));
      report(comm, "write", start, io);
      comm.barrier();
      start = System.nanoTime();
      io.read(mine, MemoryExtents.contiguous(back));
      report(comm, "read", start, io);
    }
  }

  private void fresh(Communicator comm) {
    try {
      if (comm.rank() == 0) {
        Files.deleteIfExists(path);
        Files.createFile(path);
      }
    } catch (IOException failed) {
      throw new StorageException("fresh file: actual=" + failed, failed);
    }
    comm.barrier();
  }

  private void report(Communicator comm, String what, long start, CollectiveIo io) {
    long[] nanos = {System.nanoTime() - start};
    comm.allReduce(nanos, Reduction.MAX);
    if (comm.rank() == 0) {
      double seconds = nanos[0] / 1e9;
      System.out.printf(
          Locale.ROOT,
          "%s/%s %.5f %.0f%n",
          label,
          what,
          seconds,
          n * n * n * Double.BYTES / seconds / 1e6);
      if (Boolean.getBoolean("hyperslab.explain")) {
        System.out.println("# " + io.explain().replace("\n", "\n# "));
      }
    }
  }

  /**
   * Computes a grid like MPI_Dims_create: assigns the prime factors, largest first, each to the
   * smallest extent.
   */
  static int[] dims(int ranks) {
    int[] dims = new int[DIMENSIONS];
    Arrays.fill(dims, 1);
    int rest = ranks;
    for (int factor = ranks; factor > 1; factor--) {
      while (rest % factor == 0 && isPrime(factor)) {
        int least = 0;
        for (int i = 1; i < DIMENSIONS; i++) {
          least = dims[i] < dims[least] ? i : least;
        }
        dims[least] *= factor;
        rest /= factor;
      }
    }
    Arrays.sort(dims);
    return new int[] {dims[2], dims[1], dims[0]};
  }

  private static boolean isPrime(int number) {
    for (int i = 2; i * i <= number; i++) {
      if (number % i == 0) {
        return false;
      }
    }
    return true;
  }

  private ExtentRuns block(int rank, int[] dims) {
    int[] at = {rank / (dims[1] * dims[2]), rank / dims[2] % dims[1], rank % dims[2]};
    long[] from = new long[DIMENSIONS];
    long[] size = new long[DIMENSIONS];
    for (int i = 0; i < DIMENSIONS; i++) {
      from[i] = n * at[i] / dims[i];
      size[i] = n * (at[i] + 1) / dims[i] - from[i];
    }
    ExtentRuns.Builder rows = ExtentRuns.builder();
    long row = n * Double.BYTES;
    for (long plane = from[0]; plane < from[0] + size[0]; plane++) {
      long start = plane * n * row + from[1] * row + from[2] * Double.BYTES;
      rows.addRun(start, size[2] * Double.BYTES, row, size[1]);
    }
    return rows.build();
  }
}
