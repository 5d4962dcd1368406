package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.SharedObjects;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Tests the schedule cache: equal accesses, in other files and at other offsets. */
final class KeptSchedulesTest {

  private static final byte FILLER = 0x5c;
  private static final List<String> ALGORITHMS =
      List.of(
          "auto",
          "two-phase hyperslab_domains=even",
          "two-phase hyperslab_domains=lustre striping_unit=64",
          "dynamic",
          "static",
          "individual",
          "turns");

  private static final Set<String> EXCHANGES =
      Set.of(
          "allGather",
          "allGatherBytes",
          "allGatherV",
          "allToAll",
          "allToAllV",
          "allReduce",
          "broadcast",
          "barrier",
          "exclusiveScan");

  private final LongAdder again = new LongAdder();
  private final LongAdder planned = new LongAdder();

  @Test
  void consecutiveCheckpointsHaveTheRightBytes() {
    Seeds.runFixed(Effort.times(60, 2000), this::steps);
    assertThat(again.sum()).isGreaterThan(50);
    assertThat(planned.sum()).isGreaterThan(50);
  }

  /** Steps of a program: often the access of the step before, at another place of a new file. */
  private void steps(Random random) {
    int ranks = 1 + random.nextInt(5);
    List<AccessPattern> patterns = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      patterns.add(AccessPattern.random(random, ranks, random.nextInt(50)));
    }
    Hints hints =
        Hints.parse("hyperslab_collective=" + ALGORITHMS.get(random.nextInt(ALGORITHMS.size())))
            .with("cb_buffer_size", Integer.toString(8 + random.nextInt(3000)))
            .with("hyperslab_shared_memory", random.nextBoolean() ? "enable" : "disable");
    long seed = random.nextLong();
    ThreadWorld.of(ranks)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          MemoryStore[] files = new MemoryStore[6];
          for (int step = 0; step < files.length; step++) {
            Random same = Seeds.random(seed, step);
            AccessPattern pattern = patterns.get(same.nextInt(3) / 2);
            long distance = same.nextInt(3) * 1000L - Math.min(pattern.base, same.nextInt(20));
            files[step] = shared(comm, step);
            step(comm, files[step], hints, pattern, distance);
          }
        });
  }

  private MemoryStore shared(Communicator comm, int step) {
    return SharedObjects.share(comm, MemoryStore.class, () -> new MemoryStore("step " + step))
        .orElseThrow();
  }

  private void step(
      Communicator comm, MemoryStore store, Hints hints, AccessPattern pattern, long distance) {
    ExtentRuns list = pattern.lists.get(comm.rank()).moved(distance);
    try (Arena arena = Arena.ofShared();
        CollectiveIo io = CollectiveIo.open(comm, store, hints, FileSystemTraits.local())) {
      MemoryExtents memory = pattern.memory(comm.rank(), arena, FILLER);
      pattern.fill(comm.rank(), memory);
      io.write(list, memory);
      (io.explain().contains("schedule: kept") ? again : planned).increment();
      comm.barrier();
      byte[] after = new byte[AccessPattern.MAX_SPAN];
      long from = pattern.base + distance;
      int there = Math.clamp(store.size() - from, 0, after.length);
      if (there > 0) {
        store.read(from, MemorySegment.ofArray(after).asSlice(0, there));
      }
      assertThat(pattern.wrong(new byte[0], Arrays.copyOf(after, there)))
          .as("%s at %d: %s", pattern, distance, io.explain())
          .isNull();
      MemoryExtents back = pattern.memory(comm.rank(), arena, FILLER);
      io.read(list, back);
      assertThat(AccessPattern.packed(back)).isEqualTo(pattern.expected(comm.rank(), after));
    }
  }

  @Test
  void changedExtentsOfOneRankCauseNewPlans() {
    MemoryStore store = new MemoryStore("changing");
    ThreadWorld.of(3)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          try (CollectiveIo io =
              CollectiveIo.open(comm, store, Hints.defaults(), FileSystemTraits.local())) {
            boolean[] kept = new boolean[4];
            for (int step = 0; step < kept.length; step++) {
              int length = step == 2 && comm.rank() == 1 ? 7 : 8;
              byte[] bytes = new byte[length];
              Arrays.fill(bytes, (byte) (10 * step + comm.rank()));
              io.write(
                  ExtentRuns.of(step * 100L + comm.rank() * 8L, length),
                  MemoryExtents.contiguous(MemorySegment.ofArray(bytes)));
              kept[step] = io.explain().contains("schedule: kept");
            }
            assertThat(kept).containsExactly(false, true, false, true);
            byte[] last = new byte[24];
            store.read(300, MemorySegment.ofArray(last));
            assertThat(last).startsWith(30, 30).endsWith(32, 32).contains(31);
          }
        });
  }

  /** Counts the calls of a communicator. */
  private static Communicator counting(Communicator comm, Map<String, Integer> calls) {
    return (Communicator)
        Proxy.newProxyInstance(
            Communicator.class.getClassLoader(),
            new Class<?>[] {Communicator.class},
            (proxy, method, arguments) -> {
              calls.merge(method.getName(), 1, Integer::sum);
              try {
                return method.invoke(comm, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  @Test
  void ranksAgreeOnARepetitionByOneReduction() {
    MemoryStore store = new MemoryStore("repeated");
    ThreadWorld.of(4)
        .withTimeLimit(Duration.ofMinutes(2))
        .run(comm -> {
          Map<String, Integer> calls = new TreeMap<>();
          Hints hints = Hints.parse("hyperslab_shared_memory=disable hyperslab_collective=dynamic");
          try (CollectiveIo io =
              CollectiveIo.open(counting(comm, calls), store, hints, FileSystemTraits.local())) {
            for (int step = 0; step < 4; step++) {
              ExtentRuns list =
                  comm.rank() == 3
                      ? ExtentRuns.empty()
                      : ExtentRuns.of(step * 100L + comm.rank() * 10L, 10);
              byte[] bytes = new byte[(int) list.totalBytes()];
              Arrays.fill(bytes, (byte) (10 * step + comm.rank() + 1));
              calls.clear();
              io.write(list, MemoryExtents.contiguous(MemorySegment.ofArray(bytes)));
              calls.keySet().retainAll(EXCHANGES);
              assertThat(io.explain().contains("schedule: kept")).isEqualTo(step > 0);
              if (step > 0) {
                assertThat(calls)
                    .as("the agreement to repeat, and the one on success")
                    .isEqualTo(Map.of("allReduce", 2));
              }
            }
          }
        });
    byte[] last = new byte[30];
    store.read(200, MemorySegment.ofArray(last));
    assertThat(last).startsWith(21, 21).endsWith(23, 23).contains(22);
  }

  @Test
  void offersAgreeOnlyIfAllRanksNameOneNumberAndDistance() {
    ExtentRuns list = ExtentRuns.of(1000, 8);
    List<ScheduleCache.Kept> one = List.of(kept(17, list));
    long[] here = ScheduleCache.Offers.of(one, list.moved(600));
    assertThat(agreed(here, ScheduleCache.Offers.of(one, list.moved(600)), 1)).isEqualTo(600);
    assertThat(agreed(here, ScheduleCache.Offers.of(one, list.moved(601)), 1)).isEqualTo(-1);
    assertThat(agreed(here, ScheduleCache.Offers.of(one, list.moved(600)), 512)).isEqualTo(-1);
    assertThat(agreed(here, ScheduleCache.Offers.of(List.of(), list), 1)).isEqualTo(-1);
    List<ScheduleCache.Kept> another = List.of(kept(21, list));
    assertThat(agreed(here, ScheduleCache.Offers.of(another, list.moved(600)), 1)).isEqualTo(-1);
    List<ScheduleCache.Kept> nothing = List.of(kept(17, ExtentRuns.empty()));
    long[] empty = ScheduleCache.Offers.of(nothing, ExtentRuns.empty());
    assertThat(agreed(here, empty, 1)).as("no bytes agree with any distance").isEqualTo(600);
    List<ScheduleCache.Kept> two = List.of(kept(4, list), kept(17, list));
    assertThat(agreed(here, ScheduleCache.Offers.of(two, list.moved(600)), 1)).isEqualTo(600);
  }

  private static ScheduleCache.Kept kept(long number, ExtentRuns list) {
    return new ScheduleCache.Kept(number, null, list, null, "", "", null, 0);
  }

  /** Returns the distance on which two ranks agree; -1 if they do not. */
  private static long agreed(long[] one, long[] other, long unit) {
    long[] least = one.clone();
    Reduction.MIN.accumulate(least, other);
    int at = ScheduleCache.Offers.agreed(least, unit);
    return at < 0 ? -1 : least[at + 2];
  }
}
