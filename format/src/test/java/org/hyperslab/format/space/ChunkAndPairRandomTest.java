package org.hyperslab.format.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares pairs of runs and chunk pieces with {@link SelectionModel}. */
class ChunkAndPairRandomTest {

  private static final int ROUNDS = 1200;

  private Random random;

  @BeforeEach
  void seed() {
    random = new Random(SelectionModel.seed());
  }

  private SelectionModel anySelection(long[] extent) {
    return extent.length > 0 && random.nextInt(5) == 0
        ? SelectionModel.randomPoints(random, extent, random.nextInt(20) + 1)
        : SelectionModel.random(random, extent);
  }

  /** A memory selection of a number of elements, in an extent made for it. */
  private Memory memoryOf(int elements) {
    for (int attempt = 0; attempt < 25; attempt++) {
      long[] extent = SelectionModel.randomExtent(random, 1 + random.nextInt(3), 12);
      SelectionModel model = anySelection(extent);
      if (model.order().size() == elements) {
        return new Memory(extent, model);
      }
    }
    long stride = 1L + random.nextInt(3);
    long[] extent = {1 + elements * stride};
    Selection selection =
        Selection.hyperslab(
            new long[] {1}, new long[] {stride}, new long[] {elements}, new long[] {1});
    List<Long> order = new ArrayList<>();
    for (int i = 0; i < elements; i++) {
      order.add(1 + i * stride);
    }
    return new Memory(extent, new SelectionModel(selection, new BitSet(), order));
  }

  private static final class Memory {
    private final long[] extent;
    private final SelectionModel model;

    Memory(long[] extent, SelectionModel model) {
      this.extent = extent;
      this.model = model;
    }
  }

  private static void collect(RunPairs pairs, List<Long> file, List<Long> memory, boolean groups) {
    while (groups ? pairs.nextGroup() : pairs.next()) {
      for (long k = 0; k < (groups ? pairs.repeats() : 1); k++) {
        for (long i = 0; i < pairs.length(); i++) {
          file.add(pairs.fileOffset() + k * pairs.fileStride() + i);
          memory.add(pairs.memoryOffset() + k * pairs.memoryStride() + i);
        }
      }
    }
  }

  @Test
  void pairsElementsInTheOrderOfTransfer() {
    for (int round = 0; round < ROUNDS; round++) {
      long[] extent = SelectionModel.randomExtent(random, random.nextInt(4), 10);
      SelectionModel file = anySelection(extent);
      Memory memory = memoryOf(file.order().size());
      for (boolean groups : new boolean[] {false, true}) {
        List<Long> inFile = new ArrayList<>();
        List<Long> inMemory = new ArrayList<>();
        collect(
            RunPairs.of(file.selection(), extent, memory.model.selection(), memory.extent),
            inFile,
            inMemory,
            groups);
        assertThat(inFile).isEqualTo(file.order());
        assertThat(inMemory).isEqualTo(memory.model.order());
      }
    }
  }

  @Test
  void cutsSelectionsIntoChunkPieces() {
    for (int round = 0; round < ROUNDS; round++) {
      long[] extent = SelectionModel.randomExtent(random, random.nextInt(4), 10);
      long[] chunk = SelectionModel.randomExtent(random, extent.length, 6);
      SelectionModel file = anySelection(extent);
      Memory memory = memoryOf(file.order().size());
      Map<List<Long>, Map<Integer, Long>> expected = expectedPieces(file, extent, chunk);
      ChunkIterator pieces = file.selection().chunks(extent, chunk);
      int chunks = 0;
      while (pieces.hasNext()) {
        ChunkPiece piece = pieces.next();
        List<Long> key = Arrays.stream(piece.scaled()).boxed().toList();
        assertThat(expected).containsKey(key);
        checkPiece(piece, expected.get(key), chunk, memory, file);
        chunks++;
      }
      assertThat(chunks).isEqualTo(expected.size());
    }
  }

  /** By chunk: from ordinal to the element offset in the chunk. */
  private static Map<List<Long>, Map<Integer, Long>> expectedPieces(
      SelectionModel file, long[] extent, long[] chunk) {
    Map<List<Long>, Map<Integer, Long>> expected = new HashMap<>();
    for (int n = 0; n < file.order().size(); n++) {
      long[] at = SelectionModel.coordinates(extent, file.order().get(n));
      List<Long> key = new ArrayList<>();
      long offset = 0;
      for (int d = 0; d < extent.length; d++) {
        key.add(at[d] / chunk[d]);
        offset = offset * chunk[d] + at[d] % chunk[d];
      }
      expected.computeIfAbsent(key, k -> new TreeMap<>()).put(n, offset);
    }
    return expected;
  }

  private static void checkPiece(
      ChunkPiece piece,
      Map<Integer, Long> expected,
      long[] chunk,
      Memory memory,
      SelectionModel file) {
    assertThat(piece.elementCount()).isEqualTo(expected.size());
    assertThat(SelectionModel.visited(piece.runs())).isEqualTo(new ArrayList<>(expected.values()));
    assertThat(SelectionModel.visited(piece.selection().runs(chunk)))
        .isEqualTo(new ArrayList<>(expected.values()));
    if (!(file.selection() instanceof PointSelection)) {
      assertThat(piece.isWhole()).isEqualTo(expected.size() == SelectionModel.volume(chunk));
    }
    Map<Integer, Long> numbered = new TreeMap<>();
    ChunkRuns runs = piece.ordinalRuns();
    while (runs.nextGroup()) {
      for (long k = 0; k < runs.repeats(); k++) {
        for (long i = 0; i < runs.length(); i++) {
          numbered.put(
              (int) (runs.ordinal() + k * runs.ordinalStride() + i),
              runs.offset() + k * runs.stride() + i);
        }
      }
    }
    assertThat(numbered).isEqualTo(expected);
    for (boolean groups : new boolean[] {false, true}) {
      List<Long> inFile = new ArrayList<>();
      List<Long> inMemory = new ArrayList<>();
      collect(piece.pairs(memory.model.selection(), memory.extent), inFile, inMemory, groups);
      assertThat(inFile).isEqualTo(new ArrayList<>(expected.values()));
      assertThat(inMemory)
          .isEqualTo(expected.keySet().stream().map(n -> memory.model.order().get(n)).toList());
    }
  }
}
