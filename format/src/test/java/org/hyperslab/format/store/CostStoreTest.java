package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that requests cost a latency and the time of their bytes. */
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

  /** Stands still, and notes until when callers would have waited, in nanoseconds. */
  private static final class Still implements CostStore.Clock {
    private final List<Long> ends = new ArrayList<>();

    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public void waitUntil(long nanos) {
      ends.add(nanos);
    }
  }

  @Test
  void requestsWaitForEachOtherAtOneServerButNotAtAnother() {
    // Three requests of a millisecond each that come at once.
    assertThat(endsOfThree(1)).containsExactly(1_000_000L, 2_000_000L, 3_000_000L);
    assertThat(endsOfThree(2)).containsExactly(1_000_000L, 1_000_000L, 2_000_000L);
    assertThat(endsOfThree(3)).containsOnly(1_000_000L);
  }

  private static List<Long> endsOfThree(int servers) {
    CostStore.Costs costs = new CostStore.Costs(1_000_000, 1_000_000_000, servers);
    Still clock = new Still();
    CostStore store = CostStore.inTimeOf(clock, new MemoryStore("memory"), costs);
    for (int i = 0; i < 3; i++) {
      store.force(true);
    }
    return clock.ends;
  }
}
