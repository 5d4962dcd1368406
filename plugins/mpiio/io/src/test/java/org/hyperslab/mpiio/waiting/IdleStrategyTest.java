package org.hyperslab.mpiio.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that waiting ranks sleep if they outnumber the cores of the one machine they run on. */
final class IdleStrategyTest {

  @Test
  void sleepsIfRanksExceedCores() {
    Map<String, String> open =
        Map.of("OMPI_COMM_WORLD_SIZE", "4", "OMPI_COMM_WORLD_LOCAL_SIZE", "4");
    assertThat(IdleStrategy.of(open, 3)).isEqualTo(IdleStrategy.SLEEPS);
    assertThat(IdleStrategy.of(open, 4)).isEqualTo(IdleStrategy.NONE);
    Map<String, String> mpich = Map.of("PMI_SIZE", "4", "MPI_LOCALNRANKS", "4");
    assertThat(IdleStrategy.of(mpich, 3)).isEqualTo(IdleStrategy.SLEEPS);
    assertThat(IdleStrategy.of(mpich, 4)).isEqualTo(IdleStrategy.NONE);
  }

  @Test
  void ranksOfSeveralMachinesUseTheSameStrategy() {
    Map<String, String> crowded =
        Map.of("OMPI_COMM_WORLD_SIZE", "5", "OMPI_COMM_WORLD_LOCAL_SIZE", "4");
    assertThat(IdleStrategy.of(crowded, 2)).isEqualTo(IdleStrategy.NONE);
  }

  @Test
  void doesNotSleepIfTheMachineIsUnknown() {
    assertThat(IdleStrategy.of(Map.of(), 1)).isEqualTo(IdleStrategy.NONE);
    assertThat(IdleStrategy.of(Map.of("OMPI_COMM_WORLD_SIZE", "many"), 1))
        .isEqualTo(IdleStrategy.NONE);
    assertThat(IdleStrategy.of(Map.of("PMI_SIZE", "9"), 1)).isEqualTo(IdleStrategy.NONE);
  }

  @Test
  void countsCores() {
    assertThat(IdleStrategy.cores("0\n")).isEqualTo(1);
    assertThat(IdleStrategy.cores("0-1\n")).isEqualTo(2);
    assertThat(IdleStrategy.cores("0-3,8,10-11\n")).isEqualTo(7);
  }
}
