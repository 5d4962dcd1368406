package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.hyperslab.vol.base.Scheduling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that granted memory is returned. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MemoryGrantsTest {

  @Test
  void memoryIsReturnedWhenTheSessionHasEnded() throws InterruptedException {
    MemoryGrants grants = new MemoryGrants(100, Scheduling.ofJvm());
    grants.grant(60);
    CountDownLatch door = new CountDownLatch(1);
    CountDownLatch ending = new CountDownLatch(1);
    grants.releaseAfter(
        () -> {
          ending.countDown();
          awaitDoor(door);
        },
        60);
    ending.await();
    assertThat(grants.granted()).as("while it ends").isEqualTo(60);
    assertThat(grants.left()).isEqualTo(40);
    door.countDown();
    assertThat(grants.awaitNone(Duration.ofMinutes(1))).isTrue();
    assertThat(grants.left()).isEqualTo(100);
  }

  @Test
  void memoryIsReturnedWhenEndingASessionFails() {
    MemoryGrants grants = new MemoryGrants(100, Scheduling.ofJvm());
    grants.grant(60);
    grants.releaseAfter(
        () -> {
          throw new NoClassDefFoundError("thrown by a test while a session ends");
        },
        60);
    assertThat(grants.awaitNone(Duration.ofMinutes(1))).isTrue();
    assertThat(grants.granted()).isZero();
  }

  private static void awaitDoor(CountDownLatch door) {
    try {
      door.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Test
  void grantsShrinkWithTheNumberOfClientsSoThatAllFindRoom() {
    long gib = 1L << 30;
    MemoryGrants grants = new MemoryGrants(gib, Scheduling.ofJvm());
    long before = Long.MAX_VALUE;
    for (int i = 0; i < 128; i++) {
      long window = grants.window(128L << 20);
      assertThat(window).as("client %d", i).isBetween(1L << 20, before);
      before = window;
      grants.grant(MemoryGrants.sessionBytes(window));
    }
    assertThat(grants.left()).isNotNegative();
  }
}
