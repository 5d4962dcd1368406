package org.hyperslab.plugins.forwarding.journal.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.testkit.model.Explorer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the protocol of a journal in all its states: it holds, and each of its rules is needed. */
final class JournalProtocolTest {

  private static final int MOST_STATES = 2_000_000;
  private static final int EDITS = 4;

  private static Explorer.Found explored(JournalProtocol.Fault fault) {
    return Explorer.explore(new JournalProtocol(EDITS, fault), MOST_STATES);
  }

  @Test
  void nothingPromisedIsLost() {
    Explorer.Found explored = explored(JournalProtocol.Fault.NONE);
    System.out.println(explored);
    assertThat(explored.way()).isEmpty();
    assertThat(explored.trouble()).isEmpty();
    assertThat(explored.states()).isGreaterThan(1000);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachRuleIsNeeded(JournalProtocol.Fault fault) {
    Explorer.Found explored = explored(fault);
    assertThat(explored.trouble()).isPresent();
  }
}
