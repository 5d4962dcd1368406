package org.hyperslab.plugins.nativevol.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares random allocations with a bitmap of the owner of each byte. */
final class AllocatorRandomTest {

  private static final int START = 96;

  private final long seed = Seeds.draw();
  private final Random random = new Random(seed);

  private record Held(SpaceKind kind, long address, long size, boolean durable) {}

  @ParameterizedTest
  @ValueSource(longs = {0, 512, 4096})
  void neverAllocatesHeldOrDurableSpace(long pageBytes) {
    Allocator allocator =
        new Allocator("random", 8, START, SpacePolicy.DEFAULT.withPageBytes(pageBytes));
    BitSet taken = new BitSet();
    taken.set(0, START);
    List<Held> held = new ArrayList<>();
    List<Held> released = new ArrayList<>();
    for (int step = 0; step < 4000; step++) {
      int action = random.nextInt(100);
      if (action < 55 || held.isEmpty()) {
        Held made = allocate(allocator, pageBytes);
        String what = "seed=" + seed + " step=" + step + " " + made;
        int at = (int) made.address;
        assertThat(taken.get(at, at + (int) made.size).isEmpty()).as(what).isTrue();
        taken.set(at, at + (int) made.size);
        held.add(made);
      } else if (action < 97) {
        Held gone = held.remove(random.nextInt(held.size()));
        assertThat(allocator.isFresh(gone.address, gone.size)).isEqualTo(!gone.durable);
        allocator.free(gone.kind, gone.address, gone.size);
        if (gone.durable) {
          released.add(gone);
        } else {
          clear(taken, gone);
        }
      } else {
        allocator.cutUnused();
        assertThat(allocator.endOfFile()).as("seed=" + seed).isGreaterThanOrEqualTo(taken.length());
        allocator.flushed(false);
        released.forEach(gone -> clear(taken, gone));
        released.clear();
        held.replaceAll(each -> new Held(each.kind, each.address, each.size, true));
      }
    }
    released.forEach(gone -> clear(taken, gone));
    long end = allocator.endOfFileWhenTrimmed();
    assertThat(end).as("seed=" + seed).isGreaterThanOrEqualTo(taken.length());
    allocator.flushed(false);
    allocator.trimmed(end);
    assertThat(allocator.endOfFile()).isEqualTo(end);
    assertThat(allocator.freeBytes()).isEqualTo(end - taken.cardinality());
  }

  private Held allocate(Allocator allocator, long pageBytes) {
    SpaceKind kind = SpaceKind.values()[random.nextInt(SpaceKind.values().length)];
    long size = 1 + (random.nextInt(10) == 0 ? random.nextInt(100_000) : random.nextInt(600));
    long address = allocator.allocate(kind, size);
    if (pageBytes > 0 && size >= pageBytes) {
      assertThat(address % pageBytes).isZero();
    } else if (pageBytes > 0) {
      assertThat(address / pageBytes).isEqualTo((address + size - 1) / pageBytes);
    }
    return new Held(kind, address, size, false);
  }

  private static void clear(BitSet taken, Held gone) {
    taken.clear((int) gone.address, (int) (gone.address + gone.size));
  }

  @Test
  void refusesToFreeTwice() {
    Allocator allocator = new Allocator("twice", 8, START, SpacePolicy.DEFAULT);
    long address = allocator.allocate(SpaceKind.INDEX, 100);
    allocator.free(SpaceKind.INDEX, address, 100);
    assertThatThrownBy(() -> allocator.free(SpaceKind.HEAP, address + 10, 5))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("twice");
  }

  @Test
  void refusesToOutgrowTheAddresses() {
    Allocator allocator = new Allocator("small", 2, START, SpacePolicy.DEFAULT);
    assertThatThrownBy(() -> allocator.allocate(SpaceKind.RAW_DATA, 70_000))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("full");
  }

  @Test
  void alignsLargeBlocks() {
    Allocator allocator = new Allocator("aligned", 8, START, new SpacePolicy(4096, 1000, 0, 0));
    allocator.allocate(SpaceKind.RAW_DATA, 10);
    assertThat(allocator.allocate(SpaceKind.RAW_DATA, 1000) % 4096).isZero();
    assertThat(allocator.allocate(SpaceKind.RAW_DATA, 100_000) % 4096).isZero();
  }
}
