package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.SharedObjects;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
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
          "sliding hyperslab_block=3000");

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
}
