package org.hyperslab.plugins.nativevol.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.testkit.store.CountingStore;
import org.junit.jupiter.api.Test;

/** Tests that reading by pages returns what the file holds. */
final class MetadataPagesTest {

  private static final int PAGE = MetadataPages.PAGE_BYTES;

  private final byte[] content = new byte[100 * PAGE + 1000];
  private final MemoryStore file;
  private final CountingStore counted;
  private final MetadataPages pages;

  MetadataPagesTest() {
    new Random(1).nextBytes(content);
    file = MemoryStore.copyOf("file", content);
    counted = new CountingStore(file);
    pages = new MetadataPages(counted);
  }

  @Test
  void readsAnyPiece() {
    Random random = new Random(2);
    for (int i = 0; i < 2000; i++) {
      int length = random.nextInt(PAGE + 1);
      int offset = random.nextInt(content.length);
      byte[] expected =
          Arrays.copyOfRange(content, offset, Math.min(content.length, offset + length));
      assertThat(pages.read(offset, length)).isEqualTo(expected);
    }
  }

  @Test
  void readsAcrossTheEndOfAPage() {
    assertThat(pages.read(PAGE - 3, PAGE))
        .isEqualTo(Arrays.copyOfRange(content, PAGE - 3, 2 * PAGE - 3));
  }

  @Test
  void readsNothingBeyondTheEnd() {
    assertThat(pages.read(content.length, 10)).isEmpty();
    assertThat(pages.read(content.length + 7L * PAGE, 10)).isEmpty();
  }

  @Test
  void neighboursNeedNoRequest() {
    pages.read(0, 100);
    CountingStore.Counts before = counted.counts();
    pages.read(100, 500);
    pages.read(PAGE - 10, 10);
    assertThat(counted.counts().since(before).reads()).isZero();
  }

  @Test
  void readsTheFileAgainAfterForgetting() {
    pages.read(0, 2);
    file.write(0, MemorySegment.ofArray(new byte[] {41, 42}));
    pages.forget();
    assertThat(pages.read(0, 2)).containsExactly(41, 42);
  }
}
