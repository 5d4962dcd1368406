package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Requests cost a latency and the time of their bytes. */
final class CostStoreTest {

  private static final CostStore.Costs COSTS = new CostStore.Costs(1_000_000, 1_000_000_000);

  @Test
  void chargesLatencyAndBytes() {
    CostStore store = CostStore.inVirtualTime(new MemoryStore("memory"), COSTS);
    MemorySegment bytes = MemorySegment.ofArray(new byte[1000]);
    store.write(0, bytes);
    store.write(1000, new MemorySegment[] {bytes, bytes});
    store.read(0, bytes);
    store.force(true);
    assertThat(store.requests()).isEqualTo(4);
    assertThat(store.chargedNanos()).isEqualTo(4 * 1_000_000 + 4 * 1000);
  }

  @Test
  void makesTheCallerWaitInRealTime() {
    CostStore store = CostStore.inRealTime(new MemoryStore("memory"), COSTS);
    long started = System.nanoTime();
    store.write(0, MemorySegment.ofArray(new byte[100]));
    assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(1_000_100);
  }

  @Test
  void requestsWaitForEachOtherAtOneServerButNotAtAnother() throws InterruptedException {
    // Two requests of 200 ms each: one after the other at one server, side by side at two.
    assertThat(millisOfTwo(1)).isGreaterThanOrEqualTo(400);
    assertThat(millisOfTwo(2)).isBetween(200L, 399L);
  }

  private static long millisOfTwo(int servers) throws InterruptedException {
    CostStore.Costs costs = new CostStore.Costs(200_000_000, 1_000_000_000, servers);
    CostStore store = CostStore.inRealTime(new MemoryStore("memory"), costs);
    long started = System.nanoTime();
    Thread other = Thread.ofPlatform().start(() -> store.force(true));
    store.force(true);
    other.join();
    return (System.nanoTime() - started) / 1_000_000;
  }
}
