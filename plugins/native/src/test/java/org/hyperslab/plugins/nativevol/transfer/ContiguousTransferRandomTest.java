package org.hyperslab.plugins.nativevol.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.Selection;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares transfers of random selections with transfers of single elements. */
final class ContiguousTransferRandomTest {

  private final TransferResources resources =
      new TransferResources(new Workers(2), new BufferPool(8 << 20));
  private final ContiguousTransfer transfers = new ContiguousTransfer(resources);

  @AfterEach
  void close() {
    resources.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 8, 24})
  void equalsTransfersOfSingleElements(int elementSize) {
    long seed = Seeds.draw();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      long[] extent = {1 + random.nextInt(40), 1 + random.nextInt(60), 1 + random.nextInt(70)};
      roundTrip(random, extent, elementSize, seed);
    }
  }

  @Test
  void movesElementsInTheOrderOfPoints() {
    byte[] file = new byte[40];
    long[] coordinates = {7, 3, 3, 9, 0};
    Selection points = Selection.points(1, coordinates);
    MemorySegment memory = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5});
    var transfer =
        new ElementTransfer(points, new long[] {40}, Selection.all(), new long[] {5}, memory);
    transfers.write(new ArrayBytes(file), transfer, new CopyMover(1));
    assertThat(Arrays.copyOf(file, 10)).containsExactly(5, 0, 0, 3, 0, 0, 0, 1, 0, 4);
  }

  @Test
  void movesMemoryThatOnlyTheCallingThreadMayAccess() {
    int n = 6 << 20;
    byte[] content = new byte[n];
    new Random(5).nextBytes(content);
    byte[] file = new byte[2 * n];
    Selection odd =
        Selection.hyperslab(new long[] {1}, new long[] {2}, new long[] {n}, new long[] {1});
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_BYTE, content);
      var transfer =
          new ElementTransfer(odd, new long[] {2L * n}, Selection.all(), new long[] {n}, memory);
      transfers.write(new ArrayBytes(file), transfer, new CopyMover(1));
      memory.fill((byte) 0);
      transfers.read(new ArrayBytes(file), transfer, new CopyMover(1));
      assertThat(memory.mismatch(MemorySegment.ofArray(content))).isEqualTo(-1);
    }
  }

  @Test
  void sharesLargeTransfersBetweenThreads() {
    int n = 6 << 20;
    byte[] file = new byte[2 * n];
    byte[] memory = new byte[n];
    new Random(3).nextBytes(memory);
    Selection odd =
        Selection.hyperslab(new long[] {1}, new long[] {2}, new long[] {n}, new long[] {1});
    var out =
        new ElementTransfer(
            odd,
            new long[] {2L * n},
            Selection.all(),
            new long[] {n},
            MemorySegment.ofArray(memory));
    transfers.write(new ArrayBytes(file), out, new CopyMover(1));
    for (int i = 0; i < n; i++) {
      if (file[2 * i] != 0 || file[2 * i + 1] != memory[i]) {
        assertThat(i).as("first wrong element").isNegative();
      }
    }
    byte[] back = new byte[n];
    var in =
        new ElementTransfer(
            odd, new long[] {2L * n}, Selection.all(), new long[] {n}, MemorySegment.ofArray(back));
    transfers.read(new ArrayBytes(file), in, new CopyMover(1));
    assertThat(back).isEqualTo(memory);
  }

  private void roundTrip(Random random, long[] extent, int elementSize, long seed) {
    Selection inFile = RandomSelections.next(random, extent);
    long count = inFile.elementCount(extent);
    long[] memoryExtent = {2 * count + 3};
    Selection inMemory = RandomSelections.memory(random, count);
    byte[] file = new byte[Math.toIntExact(extent[0] * extent[1] * extent[2] * elementSize)];
    byte[] memory = new byte[Math.toIntExact(memoryExtent[0] * elementSize)];
    random.nextBytes(file);
    random.nextBytes(memory);
    byte[] expected = file.clone();
    copy(inFile, extent, inMemory, memoryExtent, elementSize, memory, expected, true);
    var transfer =
        new ElementTransfer(inFile, extent, inMemory, memoryExtent, MemorySegment.ofArray(memory));
    transfers.write(new ArrayBytes(file), transfer, new CopyMover(elementSize));
    assertThat(file).as("write, seed %d, %s", seed, inFile).isEqualTo(expected);
    random.nextBytes(file);
    byte[] expectedMemory = memory.clone();
    copy(inFile, extent, inMemory, memoryExtent, elementSize, expectedMemory, file, false);
    transfers.read(new ArrayBytes(file), transfer, new CopyMover(elementSize));
    assertThat(memory).as("read, seed %d, %s", seed, inFile).isEqualTo(expectedMemory);
  }

  private static void copy(
      Selection inFile,
      long[] extent,
      Selection inMemory,
      long[] memoryExtent,
      int size,
      byte[] memory,
      byte[] file,
      boolean toFile) {
    RunCursor runs = inFile.runs(extent);
    RunCursor places = inMemory.runs(memoryExtent);
    long placesLeft = 0;
    long place = 0;
    while (runs.next()) {
      for (long e = 0; e < runs.length(); e++) {
        if (placesLeft == 0) {
          places.next();
          place = places.offset();
          placesLeft = places.length();
        }
        int f = (int) (runs.offset() + e) * size;
        int m = (int) place * size;
        System.arraycopy(
            toFile ? memory : file, toFile ? m : f, toFile ? file : memory, toFile ? f : m, size);
        place++;
        placesLeft--;
      }
    }
  }
}
