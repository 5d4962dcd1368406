package org.hyperslab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.assertj.core.data.Percentage;
import org.hyperslab.machine.IoNode;
import org.hyperslab.machine.Level;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MachineDescription;
import org.hyperslab.machine.MessageCosts;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.ServerCosts;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.junit.jupiter.api.Test;

/** Compares the times of requests with closed forms: a byte takes a nanosecond at a server. */
final class StorageTimesTest {

  private static final ByteLocation HERE = new ByteLocation.Memory(0);
  private static final UnstatedCosts COSTS = new UnstatedCosts(7_000, 1e9, 1e18);

  private static RankMap nodes(int count, StorageServers servers, IoNode... ioNodes) {
    Machine base = Machine.oneSwitch("test", count, 1);
    Machine machine =
        new Machine(
            "test", base.network(), base.node(), MessageCosts.NONE, List.of(ioNodes), servers);
    return RankMap.bySlot(machine, count);
  }

  private static StorageServers servers(int count, ServerCosts costs) {
    return new StorageServers(count, 1000, 1e9, costs, 1e18);
  }

  private static double[] run(RankMap ranks, IntFunction<List<Step>> steps) {
    return SimulatedDriver.run(
            new SimulatedDriver.Setting(ranks, COSTS),
            rank -> new Schedule("test", rank, List.of(steps.apply(rank))),
            null)
        .rankNanos();
  }

  private static List<Step> write(ExtentRuns extents) {
    return List.of(new Step.Write(extents, HERE));
  }

  @Test
  void requestOccupiesItsServerForItsCost() {
    RankMap ranks = nodes(4, servers(1, new ServerCosts(5000, 0, 0, 1)));
    assertThat(run(ranks, rank -> write(ExtentRuns.of(rank * 100L, 100))))
        .containsExactly(5100, 10_200, 15_300, 20_400);
    RankMap unstated = nodes(1, servers(1, ServerCosts.UNKNOWN));
    assertThat(run(unstated, rank -> write(ExtentRuns.of(0, 100)))).containsExactly(7100);
  }

  @Test
  void manyRanksAreNoFasterThanTheirServersServeRequests() {
    ServerCosts costs = new ServerCosts(5000, 0, 0, 1);
    for (int count : new int[] {1, 16, 256}) {
      RankMap ranks = nodes(count, servers(4, costs));
      int each = 1024 / count;
      double[] nanos =
          run(ranks, rank -> write(ExtentRuns.strided(rank * 200L, 100, count * 200L, each)));
      double last = Arrays.stream(nanos).max().orElseThrow();
      // 1024 requests of 100 bytes on four servers; one rank makes them one after the other.
      assertThat(last).isGreaterThanOrEqualTo(1024 * 5100 / 4.0);
    }
  }

  @Test
  void seekIsAddedUnlessARequestBeginsWhereTheLastOneEnded() {
    RankMap ranks = nodes(1, servers(1, new ServerCosts(0, 300, 0, 1)));
    assertThat(run(ranks, rank -> write(ExtentRuns.strided(0, 100, 200, 3))))
        .containsExactly(3 * 400);
    List<Step> ahead =
        List.of(write(ExtentRuns.of(0, 100)), write(ExtentRuns.of(100, 100))).stream()
            .flatMap(List::stream)
            .toList();
    assertThat(run(ranks, rank -> ahead)).as("one seek").containsExactly(300 + 200);
    RankMap two = nodes(1, servers(2, new ServerCosts(0, 300, 0, 1)));
    List<Step> stripes = new ArrayList<>(write(ExtentRuns.of(0, 2000)));
    stripes.addAll(write(ExtentRuns.of(2000, 2000)));
    assertThat(run(two, rank -> stripes))
        .as("stripes of a server follow each other")
        .containsExactly(300 + 1000 + 1000);
  }

  @Test
  void lockOfAStripeIsTakenFromTheNodeThatHasWrittenItLast() {
    RankMap ranks = nodes(2, servers(1, new ServerCosts(0, 0, 400, 1)));
    // Both write to stripe 0: the second takes its lock.
    assertThat(run(ranks, rank -> write(ExtentRuns.of(rank * 100L, 100))))
        .containsExactly(100, 100 + 400 + 100);
    assertThat(run(ranks, rank -> write(ExtentRuns.of(rank * 1000L, 100))))
        .as("different stripes")
        .containsExactly(100, 200);
  }

  @Test
  void partOfABlockIsReadBeforeItIsWritten() {
    RankMap ranks = nodes(1, servers(1, new ServerCosts(0, 0, 0, 50)));
    assertThat(run(ranks, rank -> write(ExtentRuns.of(0, 100)))).containsExactly(100);
    assertThat(run(ranks, rank -> write(ExtentRuns.of(10, 100)))).containsExactly(50 + 100 + 50);
    assertThat(run(ranks, rank -> write(ExtentRuns.of(10, 20)))).containsExactly(50 + 20);
    assertThat(run(ranks, rank -> List.of(new Step.Read(ExtentRuns.of(10, 20), HERE, false))))
        .as("reads do not")
        .containsExactly(20);
  }

  @Test
  void linkOfANodeIsSharedByItsRequests() {
    StorageServers slow = new StorageServers(4, 1000, 1e9, new ServerCosts(0, 0, 0, 1), 1e8);
    assertThat(run(nodes(1, slow), rank -> write(ExtentRuns.of(0, 4000))))
        .as("10 ns a byte over the link, four servers of 1 ns a byte")
        .containsExactly(40_000);
    Machine base = Machine.oneSwitch("test", 1, 2);
    Machine machine = new Machine("test", base.network(), base.node(), List.of(), slow);
    assertThat(run(RankMap.bySlot(machine, 2), rank -> write(ExtentRuns.of(rank * 1000L, 1000))))
        .containsExactly(10_000, 20_000);
  }

  @Test
  void ioNodePassesOnWhatItStates() {
    Level link = new Level("I/O node", 1.8e9, 0);
    StorageServers fast = new StorageServers(1, 1 << 30, 1e12, new ServerCosts(0, 0, 0, 1), 1e18);
    IoNode pset = new IoNode(0, 4, List.of(0, 2), link, 2.8e9);
    double[] nanos =
        run(nodes(4, fast, pset), rank -> write(ExtentRuns.of(rank * 7_000_000L, 7_000_000)));
    assertThat(nanos[3]).isCloseTo(28e6 / 2.8, Percentage.withPercentage(0.1));
    IoNode links = new IoNode(0, 4, List.of(0, 2), link);
    nanos = run(nodes(4, fast, links), rank -> write(ExtentRuns.of(rank * 9_000_000L, 9_000_000)));
    assertThat(nanos[3]).isCloseTo(36e6 / 3.6, Percentage.withPercentage(0.1));
  }

  private static double gigabytesPerSecond(Machine machine, int ranks, String hints) {
    SimulatedJob job =
        new SimulatedJob(RankMap.bySlot(machine, ranks), Hints.parse(hints), UnstatedCosts.DEFAULT);
    long each = 4L << 20;
    double seconds =
        job.write(rank -> new SimulatedJob.Access(FileView.bytes(), rank * each, each)).seconds();
    return ranks * each / 1e9 / seconds;
  }

  @Test
  void stripingReachesTheServers() {
    Machine theta = MachineDescription.ready("theta");
    // Each rank writes its 4 MiB by one request of half a millisecond.
    double megabytes = 4.194304;
    double server = megabytes / (0.5 + megabytes / (theta.storage().bytesPerSecond() / 1e9));
    double one = gigabytesPerSecond(theta, 256, "striping_factor=1 striping_unit=4194304");
    double eight = gigabytesPerSecond(theta, 256, "striping_factor=8 striping_unit=4194304");
    assertThat(one).isCloseTo(server, Percentage.withPercentage(1));
    assertThat(eight).isCloseTo(8 * server, Percentage.withPercentage(3));
  }

  @Test
  void onePsetOfMiraWritesItsPublishedBandwidth() {
    // 89.6 GB/s of 32 Psets (TAPIOCA, 2017).
    double gigabytes =
        gigabytesPerSecond(
            MachineDescription.ready("mira"), 128 * 16, "hyperslab_collective=two-phase");
    assertThat(gigabytes).isCloseTo(2.8, within(0.3)).isLessThan(2.8);
  }
}
