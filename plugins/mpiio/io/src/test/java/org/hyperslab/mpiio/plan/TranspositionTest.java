package org.hyperslab.mpiio.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.collective.CollectiveIo;
import org.hyperslab.mpiio.collective.CollectiveOutcome;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.store.StorageCosts;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Tests groups of ranks that transpose blocks of an array: how they are found, where they are used,
 * and their result.
 */
class TranspositionTest {

  private static final FileSystemTraits REMOTE = FileSystemTraits.local().with(StorageCosts.REMOTE);

  private static AccessSummary[] summaries(List<ExtentRuns> lists) {
    AccessSummary[] all = new AccessSummary[lists.size()];
    for (int rank = 0; rank < all.length; rank++) {
      all[rank] =
          AccessSummary.of(
              lists.get(rank), -1, new AccessSummary.Circumstances(rank, 0, 0, 0, 0, 0));
    }
    return all;
  }

  /** Tests the choice for eight ranks on each node of a cluster. */
  private static CollectiveRule.Chosen chosen(
      String words, FileSystemTraits fs, List<ExtentRuns> lists) {
    Hints hints = Hints.parse(words);
    AccessSummary[] all = summaries(lists);
    List<Integer> nodes = IntStream.range(0, all.length).mapToObj(rank -> rank / 8 * 8).toList();
    Topology topology = new Topology(nodes, Collections.nCopies(all.length, 8), List.of());
    Aggregators aggregators = Aggregators.choose(hints, fs, topology, all);
    CollectiveInput.Setting setting =
        new CollectiveInput.Setting(hints, fs, aggregators.toArray(), false);
    CollectiveInput problem =
        new CollectiveInput(0, true, all, lists.toArray(ExtentRuns[]::new), setting, true);
    return new CollectiveRule(problem, aggregators).choose();
  }

  private static final ArrayBlocks LATTICE =
      new ArrayBlocks(new int[] {2, 4, 4, 4}, new int[] {8, 8, 8, 8}, 576);

  @Test
  void transpositionIsChosenForALatticeOfFourDimensions() {
    CollectiveRule.Chosen chosen = chosen("", REMOTE, LATTICE.lists());
    assertThat(chosen.algorithm().name()).isEqualTo("transposed");
    assertThat(chosen.reason())
        .contains("4 ranks interleave to ranges of 147456 bytes")
        .contains("a window of two-phase would be of 16 ranks");
    CollectiveAlgorithm.Aggregated aggregated = (CollectiveAlgorithm.Aggregated) chosen.algorithm();
    assertThat(aggregated.partition().describe())
        .isEqualTo(
            "32 groups of 4 ranks whose extents make ranges of 147456 bytes, shared equally among");
  }

  @Test
  void transpositionIsNotChosenForOtherPatterns() {
    List<ExtentRuns> lattice = LATTICE.lists();
    assertThat(chosen("", FileSystemTraits.local(), lattice).algorithm().name())
        .as("where requests are cheap")
        .isEqualTo("two-phase");
    for (String words :
        new String[] {
          "cb_nodes=4",
          "hyperslab_domains=even",
          "hyperslab_aggregators=node",
          "romio_cb_write=enable",
          "hyperslab_collective=two-phase"
        }) {
      assertThat(chosen(words, REMOTE, lattice).algorithm().name())
          .as(words)
          .isEqualTo("two-phase");
    }
    notChosen("tile-io", new ArrayBlocks(new int[] {8, 8}, new int[] {768, 1024}, 32).lists());
    notChosen(
        "blocks one after the other",
        new ArrayBlocks(new int[] {64}, new int[] {5000}, 38).lists());
    notChosen(
        "coll-perf, a small array",
        new ArrayBlocks(new int[] {4, 4, 4}, new int[] {32, 32, 32}, 4).lists());
    notChosen(
        "noncontig",
        IntStream.range(0, 64)
            .mapToObj(rank -> ExtentRuns.strided(rank * 512L, 512, 64 * 512L, 2000))
            .toList());
    List<ExtentRuns> uneven = new ArrayList<>(lattice);
    uneven.set(5, ExtentRuns.copyOf(lattice.get(5), 0, 100_000));
    notChosen("one rank has less", uneven);
    Random random = new Random(1);
    notChosen("irregular", IntStream.range(0, 64).mapToObj(rank -> irregular(random)).toList());
  }

  private static void notChosen(String what, List<ExtentRuns> lists) {
    assertThat(chosen("", REMOTE, lists).algorithm().name()).as(what).isNotEqualTo("transposed");
  }

  private static ExtentRuns irregular(Random random) {
    ExtentRuns.Builder extents = ExtentRuns.builder();
    long at = random.nextInt(1000);
    for (int i = 0; i < 100; i++) {
      long length = 1 + random.nextInt(5000);
      extents.add(at, length);
      at += length + 1 + random.nextInt(9000);
    }
    return extents.build();
  }

  @Test
  void levelsAreOrderedFromRowsOutwards() {
    BlockGrid grid = BlockGrid.find(summaries(LATTICE.lists()));
    assertThat(grid.levels().stream().map(BlockGrid.Level::groupRanks)).containsExactly(4, 16, 64);
    long row = 32 * 576;
    assertThat(grid.levels().stream().map(BlockGrid.Level::extentBytes))
        .containsExactly(8 * row, 8 * 32 * row, 8 * 32 * 32 * row);
    assertThat(grid.ranksIn(1000)).isEqualTo(4);
    assertThat(grid.ranksIn(LATTICE.bytes())).isEqualTo(128);
  }

  @Test
  void everyByteBelongsToOneShareOfItsOwnGroup() {
    Seeds.run(
        60,
        random -> {
          int dimensions = 1 + random.nextInt(4);
          int[] lengths = new int[dimensions];
          int[] block = new int[dimensions];
          for (int d = 0; d < dimensions; d++) {
            lengths[d] = 1 + random.nextInt(3);
            block[d] = 1 + random.nextInt(4);
          }
          ArrayBlocks blocks = new ArrayBlocks(lengths, block, 1 + random.nextInt(5));
          List<ExtentRuns> lists = new ArrayList<>(blocks.lists());
          Collections.shuffle(lists, random);
          if (random.nextBoolean()) {
            lists.add(ExtentRuns.empty());
          }
          BlockGrid grid = BlockGrid.find(summaries(lists));
          if (grid != null) {
            grid.levels().forEach(level -> check(new Transposition(level), lists, blocks));
          }
        });
  }

  private static void check(Transposition shares, List<ExtentRuns> lists, ArrayBlocks blocks) {
    List<ExtentRuns> territories = new ArrayList<>();
    for (int i = 0; i < shares.aggregators(); i++) {
      territories.add(shares.territory(i));
      assertThat(territories.get(i).count()).isLessThanOrEqualTo(shares.extentsOfShare());
    }
    long sum = territories.stream().mapToLong(ExtentRuns::totalBytes).sum();
    assertThat(sum).isEqualTo(blocks.bytes());
    assertThat(ExtentRuns.union(territories).totalBytes()).isEqualTo(sum);
    for (int rank = 0; rank < lists.size(); rank++) {
      long found = 0;
      for (int share : shares.aggregatorsOf(lists.get(rank), rank)) {
        found += shares.portion(lists.get(rank), rank, share).totalBytes();
        assertThat(shares.ranksOf(null, share)).contains(rank);
      }
      assertThat(found).isEqualTo(lists.get(rank).totalBytes());
    }
  }

  @Test
  void sixteenRanksWriteAndReadEveryByte() {
    ArrayBlocks blocks = new ArrayBlocks(new int[] {2, 2, 2, 2}, new int[] {3, 4, 2, 5}, 6);
    for (String way : new String[] {"hyperslab_shared_memory=disable", ""}) {
      Hints hints = Hints.parse("hyperslab_collective=transposed cb_buffer_size=2000 " + way);
      MemoryStore store = new MemoryStore("lattice");
      ThreadWorld.run(
          blocks.ranks(),
          comm -> {
            try (Arena arena = Arena.ofShared();
                CollectiveIo io = CollectiveIo.open(comm, store, hints, REMOTE)) {
              ExtentRuns list = blocks.list(comm.rank());
              MemorySegment memory = arena.allocate(blocks.blockBytes());
              var cursor = list.cursor();
              for (long at = 0; cursor.next(); at += cursor.length()) {
                for (long i = 0; i < cursor.length(); i++) {
                  memory.set(ValueLayout.JAVA_BYTE, at + i, value(cursor.offset() + i));
                }
              }
              CollectiveOutcome written = io.write(list, MemoryExtents.contiguous(memory));
              assertThat(written.algorithm()).startsWith("transposed");
              MemorySegment back = arena.allocate(blocks.blockBytes());
              io.read(list, MemoryExtents.contiguous(back));
              assertThat(back.mismatch(memory)).isEqualTo(-1);
            }
          });
      byte[] file = new byte[(int) blocks.bytes()];
      assertThat(store.size()).isEqualTo(file.length);
      store.read(0, MemorySegment.ofArray(file));
      for (int i = 0; i < file.length; i++) {
        assertThat(file[i]).isEqualTo(value(i));
      }
    }
  }

  private static byte value(long offset) {
    return (byte) (offset * 31 + (offset >>> 8));
  }
}
