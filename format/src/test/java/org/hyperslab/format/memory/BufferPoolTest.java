package org.hyperslab.format.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

final class BufferPoolTest {

  @Test
  void lendsExactLengthsAlignedToPages() {
    try (BufferPool pool = new BufferPool(1 << 20)) {
      for (long bytes : new long[] {0, 1, 4095, 4096, 4097, 100_000, 1 << 20, (1 << 20) + 1}) {
        try (Lease lease = pool.take(bytes)) {
          assertThat(lease.segment().byteSize()).isEqualTo(bytes);
          assertThat(lease.segment().isNative()).isTrue();
          assertThat(lease.segment().address() % 4096).isZero();
          lease.segment().fill((byte) 7);
        }
      }
    }
  }

  @Test
  void countsTheLeasesOfAllPools() {
    long before = BufferPool.lentByAll();
    try (BufferPool one = new BufferPool(0);
        BufferPool other = new BufferPool(1 << 20)) {
      Lease first = one.take(10);
      Lease second = other.take(20);
      assertThat(BufferPool.lentByAll()).isEqualTo(before + 2);
      first.close();
      first.close();
      second.close();
      assertThat(BufferPool.lentByAll()).isEqualTo(before);
    }
  }

  @Test
  void roundsToAtMostAQuarterMore() {
    assertThat(BufferPool.capacityFor(0)).isEqualTo(4096);
    assertThat(BufferPool.capacityFor(4097)).isEqualTo(8192);
    assertThat(BufferPool.capacityFor(1 << 20)).isEqualTo(1 << 20);
    assertThat(BufferPool.capacityFor((1 << 20) + 1)).isEqualTo((1 << 20) + (1 << 18));
    for (long bytes = 16_384; bytes < 1L << 40; bytes = bytes * 9 / 8 + 1) {
      assertThat(BufferPool.capacityFor(bytes)).isBetween(bytes, bytes + bytes / 4 + 4096);
    }
  }

  @Test
  void lendsReturnedMemoryAgain() {
    try (BufferPool pool = new BufferPool(1 << 20)) {
      long address;
      try (Lease first = pool.take(10_000)) {
        address = first.segment().address();
      }
      try (Lease second = pool.take(11_000)) {
        assertThat(second.segment().address()).isEqualTo(address);
      }
      assertThat(pool.ownedBytes()).isEqualTo(BufferPool.capacityFor(11_000));
    }
  }

  @Test
  void leaseClosedTwiceIsReturnedOnce() {
    try (BufferPool pool = new BufferPool(1 << 20)) {
      Lease first = pool.take(100);
      first.close();
      Lease second = pool.take(100);
      first.close();
      try (Lease third = pool.take(100)) {
        assertThat(third.segment().address()).isNotEqualTo(second.segment().address());
        assertThat(pool.lent()).isEqualTo(2);
        assertThat(pool.lentBytes()).isEqualTo(200);
      }
      second.close();
      assertThat(pool.lent()).isZero();
      assertThat(pool.lentBytes()).isZero();
    }
  }

  @Test
  void countsLentBytesAndTheirPeak() {
    try (BufferPool pool = new BufferPool(1 << 20)) {
      Lease first = pool.take(5_000);
      Lease second = pool.take(7_000);
      first.close();
      assertThat(pool.peakBytes()).isEqualTo(12_000);
      pool.resetPeak();
      assertThat(pool.peakBytes()).isEqualTo(7_000);
      second.close();
      assertThat(pool.lent()).isZero();
      assertThat(pool.peakBytes()).isEqualTo(7_000);
    }
  }

  @Test
  void freesTheLongestUnusedBeyondTheLimit() {
    try (BufferPool pool = new BufferPool(3 * 4096)) {
      List<Lease> leases = IntStream.range(0, 4).mapToObj(i -> pool.take(4096)).toList();
      List<MemorySegment> segments = leases.stream().map(Lease::segment).toList();
      assertThat(pool.ownedBytes()).isEqualTo(4 * 4096);
      leases.forEach(Lease::close);
      assertThat(pool.ownedBytes()).isEqualTo(3 * 4096);
      assertThat(segments.getFirst().scope().isAlive()).isFalse();
      assertThat(segments.getLast().scope().isAlive()).isTrue();
    }
  }

  @Test
  void freesOlderMemoryOfOtherLengths() {
    try (BufferPool pool = new BufferPool(16_384)) {
      Lease small = pool.take(4096);
      Lease large = pool.take(16_384);
      MemorySegment oldest = small.segment();
      small.close();
      large.close();
      assertThat(oldest.scope().isAlive()).isFalse();
      assertThat(large.segment().scope().isAlive()).isTrue();
    }
  }

  @Test
  void keepsNothingLongerThanTheLimit() {
    try (BufferPool pool = new BufferPool(8192)) {
      pool.take(4096).close();
      pool.take(100_000).close();
      assertThat(pool.ownedBytes()).isEqualTo(4096);
    }
  }

  @Test
  void memoryReturnedAfterCloseIsFreed() {
    BufferPool pool = new BufferPool(1 << 20);
    Lease idle = pool.take(100);
    Lease lent = pool.take(200);
    idle.close();
    pool.close();
    assertThat(idle.segment().scope().isAlive()).isFalse();
    lent.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    lent.close();
    assertThat(lent.segment().scope().isAlive()).isFalse();
    assertThat(pool.ownedBytes()).isZero();
    assertThatThrownBy(() -> pool.take(1)).isInstanceOf(IllegalStateException.class);
    pool.close();
  }

  @Test
  void freesIdleMemoryBeforeItFails() {
    try (BufferPool pool = new BufferPool(1 << 20)) {
      pool.take(100_000).close();
      assertThatThrownBy(() -> pool.take(1L << 60)).isInstanceOf(OutOfMemoryError.class);
      assertThat(pool.ownedBytes()).isZero();
      assertThat(pool.lent()).isZero();
      assertThat(pool.lentBytes()).isZero();
    }
  }

  @Test
  void refusesImpossibleLengths() {
    assertThatThrownBy(() -> new BufferPool(-1)).isInstanceOf(IllegalArgumentException.class);
    try (BufferPool pool = new BufferPool(0)) {
      assertThatThrownBy(() -> pool.take(-1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("actual=-1");
      assertThatThrownBy(() -> pool.take(Long.MAX_VALUE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(pool.lent()).isZero();
    }
  }

  @Test
  void threadsNeverShareMemory() throws Exception {
    long seed = Seeds.draw();
    try (BufferPool pool = new BufferPool(1 << 18);
        var threads = Executors.newFixedThreadPool(4)) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int mine = i;
        tasks.add(() -> takeAndGive(pool, mine, Seeds.random(seed, mine)));
      }
      for (Future<Void> each : threads.invokeAll(tasks)) {
        each.get();
      }
      assertThat(pool.lent()).isZero();
      assertThat(pool.ownedBytes()).isLessThanOrEqualTo(1 << 18);
    }
  }

  private static Void takeAndGive(BufferPool pool, int mine, Random random) {
    Deque<Lease> held = new ArrayDeque<>();
    for (int i = 0; i < 5_000; i++) {
      if (held.size() < 4 && random.nextBoolean()) {
        Lease lease = pool.take(random.nextInt(1, 30_000));
        lease.segment().fill((byte) mine);
        held.add(lease);
      } else if (!held.isEmpty()) {
        Lease lease = held.remove();
        MemorySegment segment = lease.segment();
        assertThat(segment.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) mine);
        assertThat(segment.get(ValueLayout.JAVA_BYTE, segment.byteSize() - 1))
            .isEqualTo((byte) mine);
        lease.close();
      }
    }
    held.forEach(Lease::close);
    return null;
  }

  @Test
  void freesIdleMemoryOfAnUnreachablePool() {
    MemorySegment idle = ofForgottenPool();
    long start = System.nanoTime();
    while (idle.scope().isAlive() && System.nanoTime() - start < 30_000_000_000L) {
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(idle.scope().isAlive()).isFalse();
  }

  @SuppressWarnings("resource") // that it is not closed is the case
  private static MemorySegment ofForgottenPool() {
    BufferPool pool = new BufferPool(1 << 20);
    Lease lease = pool.take(5000);
    lease.close();
    assertThat(pool.ownedBytes()).isEqualTo(8192);
    return lease.segment();
  }
}
