package org.hyperslab.plugins.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import org.junit.jupiter.api.Test;

/**
 * Tests that messages give the reason of a failed connection, also if the exception has no message.
 */
final class TransportTest {

  @Test
  void reasonOfAFailureIsNeverNull() {
    assertThat(Transport.reason(new UnresolvedAddressException())).isEqualTo("unknown host");
    assertThat(Transport.reason(new ClosedChannelException())).contains("ClosedChannelException");
    assertThat(Transport.reason(new ConnectException("refused"))).isEqualTo("refused");
  }
}
