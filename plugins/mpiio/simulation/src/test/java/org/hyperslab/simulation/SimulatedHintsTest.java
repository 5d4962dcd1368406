package org.hyperslab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MachineDescription;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a simulation honours each hint, or refuses it by name. */
final class SimulatedHintsTest {

  private static final int RANKS = 48;
  private static final long PART_BYTES = 200_000;

  private static SimulatedJob job(Machine machine, String hints) {
    return new SimulatedJob(
        RankMap.byNode(machine, RANKS, 6), Hints.parse(hints), UnstatedCosts.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bogus=1",
        "hyperslab_machine=theta",
        "hyperslab_shared_memory=disable",
        "hyperslab_saturation=measured",
        "hyperslab_schedules=disable",
        "hyperslab_declared=messages",
        "hyperslab_record_views=views.txt",
        "sharedfp=sm",
        "progress=thread",
        "romio_no_indep_rw=true",
        "romio_synchronized_flush=enable",
        "access_style=random"
      })
  void hintThatASimulationDoesNotModelIsRefusedByName(String hint) {
    assertThatThrownBy(() -> job(MachineDescription.ready("crill"), hint))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining(hint.substring(0, hint.indexOf('=')) + "=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hyperslab_assignment=bogus",
        "hyperslab_collective=bogus",
        "hyperslab_collective=two-phase hyperslab_domains=bogus",
        "hyperslab_collective=individual hyperslab_transfer=bogus",
        "hyperslab_aggregators=bogus",
        "hyperslab_selection=bogus"
      })
  void valueThatNothingHonoursIsRefused(String hints) {
    SimulatedJob job = job(MachineDescription.ready("crill"), hints);
    assertThatThrownBy(() -> job.write(SimulatedHintsTest::parts))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("bogus");
  }

  @Test
  void moreServersThanThereAreAreRefused() {
    assertThatThrownBy(() -> job(MachineDescription.ready("crill"), "striping_factor=16"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("striping_factor: actual=16, expected=at most 15");
    assertThatThrownBy(() -> job(MachineDescription.ready("inspur"), "striping_unit=65536"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("a line storage");
  }

  /** Ranks of one node, which are not neighbours in number, have neighbouring parts. */
  private static SimulatedJob.Access parts(int rank) {
    int place = rank % 6 * 8 + rank / 6;
    return new SimulatedJob.Access(FileView.bytes(), place * PART_BYTES, PART_BYTES);
  }

  @Test
  void rulesOfAssignmentMakeDifferentSchedules() {
    Machine machine = MachineDescription.ready("inspur");
    Set<Double> times = new HashSet<>();
    long romio = 0;
    long latp = 0;
    for (String rule : new String[] {"romio", "latp", "tatp", "tapioca"}) {
      SimulatedJob.Result result =
          job(
                  machine,
                  "hyperslab_collective=two-phase hyperslab_domains=even cb_nodes=4"
                      + " hyperslab_assignment="
                      + rule)
              .write(SimulatedHintsTest::parts);
      times.add(result.seconds());
      romio = rule.equals("romio") ? result.messageBytes() : romio;
      latp = rule.equals("latp") ? result.messageBytes() : latp;
    }
    assertThat(times).as("seconds").hasSizeGreaterThan(1);
    // A quarter of the file has 12 parts; LATP leaves one of them where it is.
    assertThat(latp).isEqualTo((RANKS - 4) * PART_BYTES).isLessThan(romio);
  }
}
