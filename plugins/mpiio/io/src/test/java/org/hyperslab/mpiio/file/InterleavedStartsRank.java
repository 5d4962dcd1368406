package org.hyperslab.mpiio.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.testkit.Seeds;

/**
 * A rank that {@link InterleavedStartsIT} starts under mpirun: starts several collective writes
 * whose extents interleave, and compares the file with the one that the MPI library's own blocking
 * {@code MPI_File_write_at_all} writes.
 *
 * <p>A tile of the file has a block of each rank, then a hole that nobody writes. Each write covers
 * all portions of the file, but each rank writes another portion in it: the holes of a write are
 * the extents of the others. The file has content before, so that a hole that is written back with
 * what it was shows as another write undone.
 */
final class InterleavedStartsRank {

  private static final int MAX_BLOCK_BYTES = 700;
  private static final int MAX_HOLE_BYTES = 500;
  private static final int MAX_TILES = 40;

  private final Communicator world;
  private final Path folder;

  private InterleavedStartsRank(Communicator world, Path folder) {
    this.world = world;
    this.folder = folder;
  }

  /** Arguments: a folder, the seed, the number of cases, and the hints for each case in turn. */
  public static void main(String[] arguments) throws IOException {
    InterleavedStartsRank rank = new InterleavedStartsRank(Worlds.current(), Path.of(arguments[0]));
    long seed = Long.parseLong(arguments[1]);
    int cases = Integer.parseInt(arguments[2]);
    for (int i = 0; i < cases; i++) {
      for (int hints = 3; hints < arguments.length; hints++) {
        Random random = Seeds.random(seed, (long) i * arguments.length + hints);
        rank.compare(new Tiles(random, rank.world.size()), arguments[hints], random.nextLong());
      }
    }
    System.out.println("done " + rank.world.describe());
  }

  /** The tiles of a file and the writes of all ranks; equal on all ranks. */
  private static final class Tiles {
    final int[] blocks;
    final int hole;
    final int tiles;
    final int writes;
    final int before;

    /** For each write and rank, the bytes that it leaves out at both ends of its portion. */
    final int[][][] omitted;

    Tiles(Random random, int ranks) {
      blocks = new int[ranks];
      for (int rank = 0; rank < ranks; rank++) {
        blocks[rank] = 1 + random.nextInt(MAX_BLOCK_BYTES);
      }
      hole = random.nextInt(MAX_HOLE_BYTES);
      tiles = 1 + random.nextInt(MAX_TILES);
      writes = 2 + random.nextInt(3);
      before = random.nextInt(tileBytes() * tiles * writes + 1);
      omitted = new int[writes][ranks][2];
      for (int[][] ofRanks : omitted) {
        for (int rank = 0; rank < ranks; rank++) {
          for (int end = 0; end < 2; end++) {
            int most = blocks[rank] * tiles / 2;
            ofRanks[rank][end] = random.nextBoolean() ? 0 : random.nextInt(most + 1);
          }
        }
      }
    }

    int tileBytes() {
      return Arrays.stream(blocks).sum() + hole;
    }

    FileView view(int rank) {
      long first = Arrays.stream(blocks, 0, rank).sum();
      DerivedType block = DerivedType.contiguous(blocks[rank], DerivedType.BYTE);
      return FileView.of(first, DerivedType.BYTE, DerivedType.resized(0, tileBytes(), block));
    }

    /** Returns the offset of a rank's part of a write in its view. */
    long offset(int write, int rank) {
      int portion = (write + rank) % writes;
      return (long) portion * tiles * blocks[rank] + omitted[write][rank][0];
    }

    int length(int write, int rank) {
      return tiles * blocks[rank] - omitted[write][rank][0] - omitted[write][rank][1];
    }

    @Override
    public String toString() {
      return writes
          + " writes of "
          + tiles
          + " tiles of blocks "
          + Arrays.toString(blocks)
          + " and a hole of "
          + hole
          + ", before "
          + before
          + ", without "
          + Arrays.deepToString(omitted);
    }
  }

  private void compare(Tiles tiles, String hints, long seed) throws IOException {
    Path own = prepared("own", tiles, seed);
    Path vendors = prepared("vendors", tiles, seed);
    start(tiles, own, Hints.parse(hints), new Random(seed + world.rank()));
    writeBlocking(tiles, vendors);
    byte[] expected = Files.readAllBytes(vendors);
    byte[] actual = Files.readAllBytes(own);
    int differs = Arrays.mismatch(actual, expected);
    if (differs >= 0) {
      throw new AssertionError(
          hints
              + ": actual="
              + actual.length
              + " bytes, expected="
              + expected.length
              + ", first that differs="
              + differs
              + " in tile "
              + differs / tiles.tileBytes()
              + " of "
              + tiles);
    }
    world.barrier(); // before the files are written again
  }

  private Path prepared(String name, Tiles tiles, long seed) throws IOException {
    Path path = folder.resolve(name);
    if (world.rank() == 0) {
      byte[] content = new byte[tiles.before];
      new Random(seed).nextBytes(content);
      Files.write(path, content);
    }
    world.barrier();
    return path;
  }

  private void start(Tiles tiles, Path path, Hints hints, Random random) {
    int rank = world.rank();
    try (Arena arena = Arena.ofShared();
        MpiFile file = MpiFile.open(world, path, Set.of(AccessMode.READ_WRITE), hints)) {
      file.setView(tiles.view(rank));
      List<FileRequest> started = new ArrayList<>();
      for (int write = 0; write < tiles.writes; write++) {
        MemoryBuffer data = MemoryBuffer.of(data(tiles, write, arena));
        started.add(file.startWriteAtAll(tiles.offset(write, rank), data));
        if (random.nextBoolean()) {
          started.get(random.nextInt(started.size())).test();
        }
      }
      awaitInAnyOrder(started, random);
      List<MemorySegment> found = new ArrayList<>();
      for (int write = 0; write < tiles.writes; write++) {
        found.add(arena.allocate(tiles.length(write, rank)));
        MemoryBuffer target = MemoryBuffer.of(found.getLast());
        started.add(file.startReadAtAll(tiles.offset(write, rank), target));
      }
      awaitInAnyOrder(started, random);
      for (int write = 0; write < tiles.writes; write++) {
        long differs = found.get(write).mismatch(data(tiles, write, arena));
        if (differs >= 0) {
          throw new AssertionError(
              hints
                  + ": byte "
                  + differs
                  + " of write "
                  + write
                  + " was read back otherwise, of "
                  + tiles);
        }
      }
    }
    world.barrier();
  }

  private static void awaitInAnyOrder(List<FileRequest> started, Random random) {
    Collections.shuffle(started, random);
    started.forEach(FileRequest::await);
    started.clear();
  }

  private void writeBlocking(Tiles tiles, Path path) {
    try (Arena arena = Arena.ofShared();
        MpiFile file =
            MpiFile.open(world, path, Set.of(AccessMode.READ_WRITE), Hints.parse("io=vendor"))) {
      file.setView(tiles.view(world.rank()));
      for (int write = 0; write < tiles.writes; write++) {
        MemoryBuffer data = MemoryBuffer.of(data(tiles, write, arena));
        file.writeAtAll(tiles.offset(write, world.rank()), data);
      }
    }
    world.barrier();
  }

  /** Returns the bytes that this rank writes, which depend on write and rank. */
  private MemorySegment data(Tiles tiles, int write, Arena arena) {
    MemorySegment data = arena.allocate(tiles.length(write, world.rank()));
    for (long i = 0; i < data.byteSize(); i++) {
      long place = tiles.offset(write, world.rank()) + i;
      data.set(
          ValueLayout.JAVA_BYTE, i, FileModel.value(write * world.size() + world.rank(), place));
    }
    return data;
  }
}
