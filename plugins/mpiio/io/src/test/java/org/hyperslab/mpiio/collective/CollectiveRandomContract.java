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
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares random accesses by several algorithms with a sequential model. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class CollectiveRandomContract {

  private static final byte FILLER = 99;
  private static final int TIMES = Effort.times(6, 150);

  private final List<String> algorithms;

  /**
   * Creates the tests.
   *
   * @param algorithms values of the hint {@code hyperslab_collective}, with hints that change it
   */
  protected CollectiveRandomContract(String... algorithms) {
    this.algorithms = List.of(algorithms);
  }

  private List<String> algorithms() {
    return algorithms;
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
