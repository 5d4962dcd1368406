package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Tests that small payloads are adjacent, and that no two payloads share memory. */
final class PayloadSlabTest {

  private static final long MOST = 8 << 20;

  private final BufferPool pool = new BufferPool(1L << 30);
  private final PayloadSlab memory = new PayloadSlab(pool, MOST);

  private static boolean adjoin(PayloadSlab.Part first, PayloadSlab.Part second) {
    MemorySegment a = first.bytes();
    MemorySegment b = second.bytes();
    return a.address() + a.byteSize() == b.address() && a.scope().equals(b.scope());
  }

  @Test
  void consecutiveSmallPayloadsAreAdjacent() {
    PayloadSlab.Part last = memory.take(4096);
    for (int i = 0; i < 100; i++) {
      PayloadSlab.Part next = memory.take(i % 2 == 0 ? 64 : 4096);
      assertThat(adjoin(last, next)).isTrue();
      last = next;
    }
  }

  @Test
  void releasedMemoryIsReusedFromTheStart() {
    PayloadSlab.Part first = memory.take(4096);
    long address = first.bytes().address();
    memory.release(first);
    assertThat(memory.take(100).bytes().address()).isEqualTo(address);
  }

  @Test
  void largePayloadsHaveMemoryOfTheirOwn() {
    PayloadSlab.Part small = memory.take(4096);
    PayloadSlab.Part large = memory.take(MOST);
    assertThat(large.bytes().byteSize()).isEqualTo(MOST);
    assertThat(large.bytes().scope()).isNotEqualTo(small.bytes().scope());
    assertThat(adjoin(small, memory.take(4096))).isTrue();
  }

  /** One small part kept of each block must not keep ever more blocks. */
  @Test
  void blocksHeldBySmallPartsAreBounded() {
    Set<MemorySegment.Scope> blocks = new HashSet<>();
    List<PayloadSlab.Part> keptParts = new ArrayList<>();
    int alone = 0;
    for (int i = 0; i < 20_000; i++) {
      PayloadSlab.Part part = memory.take(4096);
      if (i % 200 == 0) {
        keptParts.add(part);
        alone += blocks.add(part.bytes().scope()) ? 1 : 0;
      } else {
        memory.release(part);
      }
    }
    long blockBytes = MOST / 2 / 4;
    assertThat(alone).as("blocks, and buffers of one part when all blocks are out").isLessThan(101);
    long inBlocks =
        keptParts.stream()
            .filter(part ->
                keptParts.stream()
                        .filter(other -> other.bytes().scope().equals(part.bytes().scope()))
                        .count()
                    > 1)
            .map(part -> part.bytes().scope())
            .distinct()
            .count();
    assertThat(inBlocks * blockBytes).isLessThanOrEqualTo(MOST / 2);
  }

  @Test
  void memoryOfAReceivingConnectionIsNotReused() {
    PayloadSlab.Part abandoned = memory.take(4096);
    PayloadSlab.Part neighbour = memory.take(4096);
    memory.release(neighbour);
    memory.close();
    List<MemorySegment> others = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      others.add(memory.take(4096).bytes());
    }
    assertThat(others).noneMatch(other -> other.scope().equals(scope(abandoned)));
    long before = pool.lent();
    memory.release(abandoned);
    assertThat(pool.lent()).isEqualTo(before - 1);
  }

  @Test
  void allReturnedMemoryReachesThePool() {
    PayloadSlab.Part first = memory.take(4096);
    PayloadSlab.Part second = memory.take(4096);
    memory.release(first);
    memory.close();
    assertThat(pool.take(MOST / 8).segment().scope()).as("in use").isNotEqualTo(scope(second));
    memory.release(second);
    assertThat(pool.take(MOST / 8).segment().scope()).isEqualTo(scope(second));
  }

  private static MemorySegment.Scope scope(PayloadSlab.Part part) {
    return part.bytes().scope();
  }

  /** A part in use and the byte that all of it holds. */
  private record Held(PayloadSlab.Part part, byte mark) {
    boolean isIntact() {
      for (byte each : part.bytes().toArray(ValueLayout.JAVA_BYTE)) {
        if (each != mark) {
          return false;
        }
      }
      return true;
    }
  }

  @Test
  void clientsDoNotWriteIntoOtherParts() {
    Seeds.run(
        100,
        random -> {
          PayloadSlab parts = new PayloadSlab(pool, (1 << 16) << random.nextInt(5));
          List<Held> held = new ArrayList<>();
          for (int step = 0; step < 2000; step++) {
            if (held.isEmpty() || random.nextInt(100) < 52) {
              PayloadSlab.Part part = parts.take(1 + random.nextInt(1 + random.nextInt(5000)));
              assertThat(part.bytes().address() % 64).isZero();
              part.bytes().fill((byte) step);
              held.add(new Held(part, (byte) step));
            } else {
              Held next = held.remove(random.nextInt(held.size()));
              assertThat(next.isIntact()).isTrue();
              parts.release(next.part);
            }
          }
          assertThat(held).allMatch(Held::isIntact);
          held.forEach(each -> parts.release(each.part));
          parts.close();
        });
  }
}
