package org.hyperslab.plugins.nativevol.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Compares the entries of a metadata cache with a map, and looks them up in another thread. */
final class BlockTableTest {

  private static final MetadataBlock BLOCK =
      new MetadataBlock() {
        @Override
        public long encodedSize() {
          return 8;
        }

        @Override
        public void encode(MetadataWriter writer) {
          writer.zeros(8);
        }
      };

  private static CachedBlock entry(long address) {
    return new CachedBlock(address, 8, BLOCK);
  }

  private static CachedBlock collected(long address) {
    return new CachedBlock(address, 8, null);
  }

  @Test
  void holdsWhatAMapHolds() {
    Seeds.run(4, BlockTableTest::compare);
  }

  private static void compare(Random random) {
    BlockTable table = new BlockTable();
    Map<Long, CachedBlock> expected = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      long address = 96 + 8L * random.nextInt(i % 5000 < 2500 ? 40 : 4000);
      switch (random.nextInt(4)) {
        case 0 -> assertThat(table.remove(address)).isSameAs(expected.remove(address));
        case 1 -> {
          CachedBlock fresh = entry(address);
          CachedBlock kept = table.putIfNone(fresh);
          assertThat(kept).isSameAs(expected.computeIfAbsent(address, at -> fresh));
        }
        default -> {
          CachedBlock fresh = entry(address);
          assertThat(table.put(fresh)).isSameAs(expected.put(address, fresh));
        }
      }
      long other = 96 + 8L * random.nextInt(4000);
      assertThat(table.get(other)).isSameAs(expected.get(other));
    }
    table.removeIf(entry -> entry.address() % 16 == 0);
    expected.keySet().removeIf(address -> address % 16 == 0);
    for (long address = 96; address < 96 + 8 * 4000; address += 8) {
      assertThat(table.get(address)).as("%d", address).isSameAs(expected.get(address));
    }
  }

  @Test
  void onlyAnEntryWithoutABlockIsReplacedOrRemovedAsCollected() {
    BlockTable table = new BlockTable();
    CachedBlock living = entry(8);
    CachedBlock dead = collected(16);
    table.put(living);
    table.put(dead);
    table.removeCollected(8);
    table.removeCollected(24);
    assertThat(table.get(8)).isSameAs(living);
    assertThat(table.get(16)).isSameAs(dead);
    CachedBlock again = entry(16);
    assertThat(table.putIfNone(again)).isSameAs(again);
    table.put(collected(16));
    table.removeCollected(16);
    assertThat(table.get(16)).isNull();
  }

  /** Removals move other entries, which a look-up at that time must neither miss nor mistake. */
  @Test
  void whatStaysIsFoundWhileOthersComeAndGo() {
    BlockTable table = new BlockTable();
    for (long address = 0; address < 64; address++) {
      table.put(entry(1000 + address));
    }
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Integer> changes =
        CompletableFuture.supplyAsync(() -> {
          int count = 0;
          for (int round = 0; round < 2000; round++) {
            for (long address = 0; address < 64; address++) {
              table.put(entry(address));
            }
            for (long address = 0; address < 64; address++) {
              table.remove(address);
              count++;
            }
          }
          done.set(true);
          return count;
        });
    int missed = 0;
    int mistaken = 0;
    do {
      for (long address = 0; address < 64; address++) {
        missed += isEntryAt(1000 + address, table.get(1000 + address)) ? 0 : 1;
        CachedBlock other = table.get(address);
        mistaken += other == null || isEntryAt(address, other) ? 0 : 1;
      }
    } while (!done.get() && !changes.isCompletedExceptionally());
    assertThat(changes.join()).isEqualTo(128_000);
    assertThat(missed).isZero();
    assertThat(mistaken).isZero();
  }

  private static boolean isEntryAt(long address, CachedBlock entry) {
    return entry != null && entry.address() == address;
  }
}
