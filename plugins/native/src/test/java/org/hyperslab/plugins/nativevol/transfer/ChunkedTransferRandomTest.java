package org.hyperslab.plugins.nativevol.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.space.Selection;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares sequences of transfers to chunks, with and without filters, with the same transfers to
 * an array.
 */
final class ChunkedTransferRandomTest {

  private static final byte[] FILL = {1, 2, 3, 4};

  private final TransferResources resources =
      new TransferResources(new Workers(2), new BufferPool(8 << 20));
  private final ContiguousTransfer contiguous = new ContiguousTransfer(resources);

  @AfterEach
  void close() {
    resources.close();
  }

  @ParameterizedTest
  @CsvSource({
    "false,true,1048576,9",
    "false,true,1048576,20",
    "true,true,1048576,9",
    "true,true,600,9",
    "true,false,600,9"
  })
  void keepsWhatOneArrayKeeps(boolean filtered, boolean filterEdges, long cacheBytes, int longest) {
    long seed = Seeds.draw();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 25; round++) {
      long[] extent = {1 + random.nextInt(20), 1 + random.nextInt(30), 1 + random.nextInt(20)};
      long[] chunk = {
        1 + random.nextInt(longest), 1 + random.nextInt(longest), 1 + random.nextInt(longest)
      };
      FilterPipeline pipeline =
          filtered
              ? FilterPipeline.of(
                  List.of(
                      new FilterStage(2, false, "shuffle", List.of(4)),
                      new FilterStage(1, false, "deflate", List.of(1))))
              : FilterPipeline.NONE;
      var shape = new ChunkShape(chunk, 4, pipeline, filterEdges, FillPattern.of(FILL));
      sequence(random, extent, shape, cacheBytes, seed);
    }
  }

  private void sequence(
      Random random, long[] extent, ChunkShape shape, long cacheBytes, long seed) {
    int bytes = Math.toIntExact(extent[0] * extent[1] * extent[2] * 4);
    byte[] model = new byte[bytes];
    FillPattern.of(FILL).fill(MemorySegment.ofArray(model));
    MemoryChunkPlaces places = new MemoryChunkPlaces();
    try (ChunkedTransfer chunked =
        new ChunkedTransfer(places, shape, resources, new CacheBudget(cacheBytes))) {
      for (int step = 0; step < 8; step++) {
        Selection inFile = RandomSelections.next(random, extent);
        long[] memoryExtent = {2 * inFile.elementCount(extent) + 3};
        Selection inMemory = RandomSelections.memory(random, inFile.elementCount(extent));
        byte[] memory = new byte[Math.toIntExact(memoryExtent[0] * 4)];
        random.nextBytes(memory);
        var transfer =
            new ElementTransfer(
                inFile, extent, inMemory, memoryExtent, MemorySegment.ofArray(memory));
        chunked.write(transfer, new CopyMover(4));
        contiguous.write(new ArrayBytes(model), transfer, new CopyMover(4));
        if (random.nextInt(3) == 0) {
          chunked.flush();
        }
        byte[] expected = new byte[memory.length];
        byte[] actual = new byte[memory.length];
        Selection other = RandomSelections.next(random, extent);
        long[] flat = {other.elementCount(extent)};
        byte[] expectedPart = new byte[Math.toIntExact(flat[0] * 4)];
        byte[] actualPart = new byte[expectedPart.length];
        contiguous.read(
            new ArrayBytes(model), to(other, extent, flat, expectedPart), new CopyMover(4));
        chunked.read(to(other, extent, flat, actualPart), new CopyMover(4));
        assertThat(actualPart).as("seed %d", seed).isEqualTo(expectedPart);
        assertThat(actual).isEqualTo(expected);
      }
      chunked.flush();
    }
    try (ChunkedTransfer reopened =
        new ChunkedTransfer(places, shape, resources, new CacheBudget(cacheBytes))) {
      byte[] all = new byte[bytes];
      reopened.read(to(Selection.all(), extent, extent, all), new CopyMover(4));
      assertThat(all).as("seed %d, reopened", seed).isEqualTo(model);
    }
  }

  private static ElementTransfer to(
      Selection file, long[] extent, long[] memoryExtent, byte[] memory) {
    return new ElementTransfer(
        file, extent, Selection.all(), memoryExtent, MemorySegment.ofArray(memory));
  }
}
