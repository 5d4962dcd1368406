package org.hyperslab.plugins.nativevol.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.testkit.model.Explorer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the protocol of a flush in all its states: it holds, and each of its steps is needed. */
final class FlushProtocolTest {

  private static final int MOST_STATES = 1_000_000;

  private static Explorer.Found explored(boolean onlyNew, String omitted) {
    return Explorer.explore(new FlushProtocol(2, onlyNew, omitted), MOST_STATES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noPowerCutLosesOrMixesFlushes(boolean onlyNew) {
    Explorer.Found explored = explored(onlyNew, "");
    assertThat(explored.way()).isEmpty();
    assertThat(explored.trouble()).isEmpty();
    assertThat(explored.states()).isGreaterThan(FlushProtocol.Next.values().length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "write new",
        "write journal",
        "force journal",
        "write marker",
        "force marker",
        "write old",
        "force old",
        "write superblock",
        "force superblock",
        "repair old",
        "repair force old",
        "repair superblock",
        "repair force superblock"
      })
  void eachStepIsNeeded(String omitted) {
    Explorer.Found explored = explored(false, omitted);
    assertThat(explored.trouble()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"write new", "force journal", "force superblock"})
  void eachStepOfAFlushOfNewBlocksIsNeeded(String omitted) {
    assertThat(explored(true, omitted).trouble()).isPresent();
  }

  @Test
  void theShortestWayIsTold() {
    assertThat(explored(false, "force journal").way())
        .endsWith("write marker", "power cut", "open");
  }
}
