package org.hyperslab.plugins.nativevol.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares transfers to small chunks without filters with the same transfers to an array. */
final class SmallChunksTest {

  private static final byte[] FILL = {0, 7};
  private static final Datatype STORED = Datatypes.I16BE;

  private final TransferResources resources =
      new TransferResources(new Workers(2), new BufferPool(8 << 20));
  private final ContiguousTransfer contiguous = new ContiguousTransfer(resources);
  private final MemoryChunkPlaces places = new MemoryChunkPlaces();

  @AfterEach
  void close() {
    resources.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void keepsWhatOneArrayKeeps(int memorySize) {
    long seed = Seeds.draw();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Datatype inMemory = memorySize == 2 ? Datatypes.I16LE : Datatypes.I32LE;
    for (int round = 0; round < 40; round++) {
      long[] extent = {1 + random.nextInt(12), 1 + random.nextInt(12), 1 + random.nextInt(12)};
      long[] chunk = {1 + random.nextInt(4), 1 + random.nextInt(4), 1 + random.nextInt(14)};
      sequence(random, extent, chunk, random.nextBoolean() ? inMemory : STORED, seed);
    }
  }

  private void sequence(Random random, long[] extent, long[] chunk, Datatype inMemory, long seed) {
    byte[] model = new byte[(int) (2 * volume(extent))];
    FillPattern.of(FILL).fill(MemorySegment.ofArray(model));
    try (ChunkedTransfer chunked = chunked(new MemoryChunkPlaces(), chunk)) {
      for (int step = 0; step < 12; step++) {
        Selection inFile = selection(random, extent);
        long[] flat = {2 * inFile.elementCount(extent) + 3};
        byte[] memory = new byte[(int) (flat[0] * inMemory.size())];
        random.nextBytes(memory);
        Selection order = RandomSelections.memory(random, inFile.elementCount(extent));
        var written =
            new ElementTransfer(inFile, extent, order, flat, MemorySegment.ofArray(memory));
        chunked.write(written, mover(inMemory, STORED));
        contiguous.write(new ArrayBytes(model), written, mover(inMemory, STORED));
        byte[] expected = memory.clone();
        byte[] actual = memory.clone();
        Selection other = selection(random, extent);
        long[] room = {2 * other.elementCount(extent) + 3};
        expected = Arrays.copyOf(expected, (int) (room[0] * inMemory.size()));
        actual = Arrays.copyOf(actual, expected.length);
        Selection to = RandomSelections.memory(random, other.elementCount(extent));
        contiguous.read(
            new ArrayBytes(model),
            new ElementTransfer(other, extent, to, room, MemorySegment.ofArray(expected)),
            mover(STORED, inMemory));
        chunked.read(
            new ElementTransfer(other, extent, to, room, MemorySegment.ofArray(actual)),
            mover(STORED, inMemory));
        assertThat(actual)
            .as("seed %d, chunk %s", seed, Arrays.toString(chunk))
            .isEqualTo(expected);
      }
    }
  }

  /** Blocks, or points of which some are listed twice. */
  private static Selection selection(Random random, long[] extent) {
    if (random.nextInt(3) > 0) {
      return RandomSelections.next(random, extent);
    }
    long[] coordinates = new long[3 * (1 + random.nextInt(40))];
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = random.nextInt((int) extent[i % 3]);
    }
    return Selection.points(3, coordinates);
  }

  @Test
  void readsAndWritesAdjacentChunksInOneRequest() {
    long[] extent = {64, 64};
    try (ChunkedTransfer chunked = chunked(places, new long[] {4, 4})) {
      byte[] all = new byte[64 * 64 * 2];
      new Random(1).nextBytes(all);
      chunked.write(whole(extent, all), new CopyMover(2));
      int readsBefore = places.reads();
      int writesBefore = places.writes();
      byte[] again = new byte[all.length];
      chunked.read(whole(extent, again), new CopyMover(2));
      assertThat(again).isEqualTo(all);
      assertThat(places.reads() - readsBefore).isEqualTo(1);
      chunked.write(whole(extent, again), new CopyMover(2));
      assertThat(places.writes() - writesBefore).isEqualTo(1);
      assertThat(places.reads() - readsBefore).isEqualTo(1);
    }
  }

  @Test
  void writesOneElementOfEachChunkWithoutReading() {
    long[] extent = {64, 64};
    try (ChunkedTransfer chunked = chunked(places, new long[] {4, 4})) {
      byte[] all = new byte[64 * 64 * 2];
      chunked.write(whole(extent, all), new CopyMover(2));
      int readsBefore = places.reads();
      byte[] corners = new byte[16 * 16 * 2];
      Arrays.fill(corners, (byte) 1);
      Selection first =
          Selection.hyperslab(
              new long[2], new long[] {4, 4}, new long[] {16, 16}, new long[] {1, 1});
      chunked.write(
          new ElementTransfer(
              first, extent, Selection.all(), new long[] {256}, MemorySegment.ofArray(corners)),
          new CopyMover(2));
      assertThat(places.reads()).isEqualTo(readsBefore);
      byte[] again = new byte[all.length];
      chunked.read(whole(extent, again), new CopyMover(2));
      for (int i = 0; i < again.length; i++) {
        int element = i / 2;
        assertThat(again[i]).isEqualTo((byte) (element % 4 == 0 && element / 64 % 4 == 0 ? 1 : 0));
      }
    }
  }

  private ChunkedTransfer chunked(MemoryChunkPlaces at, long[] chunk) {
    var shape = new ChunkShape(chunk, 2, FilterPipeline.NONE, true, FillPattern.of(FILL));
    return new ChunkedTransfer(at, shape, resources, new CacheBudget(1 << 20));
  }

  private static ElementTransfer whole(long[] extent, byte[] memory) {
    return new ElementTransfer(
        Selection.all(), extent, Selection.all(), extent, MemorySegment.ofArray(memory));
  }

  private static ElementMover mover(Datatype from, Datatype to) {
    return ConvertingMover.of(Converter.between(from, to), VlenHeap.none(), VlenHeap.none());
  }

  private static long volume(long[] extent) {
    return Arrays.stream(extent).reduce(1, Math::multiplyExact);
  }
}
