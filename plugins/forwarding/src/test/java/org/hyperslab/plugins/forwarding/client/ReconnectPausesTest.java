package org.hyperslab.plugins.forwarding.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests how long clients wait between attempts to reach a server. */
final class ReconnectPausesTest {

  private static List<Long> pauses(long seed, int count) {
    ReconnectPauses pauses = new ReconnectPauses(seed);
    List<Long> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(pauses.nextMillis());
    }
    return all;
  }

  @Test
  void theyDoubleUpToTwoSeconds() {
    for (long seed = 0; seed < 100; seed++) {
      long most = 50;
      for (long pause : pauses(seed, 20)) {
        assertThat(pause).as("seed %d", seed).isBetween(most / 2, most);
        most = Math.min(2000, 2 * most);
      }
    }
  }

  @Test
  void clientsDoNotAskAtTheSameTime() {
    Set<Long> times = new HashSet<>();
    for (long seed = 0; seed < 100; seed++) {
      times.add(pauses(seed, 6).stream().mapToLong(Long::longValue).sum());
    }
    assertThat(times).hasSizeGreaterThan(80);
  }
}
