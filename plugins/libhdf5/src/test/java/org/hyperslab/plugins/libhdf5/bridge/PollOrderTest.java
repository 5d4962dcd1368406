package org.hyperslab.plugins.libhdf5.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests that requests are reported as completed in their order. */
final class PollOrderTest {

  @Test
  void requestsAfterAPendingOneArePendingInThatRound() {
    PollOrder order = new PollOrder();
    assertThat(order.holds(1)).isFalse();
    assertThat(order.holds(2)).isFalse();
    order.hold(); // 2 is in progress
    assertThat(order.holds(3)).isTrue();
    assertThat(order.holds(7)).isTrue();

    assertThat(order.holds(2)).isFalse(); // the next round begins with what is left
    assertThat(order.holds(3)).isFalse();
  }

  @Test
  void singleRequestIsPolledAgain() {
    PollOrder order = new PollOrder();
    for (int i = 0; i < 3; i++) {
      assertThat(order.holds(5)).isFalse();
      order.hold();
    }
  }
}
