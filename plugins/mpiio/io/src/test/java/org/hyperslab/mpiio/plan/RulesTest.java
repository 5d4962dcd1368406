package org.hyperslab.mpiio.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.store.LustreStriping;
import org.hyperslab.mpiio.store.StorageCosts;
import org.junit.jupiter.api.Test;

class RulesTest {

  private static AccessSummary[] summaries(ExtentRuns... lists) {
    AccessSummary.Circumstances here = new AccessSummary.Circumstances(0, 0, 0, 0, 0, 0);
    AccessSummary[] all = new AccessSummary[lists.length];
    for (int rank = 0; rank < all.length; rank++) {
      all[rank] = AccessSummary.of(lists[rank], -1, here);
    }
    return all;
  }

  private static String chosen(String hints, FileSystemTraits fs, ExtentRuns... lists) {
    Hints parsed = Hints.parse(hints);
    AccessSummary[] all = summaries(lists);
    Topology topology = Topology.oneNode(lists.length, 2);
    Aggregators aggregators = Aggregators.choose(parsed, fs, topology, all);
    CollectiveInput.Setting setting =
        new CollectiveInput.Setting(parsed, fs, aggregators.toArray(), false);
    CollectiveInput problem = new CollectiveInput(0, true, all, lists, setting, true);
    return new CollectiveRule(problem, aggregators).choose().algorithm().name();
  }

  @Test
  void collectiveRuleFollowsThePublishedTable() {
    FileSystemTraits lustre =
        new FileSystemTraits("lustre", 1 << 20, 4, 4096, 8 << 20, StorageCosts.REMOTE);
    ExtentRuns large = ExtentRuns.strided(0, 16 << 20, 32 << 20, 4);
    ExtentRuns middle = ExtentRuns.strided(0, 2 << 20, 4 << 20, 4);
    ExtentRuns small = ExtentRuns.strided(0, 1000, 2000, 4);
    assertThat(chosen("", lustre, large, large)).isEqualTo("individual");
    assertThat(chosen("", lustre, middle, middle)).isEqualTo("dynamic");
    assertThat(chosen("", lustre, small, small)).isEqualTo("two-phase");
  }

  @Test
  void hintSelectsTheTable() {
    FileSystemTraits lustre =
        new FileSystemTraits("lustre", 1 << 20, 4, 4096, 8 << 20, StorageCosts.REMOTE);
    ExtentRuns[] pieces = {
      ExtentRuns.strided(0, 1000, 2000, 4), ExtentRuns.strided(1000, 1000, 2000, 4)
    };
    ExtentRuns[] gaps = {
      ExtentRuns.strided(0, 1000, 3000, 4), ExtentRuns.strided(1000, 1000, 3000, 4)
    };
    ExtentRuns[] middle = {ExtentRuns.of(0, 2 << 20), ExtentRuns.of(2 << 20, 2 << 20)};
    ExtentRuns[] large = {ExtentRuns.of(0, 16 << 20), ExtentRuns.of(1 << 30, 16 << 20)};
    String published = "hyperslab_selection=published";
    assertThat(chosen(published, lustre, pieces)).isEqualTo("two-phase");
    assertThat(chosen(published, lustre, gaps)).isEqualTo("static");
    assertThat(chosen(published, lustre, middle)).isEqualTo("dynamic");
    assertThat(chosen(published, lustre, large)).isEqualTo("individual");
    String later = "hyperslab_selection=ompio";
    assertThat(chosen(later, lustre, gaps)).isEqualTo("two-phase");
    assertThat(chosen(later, lustre, middle)).isEqualTo("dynamic");
    assertThat(chosen(later, lustre, large)).isEqualTo("individual");
    assertThatThrownBy(() -> chosen("hyperslab_selection=best", lustre, gaps))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("auto, ompio or published");
  }

  @Test
  void collectiveRuleFollowsHints() {
    FileSystemTraits local = FileSystemTraits.local();
    ExtentRuns small = ExtentRuns.strided(0, 10, 20, 100);
    assertThat(chosen("romio_cb_write=disable", local, small, small)).isEqualTo("individual");
    assertThat(chosen("hyperslab_collective=static", local, small, small)).isEqualTo("static");
    ExtentRuns sparse = ExtentRuns.strided(0, 10, 1000, 100);
    assertThat(chosen("", local, sparse, sparse)).isEqualTo("dynamic");
    assertThat(chosen("romio_cb_write=enable", local, sparse, sparse)).isEqualTo("two-phase");
    assertThat(chosen("", local, small, ExtentRuns.empty())).isEqualTo("individual");
  }

  @Test
  void windowsOnThisMachineEndAtPageBoundaries() {
    BufferSizes sizes = BufferSizes.of(Hints.defaults(), StorageCosts.LOCAL);
    assertThat(sizes.directWindowBytes() % (64 << 10)).isZero();
    assertThat(sizes.windowBytes() % (64 << 10)).isZero();
    BufferSizes small = BufferSizes.of(Hints.parse("cb_buffer_size=5000"), StorageCosts.LOCAL);
    assertThat(small.directWindowBytes()).isEqualTo(5000);
  }

  @Test
  void oneAggregatorPerCoreOnThisMachineAlsoForProcesses() {
    AccessSummary[] all =
        summaries(Collections.nCopies(8, ExtentRuns.of(0, 10)).toArray(ExtentRuns[]::new));
    Topology unbound =
        new Topology(
            Collections.nCopies(8, 0), Collections.nCopies(8, 2), List.of(1, 2, 3, 4, 5, 6, 7, 8));
    assertThat(aggregators("", unbound, all)).containsExactly(0, 4);
    Topology bound =
        new Topology(Collections.nCopies(8, 0), Collections.nCopies(8, 1), unbound.processes());
    assertThat(aggregators("", bound, all)).hasSize(8);
  }

  private static List<Integer> aggregators(String hints, Topology topology, AccessSummary[] all) {
    Hints parsed = Hints.parse(hints);
    FileSystemTraits fs = FileSystemTraits.local().with(parsed);
    return Aggregators.choose(parsed, fs, topology, all).ranks();
  }

  @Test
  void aggregatorsAreSpreadOverNodesAndCores() {
    AccessSummary[] all =
        summaries(
            new ExtentRuns[] {
              ExtentRuns.of(0, 1), ExtentRuns.of(1, 1), ExtentRuns.of(2, 1), ExtentRuns.of(3, 1),
              ExtentRuns.of(4, 1), ExtentRuns.of(5, 1), ExtentRuns.of(6, 1), ExtentRuns.of(7, 1)
            });
    Topology nodes =
        new Topology(List.of(0, 0, 0, 0, 4, 4, 4, 4), List.of(2, 2, 2, 2, 2, 2, 2, 2), List.of());
    assertThat(aggregators("", nodes, all)).containsExactly(0, 2, 4, 6);
    assertThat(aggregators("hyperslab_aggregators=node", nodes, all)).containsExactly(0, 4);
    assertThat(aggregators("cb_nodes=3", nodes, all)).containsExactly(0, 2, 4);
    String rows = "hyperslab_aggregators=cartesian:2x2x2 hyperslab_saturation=";
    assertThat(aggregators(rows + 4, nodes, all)).containsExactly(0, 4);
    assertThatThrownBy(() -> aggregators("hyperslab_aggregators=cartesian:3x2", nodes, all))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("a grid of 8 ranks");
  }

  @Test
  void groupsAreMergedAndSplitByTheSaturationPoint() {
    FileSystemTraits fs = FileSystemTraits.local().saturatedBy(1000);
    Hints hints = Hints.parse("hyperslab_aggregators=ompio");
    ExtentRuns[] apart = new ExtentRuns[6];
    ExtentRuns[] interleaved = new ExtentRuns[6];
    for (int rank = 0; rank < 6; rank++) {
      apart[rank] = ExtentRuns.of(rank * 500L, 500);
      interleaved[rank] = ExtentRuns.strided(rank * 100L, 100, 600, 100);
    }
    Topology one = Topology.oneNode(6, 2);
    Aggregators merged = Aggregators.choose(hints, fs, one, summaries(apart));
    assertThat(merged.ranks()).containsExactly(0, 2, 4);
    assertThat(merged.groups()).containsExactly(0, 0, 1, 1, 2, 2);
    Aggregators split = Aggregators.choose(hints, fs, one, summaries(interleaved));
    assertThat(split.ranks()).hasSize(6);
    Aggregators halves =
        Aggregators.choose(hints, fs.saturatedBy(40_000), one, summaries(interleaved));
    assertThat(halves.groups()).as("above k").containsExactly(0, 0, 0, 1, 1, 1);
    Aggregators whole =
        Aggregators.choose(hints, fs.saturatedBy(60_000), one, summaries(interleaved));
    assertThat(whole.ranks()).containsExactly(0);
  }

  @Test
  void rowsOfAProcessGridAreSplitAndMergedToo() {
    ExtentRuns[] tiles = new ExtentRuns[16];
    for (int rank = 0; rank < 16; rank++) {
      tiles[rank] = ExtentRuns.strided(rank / 4 * 4000L + rank % 4 * 100L, 100, 400, 10);
    }
    Topology one = Topology.oneNode(16, 2);
    String rows = "hyperslab_aggregators=cartesian:4x4 hyperslab_saturation=";
    assertThat(aggregators(rows + 4000, one, summaries(tiles))).containsExactly(0, 4, 8, 12);
    assertThat(aggregators(rows + 2000, one, summaries(tiles)))
        .containsExactly(0, 2, 4, 6, 8, 10, 12, 14);
    assertThat(aggregators(rows + 8000, one, summaries(tiles))).containsExactly(0, 8);
  }

  @Test
  void groupsFollowTheFileAndAggregatorsAreOfTheirGroups() {
    ExtentRuns[] columnMajor = new ExtentRuns[16];
    for (int rank = 0; rank < 16; rank++) {
      columnMajor[rank] = ExtentRuns.strided(rank % 4 * 4000L + rank / 4 * 100L, 100, 400, 10);
    }
    Topology nodes =
        new Topology(
            IntStream.range(0, 16).mapToObj(rank -> rank - rank % 4).toList(),
            Collections.nCopies(16, 4),
            List.of());
    for (String rule : List.of("node", "ompio hyperslab_saturation=4000")) {
      Hints hints = Hints.parse("hyperslab_aggregators=" + rule);
      FileSystemTraits fs = FileSystemTraits.local().with(hints);
      Aggregators chosen = Aggregators.choose(hints, fs, nodes, summaries(columnMajor));
      for (int rank = 0; rank < 16; rank++) {
        assertThat(chosen.groups().get(rank)).as("rank %s", rank).isEqualTo(rank % 4);
      }
      for (int group = 0; group < 4; group++) {
        assertThat(chosen.leaders().get(group) % 4).as("a member").isEqualTo(group);
      }
      assertThat(chosen.leaders().stream().map(rank -> rank / 4))
          .as("nodes")
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void blockDomainsDivideWhatIsWrittenAmongAllRanks() {
    ExtentRuns[] lists = new ExtentRuns[8];
    for (int rank = 0; rank < 8; rank++) {
      lists[rank] = ExtentRuns.of((8 << 20) + (rank << 16), 1 << 16);
    }
    Hints hints = Hints.parse("hyperslab_collective=two-phase hyperslab_domains=block");
    AccessSummary[] all = summaries(lists);
    FileSystemTraits fs = FileSystemTraits.local();
    Aggregators aggregators = Aggregators.choose(hints, fs, Topology.oneNode(8, 2), all);
    CollectiveInput.Setting setting =
        new CollectiveInput.Setting(hints, fs, aggregators.toArray(), false);
    CollectiveInput problem = new CollectiveInput(0, true, all, lists, setting, true);
    CollectiveAlgorithm.Aggregated algorithm =
        (CollectiveAlgorithm.Aggregated)
            new CollectiveRule(problem, aggregators).choose().algorithm();
    for (int rank = 0; rank < 8; rank++) {
      assertThat(algorithm.partition().territory(rank)).isEqualTo(lists[rank]);
    }
  }

  @Test
  void hostListPlacesAggregators() {
    AccessSummary[] all =
        summaries(Collections.nCopies(6, ExtentRuns.of(0, 10)).toArray(ExtentRuns[]::new));
    Topology two =
        new Topology(
            List.of(0, 0, 0, 3, 3, 3),
            Collections.nCopies(6, 3),
            List.of(),
            List.of(host("a"), host("a"), host("a"), host("b"), host("b"), host("b")));
    assertThat(listed("b:2", two, all)).containsExactly(3, 4);
    assertThat(listed("*:1", two, all)).containsExactly(0, 3);
    assertThat(listed("b:*,*", two, all)).containsExactly(3, 4, 5, 0);
    Hints few = Hints.defaults().with(Hints.CB_CONFIG_LIST, "*:2").with("cb_nodes", "3");
    assertThat(Aggregators.choose(few, FileSystemTraits.local(), two, all).ranks())
        .containsExactly(0, 1, 3);
    assertThatThrownBy(() -> listed("c", two, all))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("cb_config_list=c, which allows no rank");
  }

  private static long host(String name) {
    return Topology.host(name);
  }

  private static List<Integer> listed(String list, Topology topology, AccessSummary[] all) {
    Hints hints = Hints.defaults().with(Hints.CB_CONFIG_LIST, list);
    return Aggregators.choose(hints, FileSystemTraits.local(), topology, all).ranks();
  }

  @Test
  void readsLustreStripingFromTheCommand() {
    FileSystemTraits traits =
        LustreStriping.parse(
            "dir\nstripe_count:  4 stripe_size:   1048576 pattern: raid0 stripe_offset: -1",
            FileSystemTraits.local());
    assertThat(traits.stripeBytes()).isEqualTo(1 << 20);
    assertThat(traits.stripes()).isEqualTo(4);
    assertThat(traits.isStriped()).isTrue();
    assertThat(LustreStriping.parse("error", FileSystemTraits.local()).isStriped()).isFalse();
  }

  @Test
  void transferRuleSkipsOrSievesDenseReadsAndNoWrites() {
    TransferRule rule = new TransferRule(Hints.defaults(), StorageCosts.LOCAL);
    ExtentRuns dense = ExtentRuns.strided(0, 100, 200, 10_000);
    ExtentRuns sparse = ExtentRuns.strided(0, 100, 1 << 20, 100);
    assertThat(rule.forRead(dense).transfer().name()).isEqualTo("skipping");
    TransferRule distant = new TransferRule(Hints.defaults(), StorageCosts.REMOTE);
    assertThat(distant.forRead(dense).transfer().name()).isEqualTo("sieving");
    assertThat(rule.forRead(sparse).transfer().name()).isEqualTo("positional");
    assertThat(rule.forWrite(dense).transfer().name()).isEqualTo("positional");
    TransferRule lists = new TransferRule(Hints.defaults(), StorageCosts.REMOTE.withLists());
    assertThat(lists.forWrite(dense).transfer().name()).isEqualTo("list");
    TransferRule hinted =
        new TransferRule(Hints.parse("romio_ds_write=enable"), StorageCosts.LOCAL);
    assertThat(hinted.forWrite(dense).toString()).contains("sieving: asked for");
  }
}
