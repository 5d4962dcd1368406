package org.hyperslab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MessageCosts;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.ServerCosts;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares searched hints with those of an exhaustive search, both in virtual time. */
final class HintSearchTest {

  private static final int RANKS = 64;
  private static final int NODES = 8;

  /** Few servers with dear requests, many with cheap ones, and one without stripes. */
  private static StorageServers store(String name) {
    return switch (name) {
      case "few" -> new StorageServers(4, 1 << 20, 0.3e9, new ServerCosts(5e6, 0, 0, 1), 2e9);
      case "many" -> new StorageServers(32, 1 << 18, 1e9, new ServerCosts(1e5, 0, 0, 1), 4e9);
      default -> new StorageServers(1, 1L << 40, 2e9, new ServerCosts(1e6, 0, 0, 1), 2e9);
    };
  }

  private static SimulatedJob job(String store) {
    Machine base = Machine.oneSwitch("test", NODES, RANKS / NODES);
    MessageCosts messages = new MessageCosts(1000, 100);
    Machine machine =
        new Machine("test", base.network(), base.node(), messages, List.of(), store(store));
    return new SimulatedJob(
        RankMap.bySlot(machine, RANKS), Hints.defaults(), UnstatedCosts.DEFAULT);
  }

  private static SimulatedJob.Access contiguous(int rank, long bytes) {
    return new SimulatedJob.Access(FileView.bytes(), rank * bytes, bytes);
  }

  /** Blocks of a rank at equal distances, which those of the other ranks fill. */
  private static SimulatedJob.Access interleaved(int rank, long bytes, int blocks, int gaps) {
    DerivedType block = DerivedType.contiguous(bytes, DerivedType.BYTE);
    DerivedType type = DerivedType.resized(0, bytes * RANKS * gaps, block);
    return new SimulatedJob.Access(
        FileView.of(rank * bytes * gaps, DerivedType.BYTE, type), 0, bytes * blocks);
  }

  private static IntFunction<SimulatedJob.Access> kernel(String name) {
    return switch (name) {
      case "small blocks" -> rank -> contiguous(rank, 10_000);
      case "blocks" -> rank -> contiguous(rank, 1_000_000);
      case "large blocks" -> rank -> contiguous(rank, 30_000_000);
      case "rows" -> rank -> interleaved(rank, 4_000, 100, 1);
      case "small rows" -> rank -> interleaved(rank, 200, 500, 1);
      case "long rows" -> rank -> interleaved(rank, 500_000, 10, 1);
      case "rows with gaps" -> rank -> interleaved(rank, 4_000, 50, 4);
      default -> rank -> contiguous(rank, rank % 8 == 0 ? 4_000_000 : 1000);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "small blocks,few", "small blocks,many", "small blocks,one",
    "blocks,few", "blocks,many", "blocks,one",
    "large blocks,few", "large blocks,many", "large blocks,one",
    "rows,few", "rows,many", "rows,one",
    "small rows,few", "small rows,many", "small rows,one",
    "long rows,few", "long rows,many", "long rows,one",
    "rows with gaps,few", "rows with gaps,many", "rows with gaps,one",
    "uneven blocks,few", "uneven blocks,many", "uneven blocks,one"
  })
  void foundHintsAreWithinATenthOfTheBestOfAll(String kernel, String store) {
    SimulatedJob job = job(store);
    IntFunction<SimulatedJob.Access> accesses = kernel(kernel);
    List<Map<String, String>> all = HintSearch.combinations(job);
    double best =
        all.stream()
            .mapToDouble(hints -> HintSearch.seconds(job, true, accesses, hints))
            .min()
            .orElseThrow();
    HintSearch.Found found = HintSearch.of(job, true, accesses);
    assertThat(found.seconds())
        .as("%s after %d of %d", found.hints(), found.simulated().size(), all.size())
        .isBetween(best, 1.1 * best);
    assertThat(found.simulated()).hasSizeLessThanOrEqualTo(40).containsKey(Map.of());
  }
}
