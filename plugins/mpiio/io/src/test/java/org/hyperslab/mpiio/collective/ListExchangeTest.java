package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.driver.StepContext;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.plan.AccessSummary;
import org.hyperslab.mpiio.plan.CollectiveInput;
import org.hyperslab.mpiio.plan.Topology;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that ranks send their lists of extents only to aggregators of their bytes. */
final class ListExchangeTest {

  private static final int RANKS = 8;
  private static final long RANGE = 100_000;

  /** Extents that are too irregular for a summary, in a part of the file for each rank. */
  private static ExtentRuns irregular(int rank) {
    Random random = new Random(rank);
    ExtentRuns.Builder extents = ExtentRuns.builder();
    long at = rank * RANGE;
    for (int i = 0; i < 50; i++) {
      long length = 1 + random.nextInt(500);
      extents.add(at, length);
      at += length + 1 + random.nextInt(900);
    }
    return extents.build();
  }

  private static AccessSummary[] summaries() {
    AccessSummary[] all = new AccessSummary[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
      AccessSummary.Circumstances here =
          new AccessSummary.Circumstances(rank + 1, 0, 1, 0, 4096, 0);
      all[rank] = AccessSummary.of(irregular(rank), -1, here);
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "dynamic cb_nodes=4, false",
    "dynamic cb_nodes=4, true",
    "static cb_nodes=2, false",
    "static cb_nodes=2, true",
    "two-phase cb_nodes=4 hyperslab_domains=even, false",
    "two-phase cb_nodes=4 hyperslab_domains=even, true"
  })
  void listsStayWithinGroups(String words, boolean reachEachOther) {
    Hints hints = Hints.parse("hyperslab_collective=" + words);
    List<Integer> processes =
        reachEachOther ? IntStream.rangeClosed(1, RANKS).boxed().toList() : List.of();
    Topology topology =
        new Topology(Collections.nCopies(RANKS, 0), Collections.nCopies(RANKS, 2), processes);
    FileSystemTraits fs = FileSystemTraits.local().with(hints);
    int group = RANKS / hints.buffering().nodes();
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          ExtentRuns[] lists = new ExtentRuns[RANKS];
          lists[comm.rank()] = irregular(comm.rank());
          CollectiveInput.Setting setting =
              new CollectiveInput.Setting(hints, fs, new int[0], false);
          RankGroup ranks =
              new RankGroup(topology, DomainAssignments.agreed(comm, hints, topology), fs);
          CollectiveCall call =
              new CollectiveCall(
                  comm,
                  new CollectiveInput(comm.rank(), true, summaries(), lists, setting, true),
                  ranks,
                  null,
                  StepContext.Peers.none(RANKS, null),
                  () -> {});
          Step first = call.schedule(UnaryOperator.identity()).steps().getFirst();
          assertThat(first).isInstanceOf(Step.ExchangeAll.class);
          long[][] forRank = ((Step.ExchangeAll) first).forRank();
          int receivers = 0;
          for (int other = 0; other < RANKS; other++) {
            if (forRank[other].length > 0) {
              receivers++;
              assertThat(other / group).as("the group of %s", other).isEqualTo(comm.rank() / group);
            }
          }
          assertThat(receivers).as("its aggregator, unless it is one itself").isLessThan(2);
        });
  }
}
