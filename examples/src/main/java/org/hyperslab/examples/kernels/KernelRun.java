package org.hyperslab.examples.kernels;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.hyperslab.error.StorageException;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.AccessStatus;
import org.hyperslab.mpiio.file.FileRequest;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Runs a kernel: writes its file, reads it back, verifies memory and file, and measures the times.
 * Memory is filled before the clock starts. Every rank creates an instance and runs it.
 *
 * <p>Thread rule: confined to the rank's thread.
 */
public final class KernelRun {

  /** The byte in memory where no byte of the file belongs. */
  private static final byte UNTOUCHED = 0x5A;

  private static final int BLOCK_BYTES = 1 << 20;

  private final Communicator world;
  private final IoKernel kernel;
  private final Settings settings;
  private String explanation = "";

  /**
   * The settings of a run.
   *
   * @param folder the folder of the file
   * @param hints the hints for accesses
   * @param collective whether accesses are collective or independent
   * @param shift the distance to the higher rank whose data each rank reads, so that its own caches
   *     do not help
   * @param filePerRank whether each rank has its own file
   * @param started whether accesses are started, all those of a view before the first is waited
   *     for, instead of being made one after the other
   */
  public record Settings(
      Path folder,
      Hints hints,
      boolean collective,
      int shift,
      boolean filePerRank,
      boolean started) {

    /**
     * Accesses that are made one after the other.
     *
     * @param folder where its file goes
     * @param hints how accesses go
     * @param collective whether ranks access together, or each by itself
     * @param shift how far above the rank is whose data each rank reads
     * @param filePerRank whether each rank has a file to itself
     */
    public Settings(Path folder, Hints hints, boolean collective, int shift, boolean filePerRank) {
      this(folder, hints, collective, shift, filePerRank, false);
    }

    /**
     * {@return these settings, accesses being started or not}
     *
     * @param wanted whether accesses are started
     */
    public Settings withStarted(boolean wanted) {
      return new Settings(folder, hints, collective, shift, filePerRank, wanted);
    }
  }

  /**
   * The result of a run; the same on every rank.
   *
   * @param bytes moved in each direction by all ranks
   * @param writeSeconds from opening to having closed, on the slowest rank
   * @param readSeconds likewise
   * @param calls accesses of each rank in each direction
   * @param explanation which components the last access used and why
   */
  public record Result(
      long bytes, double writeSeconds, double readSeconds, int calls, String explanation) {}

  /**
   * Prepares the part of one rank in a run.
   *
   * @param world the ranks
   * @param kernel the kernel
   * @param settings the settings
   */
  public KernelRun(Communicator world, IoKernel kernel, Settings settings) {
    this.world = world;
    this.kernel = kernel;
    this.settings = settings;
  }

  /**
   * Runs the kernel. Collective. The file is left in place.
   *
   * @return times and sizes
   * @throws IllegalStateException if a byte differs, naming the first
   * @throws org.hyperslab.error.HyperslabException if an access fails
   */
  public Result run() {
    if (!settings.filePerRank) {
      Path path = settings.folder.resolve(kernel.name());
      List<Integer> grid = kernel.arrangement(world.size());
      if (grid.isEmpty()) {
        return run(world, path, settings.shift);
      }
      try (Communicator arranged = world.arranged(grid)) {
        return run(arranged, path, settings.shift);
      }
    }
    try (Communicator alone = world.split(world.rank(), 0)) {
      return run(alone, settings.folder.resolve(kernel.name() + "." + world.rank()), 0);
    }
  }

  private Result run(Communicator ranks, Path path, int shift) {
    List<Access> accesses = kernel.accesses(ranks.rank(), ranks.size());
    int from = (ranks.rank() + shift) % ranks.size();
    List<Access> reads = shift == 0 ? accesses : kernel.accesses(from, ranks.size());
    if (ranks.rank() == 0) {
      delete(path);
    }
    try (Arena arena = Arena.ofShared()) {
      List<MemorySegment> memories = memories(arena, accesses, true);
      long written = transfer(ranks, path, accesses, memories, true);
      long length = kernel.fileBytes(ranks.size());
      if (ranks.rank() == 0) {
        verifyFile(path, length);
      }
      memories = memories(arena, reads, false);
      long read = transfer(ranks, path, reads, memories, false);
      verifyMemory(arena, reads, memories);
      long[] bytes = {ranks.rank() == 0 ? length : 0};
      world.allReduce(bytes, Reduction.SUM);
      return new Result(bytes[0], 1e-9 * written, 1e-9 * read, accesses.size(), explanation);
    }
  }

  private List<MemorySegment> memories(Arena arena, List<Access> accesses, boolean filled) {
    List<MemorySegment> memories = new ArrayList<>();
    for (Access access : accesses) {
      MemorySegment memory = arena.allocate(access.memory().bytes(), Long.BYTES);
      memory.fill(UNTOUCHED);
      if (filled) {
        access.pieces().forEach((file, at, length) -> Content.fill(memory, at, file, length));
      }
      memories.add(memory);
    }
    return memories;
  }

  /** Returns the time on the slowest rank, in nanoseconds. */
  private long transfer(
      Communicator ranks,
      Path path,
      List<Access> accesses,
      List<MemorySegment> memories,
      boolean writes) {
    Set<AccessMode> modes =
        writes ? Set.of(AccessMode.READ_WRITE, AccessMode.CREATE) : Set.of(AccessMode.READ_ONLY);
    world.barrier();
    long start = System.nanoTime();
    try (MpiFile file = MpiFile.open(ranks, path, modes, settings.hints)) {
      FileView view = null;
      List<Move> moves = new ArrayList<>();
      for (int i = 0; i < accesses.size(); i++) {
        Access access = accesses.get(i);
        if (access.view() != view) {
          end(moves);
          view = access.view();
          file.setView(view);
        }
        Access.Memory shape = access.memory();
        MemoryBuffer buffer = MemoryBuffer.of(memories.get(i), shape.count(), shape.type());
        moves.add(new Move(start(file, access.offset(), buffer, writes), buffer.bytes()));
        if (!settings.started) {
          end(moves);
        }
      }
      end(moves);
      explanation = file.explain();
    }
    long[] slowest = {System.nanoTime() - start};
    world.allReduce(slowest, Reduction.MAX);
    return slowest[0];
  }

  /**
   * A started or completed access.
   *
   * @param status waits for the access and returns its status
   * @param bytes the bytes that it must move
   */
  private record Move(Supplier<AccessStatus> status, long bytes) {}

  /** Makes an access, or starts it if the settings say so. */
  private Supplier<AccessStatus> start(
      MpiFile file, long offset, MemoryBuffer buffer, boolean writes) {
    boolean together = settings.collective;
    if (settings.started) {
      FileRequest request =
          writes
              ? together ? file.startWriteAtAll(offset, buffer) : file.startWriteAt(offset, buffer)
              : together ? file.startReadAtAll(offset, buffer) : file.startReadAt(offset, buffer);
      return request::await;
    }
    AccessStatus done =
        writes
            ? together ? file.writeAtAll(offset, buffer) : file.writeAt(offset, buffer)
            : together ? file.readAtAll(offset, buffer) : file.readAt(offset, buffer);
    return () -> done;
  }

  /** Waits for accesses, checks that they moved everything, and forgets them. */
  private void end(List<Move> moves) {
    for (Move move : moves) {
      long moved = move.status.get().bytes();
      if (moved != move.bytes) {
        throw new IllegalStateException(
            kernel.name() + ": actual=" + moved + " bytes moved, expected=" + move.bytes);
      }
    }
    moves.clear();
  }

  private void verifyMemory(Arena arena, List<Access> accesses, List<MemorySegment> memories) {
    List<MemorySegment> expected = memories(arena, accesses, true);
    for (int i = 0; i < memories.size(); i++) {
      long at = memories.get(i).mismatch(expected.get(i));
      if (at >= 0) {
        throw new IllegalStateException(
            kernel.name()
                + ": read back differs at byte "
                + at
                + " of the memory of access "
                + i
                + " on rank "
                + world.rank());
      }
    }
  }

  private void verifyFile(Path path, long length) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      if (channel.size() != length) {
        throw new IllegalStateException(
            path + ": actual=" + channel.size() + " bytes, expected=" + length);
      }
      MemorySegment expected = arena.allocate(BLOCK_BYTES);
      for (long at = 0; at < length; at += BLOCK_BYTES) {
        long bytes = Math.min(BLOCK_BYTES, length - at);
        MemorySegment block = channel.map(FileChannel.MapMode.READ_ONLY, at, bytes, arena);
        Content.fill(expected, 0, at, bytes);
        long differs = block.mismatch(expected.asSlice(0, bytes));
        if (differs >= 0) {
          throw new IllegalStateException(path + ": byte " + (at + differs) + " differs");
        }
      }
    } catch (IOException e) {
      throw new StorageException(kernel.name() + ": actual=" + e + ", at=" + path, e);
    }
  }

  private void delete(Path path) {
    try {
      Files.createDirectories(settings.folder);
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new StorageException(kernel.name() + ": actual=" + e + ", at=" + path, e);
    }
  }
}
