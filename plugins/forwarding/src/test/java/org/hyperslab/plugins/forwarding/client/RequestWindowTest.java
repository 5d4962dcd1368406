package org.hyperslab.plugins.forwarding.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.forwarding.wire.Welcome;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.junit.jupiter.api.Test;

/** Tests when a client acknowledges replies. */
final class RequestWindowTest {

  private static final long READ_BYTES = 1 << 20;
  private static final long REPLY_BYTES = 80_000;

  private final RequestWindow window = new RequestWindow();
  private final List<SentRequest<?>> requests = new ArrayList<>();

  private void send(int count) {
    window.granted(new Welcome(1, 1 << 20, READ_BYTES, 1 << 30, 0, List.of(), 1 << 20, ""));
    for (int i = 0; i < count; i++) {
      SentRequest<?> request =
          new SentRequest<>(
              new FileOperation.Exists(new Handle(1), "f"),
              new RequestEncoder.Request(new EncodedMessage(new byte[0], List.of()), List.of()),
              0,
              Long.MAX_VALUE,
              _ -> {});
      window.enter(request);
      requests.add(request);
    }
  }

  /** Receives the reply to a request and sends the acknowledgement that is due. */
  private void receive(int index) {
    window.leave(requests.get(index), REPLY_BYTES);
    if (window.mustAcknowledge()) {
      window.acknowledge();
    }
  }

  @Test
  void repliesBehindAnUnansweredRequestStillCountOnceItIsAnswered() {
    send(20);
    for (int i = 1; i < 13; i++) {
      receive(i);
      assertThat(window.canAcknowledge()).isFalse();
    }
    // A request that is sent meanwhile acknowledges nothing either.
    assertThat(window.acknowledge()).isEqualTo(1);
    receive(0);
    assertThat(window.canAcknowledge()).isFalse(); // it has been sent
    assertThat(window.acknowledge()).isEqualTo(14);
  }

  @Test
  void repliesInAnyOrderAreAcknowledgedWhenTheFirstOfThemArrives() {
    send(100);
    for (int group = 0; group < 100; group += 10) {
      for (int i = 9; i > 0; i--) {
        receive(group + i);
        assertThat(window.canAcknowledge()).isFalse();
      }
      receive(group);
      assertThat(window.canAcknowledge()).isFalse(); // it has been sent
    }
  }
}
