package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.hyperslab.error.StorageException;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.store.CountingStore;
import org.junit.jupiter.api.Test;

/** Tests small reads through pages: their content, their cost, and the effect of writes. */
final class PageBufferStoreTest {

  private static final int PAGE = 512;

  private static byte[] read(ByteStore store, long offset, int length) {
    byte[] bytes = new byte[length];
    store.read(offset, MemorySegment.ofArray(bytes));
    return bytes;
  }

  @Test
  void readsTheContentOfTheStore() {
    Seeds.runFixed(50, PageBufferStoreTest::compare);
  }

  private static void compare(Random random) {
    MemoryStore plain = new MemoryStore("plain");
    PageBufferStore paged = new PageBufferStore(new MemoryStore("behind"), PAGE, 4 * PAGE);
    for (int step = 0; step < 200; step++) {
      int length = 1 + random.nextInt(3 * PAGE);
      long offset = random.nextInt(20 * PAGE);
      switch (random.nextInt(8)) {
        case 0 -> {
          plain.truncate(offset);
          paged.truncate(offset);
        }
        case 1, 2 -> {
          byte[] bytes = new byte[length];
          random.nextBytes(bytes);
          plain.write(offset, MemorySegment.ofArray(bytes));
          paged.write(offset, MemorySegment.ofArray(bytes));
        }
        default -> {
          long from = Math.min(offset, Math.max(0, plain.size() - 1));
          int there = (int) Math.min(length, plain.size() - from);
          assertThat(read(paged, from, there)).isEqualTo(read(plain, from, there));
        }
      }
      assertThat(paged.size()).isEqualTo(plain.size());
    }
  }

  @Test
  void manySmallReadsAreOneRequestAPage() {
    CountingStore counted = new CountingStore(new MemoryStore("counted"));
    byte[] bytes = new byte[4 * PAGE];
    Arrays.fill(bytes, (byte) 7);
    counted.write(0, MemorySegment.ofArray(bytes));
    PageBufferStore paged = new PageBufferStore(counted, PAGE, 4 * PAGE);
    long before = counted.counts().reads();
    for (int at = 0; at + 10 <= bytes.length; at += 10) {
      assertThat(read(paged, at, 10)).containsOnly(7);
    }
    assertThat(counted.counts().reads() - before).isEqualTo(4);
  }

  @Test
  void readBeyondTheEndFails() {
    PageBufferStore paged = new PageBufferStore(new MemoryStore("short"), PAGE, PAGE);
    paged.write(0, MemorySegment.ofArray(new byte[10]));
    assertThatThrownBy(() -> read(paged, 5, 6)).isInstanceOf(StorageException.class);
    assertThat(read(paged, 5, 5)).hasSize(5);
    assertThatThrownBy(() -> new PageBufferStore(new MemoryStore("s"), 100, 1000))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
