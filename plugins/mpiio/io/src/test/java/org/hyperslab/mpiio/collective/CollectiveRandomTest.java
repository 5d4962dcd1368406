package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares random accesses by every algorithm with a sequential model. */
class CollectiveRandomTest {

  private static final byte FILLER = 99;
  private static final int TIMES = Effort.times(6, 150);

  /** Tests every algorithm with random accesses, and with the hints that change it. */
  private static List<String> algorithms() {
    return List.of(
        "individual",
        "individual hyperslab_transfer=sieving ind_wr_buffer_size=100 ind_rd_buffer_size=100",
        "individual hyperslab_transfer=list",
        "two-phase hyperslab_domains=even",
        "two-phase hyperslab_domains=aligned striping_unit=512",
        "two-phase hyperslab_domains=lustre striping_unit=64",
        "two-phase hyperslab_domains=block",
        "two-phase hyperslab_domains=layout striping_unit=100 striping_factor=3",
        "two-phase hyperslab_domains=cyclic hyperslab_block=77",
        "two-phase hyperslab_assignment=romio",
        "two-phase hyperslab_assignment=latp hyperslab_domains=even",
        "two-phase hyperslab_assignment=tatp hyperslab_machine=crill hyperslab_domains=lustre"
            + " striping_unit=64",
        "two-phase hyperslab_assignment=tapioca hyperslab_machine=mira",
        "dynamic",
        "static",
        "dynamic hyperslab_aggregators=ompio",
        "naive",
        "grouping",
        "random",
        "sliding hyperslab_block=3000",
        "sliding-servers hyperslab_block=3000 striping_unit=100 striping_factor=3",
        "data-grouping hyperslab_in_flight=5000",
        "grouping hyperslab_group=2",
        "two-phase hyperslab_messages=unpacked",
        "two-phase hyperslab_domains=group-cyclic striping_unit=100 striping_factor=2",
        "auto");
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void writesEveryByteAndNoOther(String hints) {
    Seeds.runFixed(
        TIMES,
        random -> {
          AccessPattern pattern = AccessPattern.random(random);
          byte[] before = new byte[random.nextInt(2 * pattern.span)];
          random.nextBytes(before);
          MemoryStore store = new MemoryStore("collective-write");
          store.write(pattern.base, MemorySegment.ofArray(before));
          write(pattern, store, hints(random, hints));
          byte[] after = new byte[(int) Math.max(0, store.size() - pattern.base)];
          store.read(store.size() - after.length, MemorySegment.ofArray(after));
          assertThat(pattern.wrong(before, after)).as("%s", pattern).isNull();
        });
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void readsOnlyExistingBytes(String hints) {
    Seeds.runFixed(
        TIMES,
        random -> {
          AccessPattern pattern = AccessPattern.random(random);
          byte[] content = new byte[pattern.span];
          random.nextBytes(content);
          MemoryStore store = new MemoryStore("collective-read");
          store.write(pattern.base, MemorySegment.ofArray(content));
          Hints chosen = hints(random, hints);
          ThreadWorld.run(
              pattern.ranks(),
              comm -> {
                try (Arena arena = Arena.ofConfined();
                    CollectiveIo io =
                        CollectiveIo.open(comm, store, chosen, FileSystemTraits.local())) {
                  MemoryExtents memory = pattern.memory(comm.rank(), arena, FILLER);
                  io.read(pattern.lists.get(comm.rank()), memory);
                  assertThat(AccessPattern.packed(memory))
                      .as("%s", pattern)
                      .isEqualTo(pattern.expected(comm.rank(), content));
                  assertThat(AccessPattern.changed(memory, FILLER))
                      .isLessThanOrEqualTo(memory.totalBytes());
                }
              });
        });
  }

  private static void write(AccessPattern pattern, MemoryStore store, Hints hints) {
    ThreadWorld.run(
        pattern.ranks(),
        comm -> {
          try (Arena arena = Arena.ofConfined();
              CollectiveIo io = CollectiveIo.open(comm, store, hints, FileSystemTraits.local())) {
            MemoryExtents memory = pattern.memory(comm.rank(), arena, FILLER);
            pattern.fill(comm.rank(), memory);
            io.write(pattern.lists.get(comm.rank()), memory);
          }
        });
  }

  /** The hints of a test's words, with random sizes and aggregators. */
  private static Hints hints(Random random, String words) {
    Hints hints = Hints.parse("hyperslab_collective=" + words);
    hints = hints.with("cb_buffer_size", Integer.toString(8 + random.nextInt(3000)));
    hints =
        hints.with("cb_nodes", Integer.toString(words.contains("ompio") ? 0 : random.nextInt(5)));
    String shared = random.nextBoolean() ? "enable" : "disable";
    return hints.with("hyperslab_shared_memory", shared);
  }
}
