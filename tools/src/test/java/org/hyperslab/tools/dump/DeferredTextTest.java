package org.hyperslab.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests text that is held back until the text before it is known. */
final class DeferredTextTest {

  private final StringBuilder target = new StringBuilder();

  @Test
  void passesTextOnUnlessItHolds() throws IOException {
    new DeferredText(target).append("abc").append('d').append("xefx", 1, 3);
    assertThat(target).hasToString("abcdef");
  }

  @Test
  void insertsTextThatBecomesKnownLater() throws IOException {
    DeferredText text = new DeferredText(target);
    text.append("1 ");
    text.hold(() -> {});
    text.append("3 ").append("4 ").append('5');
    assertThat(text.isHolding()).isTrue();
    assertThat(target).hasToString("1 ");
    text.release(() -> target.append("2 "));
    assertThat(text.isHolding()).isFalse();
    text.append(" 6");
    assertThat(target).hasToString("1 2 3 4 5 6");
  }

  @Test
  void asksToBeReleasedOnceItHoldsTooMuch() throws IOException {
    DeferredText text = new DeferredText(target, 40_000);
    text.hold(() -> text.release(() -> target.append("first ")));
    StringBuilder expected = new StringBuilder("first ");
    for (int i = 0; i < 10_000; i++) {
      text.append(i + " ");
      expected.append(i).append(' ');
      assertThat(text.isHolding()).as("after %d", i).isEqualTo(expected.length() - 6 <= 40_000);
    }
    assertThat(target).hasToString(expected.toString());
  }
}
