package org.hyperslab.plugins.forwarding.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that frames of version 0.1 keep their meaning. */
final class GoldenFramesTest {

  @Test
  void framesAreThoseOfVersion01() {
    assertThat(Arrays.stream(FrameType.values()).map(type -> type.number() + " " + type.name()))
        .contains(
            "0 HELLO",
            "1 WELCOME",
            "2 REQUEST",
            "3 REPLY",
            "4 FAILURE",
            "5 ACKNOWLEDGE",
            "6 CANCEL",
            "7 GOODBYE",
            "8 STATUS",
            "9 PING",
            "10 PONG");
    Frame frame = new Frame(FrameType.REPLY, 5, 6, 7, new byte[] {1, 2}, List.of());
    assertThat(HexFormat.of().formatHex(FrameHeader.encode(frame, 8)))
        .isEqualTo(
            "484c5357010305000200000071e0dca500000000000000000600000000000000070000000000000008000000300000000102");
  }

  @Test
  void acknowledgementsAreThoseOfVersion01() {
    assertThat(Arrays.stream(Acknowledge.values()).map(each -> each.number() + " " + each.name()))
        .containsExactly("0 APPLIED", "1 RECEIVED", "2 DURABLE");
    for (Acknowledge level : Acknowledge.values()) {
      assertThat(Acknowledge.of(level.number() | Acknowledge.EARLY)).isEqualTo(level);
    }
  }
}
