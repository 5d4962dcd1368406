package org.hyperslab.plugins.forwarding.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Small payloads lie side by side, and nobody's bytes are ever given to another. */
final class SideBySideTest {

  private static final long MOST = 8 << 20;

  private final BufferPool pool = new BufferPool(1L << 30);
  private final SideBySide memory = new SideBySide(pool, MOST);

  private static boolean adjoin(SideBySide.Part first, SideBySide.Part second) {
    MemorySegment a = first.bytes();
    MemorySegment b = second.bytes();
    return a.address() + a.byteSize() == b.address() && a.scope().equals(b.scope());
  }

  @Test
  void smallOnesInARowLieInARow() {
    SideBySide.Part last = memory.take(4096);
    for (int i = 0; i < 100; i++) {
      SideBySide.Part next = memory.take(i % 2 == 0 ? 64 : 4096);
      assertThat(adjoin(last, next)).isTrue();
      last = next;
    }
  }

  @Test
  void whatIsGivenBackIsUsedAgainFromTheStart() {
    SideBySide.Part first = memory.take(4096);
    long address = first.bytes().address();
    memory.give(first);
    assertThat(memory.take(100).bytes().address()).isEqualTo(address);
  }

  @Test
  void largeOnesHaveMemoryOfTheirOwn() {
    SideBySide.Part small = memory.take(4096);
    SideBySide.Part large = memory.take(MOST);
    assertThat(large.bytes().byteSize()).isEqualTo(MOST);
    assertThat(large.bytes().scope()).isNotEqualTo(small.bytes().scope());
    assertThat(adjoin(small, memory.take(4096))).isTrue();
  }

  /** One small part kept of each block must not keep ever more blocks. */
  @Test
  void blocksThatAreOutAreBounded() {
    Set<MemorySegment.Scope> blocks = new HashSet<>();
    List<SideBySide.Part> keptParts = new ArrayList<>();
    int alone = 0;
    for (int i = 0; i < 20_000; i++) {
      SideBySide.Part part = memory.take(4096);
      if (i % 200 == 0) {
        keptParts.add(part);
        alone += blocks.add(part.bytes().scope()) ? 1 : 0;
      } else {
        memory.give(part);
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
  void whatIsLostIsNeverUsedAgainNorIsItsBlock() {
    SideBySide.Part lost = memory.take(4096);
    SideBySide.Part neighbour = memory.take(4096);
    memory.lose(lost);
    memory.give(neighbour);
    memory.close();
    for (int i = 0; i < 2000; i++) {
      assertThat(memory.take(4096).bytes().scope()).isNotEqualTo(lost.bytes().scope());
    }
    assertThat(pool.take(MOST / 8).whole().scope()).isNotEqualTo(lost.bytes().scope());
  }

  @Test
  void allThatIsGivenBackReachesThePoolInTheEnd() {
    SideBySide.Part first = memory.take(4096);
    SideBySide.Part second = memory.take(4096);
    memory.give(first);
    memory.close();
    assertThat(pool.take(MOST / 8).whole().scope()).as("in use").isNotEqualTo(scope(second));
    memory.give(second);
    assertThat(pool.take(MOST / 8).whole().scope()).isEqualTo(scope(second));
  }

  private static MemorySegment.Scope scope(SideBySide.Part part) {
    return part.bytes().scope();
  }

  /** A part in use and the byte that all of it holds. */
  private record Held(SideBySide.Part part, byte mark) {
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
  void nobodyWritesIntoAnothersPart() {
    Seeds.run(
        100,
        random -> {
          SideBySide parts = new SideBySide(pool, (1 << 16) << random.nextInt(5));
          List<Held> held = new ArrayList<>();
          for (int step = 0; step < 2000; step++) {
            if (held.isEmpty() || random.nextInt(100) < 52) {
              SideBySide.Part part = parts.take(1 + random.nextInt(1 + random.nextInt(5000)));
              assertThat(part.bytes().address() % 64).isZero();
              part.bytes().fill((byte) step);
              held.add(new Held(part, (byte) step));
            } else {
              Held next = held.remove(random.nextInt(held.size()));
              assertThat(next.isIntact()).isTrue();
              if (random.nextInt(50) == 0) {
                parts.lose(next.part);
              } else {
                parts.give(next.part);
              }
            }
          }
          assertThat(held).allMatch(Held::isIntact);
          held.forEach(each -> parts.give(each.part));
          parts.close();
        });
  }
}
