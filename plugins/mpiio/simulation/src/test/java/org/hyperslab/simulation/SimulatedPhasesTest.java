package org.hyperslab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MessageCosts;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.ServerCosts;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.Test;

/** Compares declared writes, and accesses beside computations, with closed forms. */
final class SimulatedPhasesTest {

  private static final int RANKS = 64;
  private static final long PART_BYTES = 1_000_000;
  private static final int PARTS = 9;

  /** Ranks on a fast switch, with a server of 1 GB/s whose requests take a time. */
  private static SimulatedJob job(double requestNanos, String hints) {
    Machine base = Machine.oneSwitch("test", 8, 8);
    StorageServers server =
        new StorageServers(1, 1 << 20, 1e9, new ServerCosts(requestNanos, 0, 0, 1), 1e15);
    Machine machine =
        new Machine("test", base.network(), base.node(), MessageCosts.NONE, List.of(), server);
    return new SimulatedJob(
        RankMap.bySlot(machine, RANKS), Hints.parse(hints), UnstatedCosts.DEFAULT);
  }

  /** A part of a rank's block, which holds all parts one after the other. */
  private static SimulatedJob.Access part(int rank, int part) {
    return new SimulatedJob.Access(
        FileView.bytes(), ((long) rank * PARTS + part) * PART_BYTES, PART_BYTES);
  }

  private static SimulatedJob.Result declared(SimulatedJob job) {
    return job.writeDeclared(
        rank -> IntStream.range(0, PARTS).mapToObj(part -> part(rank, part)).toList());
  }

  @Test
  void declaredWritesTakeTheTimeOfTheirBytesInWholeBuffers() {
    SimulatedJob.Result result = declared(job(1e6, "cb_nodes=4 cb_buffer_size=36000000"));
    long bytes = RANKS * PARTS * PART_BYTES;
    assertThat(result.fileBytes()).isEqualTo(bytes);
    assertThat(result.requests()).as("buffers of half the memory").isEqualTo(bytes / 18_000_000);
    double busy = bytes / 1e9 + result.requests() * 1e-3;
    assertThat(result.seconds()).isCloseTo(busy, Percentage.withPercentage(8));
    assertThat(result.seconds()).isGreaterThan(busy);
  }

  @Test
  void declaredWritesMakeFewerRequestsThanCallsOfOneVariableEach() {
    SimulatedJob job = job(5e6, "hyperslab_collective=two-phase cb_nodes=4 romio_ds_write=disable");
    SimulatedJob.Result separate =
        IntStream.range(0, PARTS)
            .mapToObj(part -> job.write(rank -> part(rank, part)))
            .reduce(SimulatedJob.Result::plus)
            .orElseThrow();
    SimulatedJob.Result together = declared(job);
    assertThat(separate.fileBytes()).isEqualTo(together.fileBytes());
    assertThat(together.requests()).isLessThan(separate.requests() / 5);
    assertThat(together.seconds()).isLessThan(separate.seconds());
  }

  @Test
  void electedAggregatorsAreThoseOfTheRule() {
    for (String rule : List.of("romio", "latp", "tatp", "tapioca")) {
      SimulatedJob.Result result = declared(job(0, "cb_nodes=4 hyperslab_assignment=" + rule));
      assertThat(result.fileBytes()).as(rule).isEqualTo(RANKS * PARTS * PART_BYTES);
    }
  }

  private static SimulatedJob.Result beside(double compute, double test, double cost) {
    return job(1e5, "hyperslab_collective=two-phase cb_nodes=4 cb_buffer_size=4194304")
        .started(true, rank -> part(rank, 0), new SimulatedJob.Computation(compute, test, cost));
  }

  @Test
  void accessBesideAComputationTakesTheLongerOfBothIfItIsTestedOften() {
    double alone = beside(0, 1, 0).seconds();
    assertThat(beside(2 * alone, alone / 1000, 0).seconds()).isCloseTo(2 * alone, within(1e-9));
    assertThat(beside(alone / 2, alone / 1000, 0).seconds())
        .isCloseTo(alone, Percentage.withPercentage(2));
    assertThat(beside(alone, alone / 1000, 0).seconds())
        .isCloseTo(alone, Percentage.withPercentage(4));
  }

  @Test
  void accessThatIsNotTestedGoesOnAfterTheComputation() {
    double alone = beside(0, 1, 0).seconds();
    double never = beside(alone, 10 * alone, 0).seconds();
    assertThat(never).isBetween(1.8 * alone, 2 * alone);
    assertThat(beside(alone, alone / 4, 0).seconds()).isBetween(1.1 * alone, never);
  }

  @Test
  void testsLengthenTheComputationByTheirTime() {
    double alone = beside(0, 1, 0).seconds();
    assertThat(beside(2 * alone, alone / 50, alone / 500).seconds())
        .isCloseTo(2.2 * alone, within(1e-6));
  }

  @Test
  void computationOfNegativeTimeIsRefused() {
    assertThatThrownBy(() -> new SimulatedJob.Computation(-1, 1, 0))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("-1.0 s");
    assertThatThrownBy(() -> new SimulatedJob.Computation(1, 0, 0))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("tested each 0.0 s");
  }
}
