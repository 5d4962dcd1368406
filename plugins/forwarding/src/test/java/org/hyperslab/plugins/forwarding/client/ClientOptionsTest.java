package org.hyperslab.plugins.forwarding.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.hyperslab.vol.Connectors;
import org.junit.jupiter.api.Test;

/** Tests what a client's configuration means. */
final class ClientOptionsTest {

  @Test
  void aClientTellsHowLongItReconnectsIfToldSo() {
    assertThat(awaited("")).isZero();
    assertThat(awaited("reconnect=0 ")).isZero();
    assertThat(awaited("reconnect=20 ")).isEqualTo(Duration.ofSeconds(20));
  }

  private static Duration awaited(String options) {
    return ClientOptions.of(Connectors.parse("forwarding " + options + "servers=127.0.0.1:1"))
        .awaited();
  }
}
