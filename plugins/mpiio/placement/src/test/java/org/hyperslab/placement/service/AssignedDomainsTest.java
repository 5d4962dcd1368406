package org.hyperslab.placement.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.collective.CollectiveIo;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests file domains assigned by a hint: the explanation, the written bytes, and invalid hints. */
class AssignedDomainsTest {

  private static final int RANKS = 6;
  private static final int BLOCK = 8192;

  /**
   * Rank r writes block 5 - r, so that the lowest part of the file belongs to the highest ranks.
   */
  private static String[] write(MemoryStore store, String hints) {
    Hints parsed =
        Hints.parse("hyperslab_collective=two-phase cb_nodes=3 hyperslab_domains=even " + hints);
    String[] explained = new String[RANKS];
    ThreadWorld.run(
        RANKS,
        comm -> {
          try (Arena arena = Arena.ofConfined();
              CollectiveIo io = CollectiveIo.open(comm, store, parsed, FileSystemTraits.local())) {
            MemorySegment data = arena.allocate(BLOCK).fill((byte) (comm.rank() + 1));
            long offset = (long) (RANKS - 1 - comm.rank()) * BLOCK;
            io.write(ExtentRuns.of(offset, BLOCK), MemoryExtents.contiguous(data));
            explained[comm.rank()] = io.explain();
          }
        });
    return explained;
  }

  @ParameterizedTest
  @ValueSource(strings = {"latp", "tatp", "tapioca"})
  void domainsAreAssignedToRanksWithTheirBytes(String rule) {
    for (String shared : new String[] {"enable", "disable"}) {
      MemoryStore store = new MemoryStore("assigned-" + rule + shared);
      String[] explained =
          write(store, "hyperslab_shared_memory=" + shared + " hyperslab_assignment=" + rule);
      assertThat(explained).allMatch(text -> text.contains("\n  assignment: " + rule + ": "));
      String ranks = explained[0].split("aggregators: ranks ", -1)[1].split(" \\(", -1)[0];
      int[] owners =
          Arrays.stream(ranks.substring(1, ranks.length() - 1).split(", ", -1))
              .mapToInt(Integer::parseInt)
              .toArray();
      assertThat(owners).hasSize(3);
      for (int domain = 0; domain < 3; domain++) {
        // Blocks 2d and 2d + 1 belong to ranks 5 - 2d and 4 - 2d.
        assertThat(owners[domain]).isBetween(4 - 2 * domain, 5 - 2 * domain);
      }
      checkContent(store);
    }
  }

  @Test
  void romioUsesTheOrderOfAggregators() {
    MemoryStore store = new MemoryStore("assigned-romio");
    String[] explained = write(store, "hyperslab_assignment=romio");
    assertThat(explained[0])
        .contains("aggregators: ranks [0, 2, 4]")
        .contains("assignment: romio: ")
        .contains(" hop-bytes, at most 0 bytes over a link");
    checkContent(store);
    assertThat(write(store, "")[0]).contains("ranks [0, 2, 4]").doesNotContain("assignment");
  }

  private static void checkContent(MemoryStore store) {
    byte[] content = new byte[RANKS * BLOCK];
    store.read(0, MemorySegment.ofArray(content));
    for (int i = 0; i < content.length; i++) {
      assertThat(content[i]).isEqualTo((byte) (RANKS - i / BLOCK));
    }
  }

  @Test
  void nodesOfTheJobAreTheFirstOfTheMachine() {
    List<List<Integer>> nodes = List.of(List.of(0, 2), List.of(1, 3, 4));
    RankMap crill = DescribedMachines.map("crill", nodes);
    assertThat(crill.toArray()).containsExactly(0, 48, 1, 49, 50);
    RankMap auto = DescribedMachines.map("auto", nodes);
    assertThat(auto.toArray()).containsExactly(0, 3, 1, 4, 5);
    assertThat(auto.hops(0, 1)).isEqualTo(2);
  }

  @Test
  void wrongHintsFailOnAllRanks() {
    for (String hints :
        new String[] {
          "hyperslab_assignment=best", "hyperslab_assignment=tatp hyperslab_machine=nowhere"
        }) {
      assertThatThrownBy(() -> write(new MemoryStore("assigned-wrong"), hints))
          .as(hints)
          .isInstanceOf(HyperslabException.class)
          .hasMessageContaining("expected=");
    }
    List<List<Integer>> scattered = List.of(List.of(0), List.of(1), List.of(2));
    assertThatThrownBy(() -> DescribedMachines.map("this", scattered))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("1 nodes, expected=at least 3");
  }
}
