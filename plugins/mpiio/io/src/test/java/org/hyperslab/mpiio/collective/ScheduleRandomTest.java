package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.plan.AccessSummary;
import org.hyperslab.mpiio.plan.Aggregators;
import org.hyperslab.mpiio.plan.BufferSizes;
import org.hyperslab.mpiio.plan.CollectiveAlgorithm;
import org.hyperslab.mpiio.plan.CollectiveInput;
import org.hyperslab.mpiio.plan.CollectiveRule;
import org.hyperslab.mpiio.plan.Cycles;
import org.hyperslab.mpiio.plan.Planner;
import org.hyperslab.mpiio.plan.Topology;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks schedules as values: what all ranks would do, without running anything. */
class ScheduleRandomTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "two-phase hyperslab_domains=even",
        "two-phase hyperslab_domains=aligned striping_unit=512",
        "two-phase hyperslab_domains=lustre striping_unit=64",
        "two-phase hyperslab_domains=block",
        "two-phase hyperslab_domains=layout striping_unit=100 striping_factor=3",
        "two-phase hyperslab_domains=cyclic hyperslab_block=77",
        "two-phase hyperslab_messages=unpacked",
        "two-phase hyperslab_domains=group-cyclic striping_unit=100 striping_factor=2",
        "two-phase hyperslab_domains=lustre striping_unit=64 striping_factor=6",
        "two-phase hyperslab_domains=balanced",
        "two-phase hyperslab_domains=random hyperslab_block=99",
        "dynamic",
        "static",
        "static hyperslab_messages=unpacked",
        "dynamic hyperslab_aggregators=ompio"
      })
  void everyByteIsWrittenOnceByAnAggregatorThatReceivedIt(String words) {
    Seeds.runFixed(
        100,
        random -> {
          AccessPattern pattern = disjoint(random);
          List<CollectiveInput> problems = new ArrayList<>();
          List<Schedule> schedules = schedules(pattern, words, random, problems);
          checkMessages(schedules);
          checkWrites(pattern, schedules, problems.get(0).setting().aggregators());
          assertThat(schedules).isEqualTo(again(problems, words));
        });
  }

  /** A pattern in which no byte belongs to two ranks. */
  private static AccessPattern disjoint(Random random) {
    while (true) {
      AccessPattern pattern = AccessPattern.random(random);
      long sum = pattern.lists.stream().mapToLong(ExtentRuns::totalBytes).sum();
      if (ExtentRuns.union(pattern.lists).totalBytes() == sum) {
        return pattern;
      }
    }
  }

  private static List<Schedule> schedules(
      AccessPattern pattern, String words, Random random, List<CollectiveInput> problems) {
    Hints hints =
        Hints.parse("hyperslab_collective=" + words)
            .with("romio_ds_write", "disable")
            .with("cb_buffer_size", Integer.toString(64 + random.nextInt(3000)));
    if (!words.contains("ompio")) {
      hints = hints.with("cb_nodes", Integer.toString(1 + random.nextInt(4)));
    }
    FileSystemTraits fs = FileSystemTraits.local().with(hints);
    AccessSummary[] summaries = new AccessSummary[pattern.ranks()];
    for (int rank = 0; rank < summaries.length; rank++) {
      AccessSummary.Circumstances here = new AccessSummary.Circumstances(rank, 0, 0, 0, 0, 0);
      summaries[rank] = AccessSummary.of(pattern.lists.get(rank), -1, here);
    }
    Topology topology = Topology.oneNode(summaries.length, 2);
    Aggregators chosen = Aggregators.choose(hints, fs, topology, summaries);
    boolean grouped = !words.startsWith("two-phase");
    int[] aggregators = grouped ? chosen.leadersArray() : chosen.toArray();
    if (random.nextBoolean()) {
      // The assignment of parts of the file to ranks does not change the written bytes.
      permute(aggregators, pattern.ranks(), random);
    }
    CollectiveInput.Setting setting = new CollectiveInput.Setting(hints, fs, aggregators, false);
    for (int rank = 0; rank < summaries.length; rank++) {
      ExtentRuns[] lists = pattern.lists.toArray(ExtentRuns[]::new);
      boolean contiguous = random.nextBoolean();
      problems.add(new CollectiveInput(rank, true, summaries, lists, setting, contiguous));
    }
    return again(problems, words);
  }

  /** Puts any other ranks in the places of aggregators. */
  private static void permute(int[] aggregators, int ranks, Random random) {
    List<Integer> all = new ArrayList<>(IntStream.range(0, ranks).boxed().toList());
    Collections.shuffle(all, random);
    Arrays.setAll(aggregators, all::get);
  }

  private static List<Schedule> again(List<CollectiveInput> problems, String words) {
    List<Schedule> schedules = new ArrayList<>();
    for (CollectiveInput problem : problems) {
      CollectiveInput.Setting setting = problem.setting();
      Topology topology = Topology.oneNode(problem.size(), 2);
      Aggregators aggregators =
          Aggregators.choose(setting.hints(), setting.fs(), topology, problem.summaries());
      CollectiveAlgorithm chosen = new CollectiveRule(problem, aggregators).choose().algorithm();
      assertThat(words).startsWith(chosen.name());
      CollectiveAlgorithm.Aggregated algorithm = (CollectiveAlgorithm.Aggregated) chosen;
      BufferSizes sizes = BufferSizes.of(setting.hints(), setting.fs().costs());
      Cycles cycles = Planner.cycles(problem, algorithm, sizes);
      schedules.add(Planner.exchange(problem, algorithm, cycles, sizes));
    }
    return schedules;
  }

  /** Requires that each message that a rank sends is received by its target. */
  private static void checkMessages(List<Schedule> schedules) {
    Map<String, Deque<Long>> sent = new HashMap<>();
    IntFunction<Deque<Long>> none = i -> new ArrayDeque<>();
    for (Schedule schedule : schedules) {
      for (Step step : schedule.steps()) {
        if (step instanceof Step.Send send) {
          String lane = schedule.rank() + ">" + send.destination();
          sent.computeIfAbsent(lane, absent -> none.apply(0)).add(send.length());
        }
      }
    }
    for (Schedule schedule : schedules) {
      for (Step step : schedule.steps()) {
        if (step instanceof Step.Receive receive) {
          String lane = receive.source() + ">" + schedule.rank();
          assertThat(sent).containsKey(lane);
          assertThat(sent.get(lane).poll()).as(lane).isEqualTo(receive.length());
        }
      }
    }
    assertThat(sent.values()).allSatisfy(left -> assertThat(left).isEmpty());
  }

  private static void checkWrites(
      AccessPattern pattern, List<Schedule> schedules, int[] aggregators) {
    int[] times = new int[pattern.span];
    for (Schedule schedule : schedules) {
      for (Step step : schedule.steps()) {
        if (step instanceof Step.Write write) {
          assertThat(aggregators).contains(schedule.rank());
          assertThat(write.from()).isNotInstanceOf(ByteLocation.Peer.class);
          count(pattern, write.file(), times);
        }
      }
    }
    int[] wanted = new int[pattern.span];
    pattern.lists.forEach(list -> count(pattern, list, wanted));
    assertThat(times).as("%s", pattern).isEqualTo(wanted);
  }

  private static void count(AccessPattern pattern, ExtentRuns list, int[] times) {
    ExtentList.Cursor cursor = list.cursor();
    while (cursor.next()) {
      for (long i = 0; i < cursor.length(); i++) {
        times[(int) (cursor.offset() + i - pattern.base)]++;
      }
    }
  }
}
