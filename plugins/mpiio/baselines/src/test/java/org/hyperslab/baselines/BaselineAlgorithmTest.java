package org.hyperslab.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.plan.AccessSummary;
import org.hyperslab.mpiio.plan.CollectiveAlgorithm;
import org.hyperslab.mpiio.plan.CollectiveInput;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.junit.jupiter.api.Test;

/** Tests what ranks do at the same time in techniques of early parallel I/O. */
final class BaselineAlgorithmTest {

  private static final int RANKS = 6;

  /** Blocks of 100 bytes in turn; a rank has as many hundred bytes as its number and one. */
  private static ExtentRuns list(int rank) {
    return ExtentRuns.strided(rank * 100L, 100, RANKS * 100L, 10L * (rank + 1));
  }

  private static List<Schedule> schedules(CollectiveAlgorithm.Separate algorithm, String words) {
    Hints hints = Hints.parse(words);
    FileSystemTraits fs = FileSystemTraits.local().with(hints);
    AccessSummary[] summaries = new AccessSummary[RANKS];
    ExtentRuns[] lists = new ExtentRuns[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
      lists[rank] = list(rank);
      summaries[rank] =
          AccessSummary.of(lists[rank], -1, new AccessSummary.Circumstances(rank, 0, 0, 0, 0, 0));
    }
    CollectiveInput.Setting setting =
        new CollectiveInput.Setting(hints, fs, new int[] {0, 3}, false);
    List<Schedule> all = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      all.add(algorithm.schedule(new CollectiveInput(rank, true, summaries, lists, setting, true)));
    }
    checkBytes(all);
    return all;
  }

  /** Ranks write all their bytes, and have equally many turns, which end together. */
  private static void checkBytes(List<Schedule> all) {
    int turns = all.getFirst().rounds().size();
    for (Schedule schedule : all) {
      assertThat(schedule.rounds()).hasSize(turns);
      assertThat(schedule.rounds())
          .allSatisfy(turn -> assertThat(turn.getLast()).isInstanceOf(Step.Barrier.class));
      List<ExtentRuns> written = new ArrayList<>();
      for (int turn = 0; turn < turns; turn++) {
        written.addAll(written(schedule, turn));
      }
      assertThat(ExtentRuns.union(written)).isEqualTo(list(schedule.rank()));
    }
  }

  private static List<ExtentRuns> written(Schedule schedule, int turn) {
    List<ExtentRuns> extents = new ArrayList<>();
    for (Step step : schedule.rounds().get(turn)) {
      if (step instanceof Step.Write write) {
        extents.add(write.file());
      }
    }
    return extents;
  }

  private static long bytes(Schedule schedule, int turn) {
    return written(schedule, turn).stream().mapToLong(ExtentRuns::totalBytes).sum();
  }

  @Test
  void dataGroupingBoundsTheBytesInFlight() {
    List<Schedule> all =
        schedules(new BaselineAlgorithm.DataGrouping(), "hyperslab_in_flight=2500");
    long left = 100 * 10 * (1 + 2 + 3 + 4 + 5 + 6);
    for (int turn = 0; turn < all.getFirst().rounds().size(); turn++) {
      int now = turn;
      long inFlight = all.stream().mapToLong(schedule -> bytes(schedule, now)).sum();
      assertThat(inFlight).as("turn %s", turn).isEqualTo(Math.min(2500, left));
      left -= inFlight;
    }
    assertThat(left).isZero();
  }

  @Test
  void groupingBoundsTheRanksAtWork() {
    List<Schedule> hinted = schedules(new BaselineAlgorithm.Grouping(), "hyperslab_group=4");
    assertThat(atWork(hinted)).containsExactly(4L, 2L);
    List<Schedule> byAggregators = schedules(new BaselineAlgorithm.Grouping(), "");
    assertThat(atWork(byAggregators)).containsExactly(2L, 2L, 2L);
  }

  private static List<Long> atWork(List<Schedule> all) {
    List<Long> counts = new ArrayList<>();
    for (int turn = 0; turn < all.getFirst().rounds().size(); turn++) {
      int now = turn;
      counts.add(all.stream().filter(schedule -> bytes(schedule, now) > 0).count());
    }
    return counts;
  }

  @Test
  void windowSlidesOverTheFile() {
    List<Schedule> all = schedules(new BaselineAlgorithm.Sliding(), "hyperslab_block=1000");
    for (int turn = 0; turn < all.getFirst().rounds().size(); turn++) {
      for (Schedule schedule : all) {
        for (ExtentRuns extents : written(schedule, turn)) {
          assertThat(extents.first()).isGreaterThanOrEqualTo(turn * 1000L);
          assertThat(extents.endExclusive()).isLessThanOrEqualTo((turn + 1) * 1000L);
        }
      }
    }
  }

  @Test
  void aWindowOfEachServerSlidesOverItsStripes() {
    int servers = 3;
    long stripe = 200;
    List<Schedule> all =
        schedules(
            new BaselineAlgorithm.ServerWindows(),
            "hyperslab_block=1200 striping_unit=200 striping_factor=3");
    for (int turn = 0; turn < all.getFirst().rounds().size(); turn++) {
      for (Schedule schedule : all) {
        for (ExtentRuns extents : written(schedule, turn)) {
          ExtentList.Cursor cursor = extents.cursor();
          while (cursor.next()) {
            long inServer =
                cursor.offset() / (stripe * servers) * stripe + cursor.offset() % stripe;
            assertThat(inServer / (1200 / servers)).isEqualTo(turn);
          }
        }
      }
    }
  }
}
