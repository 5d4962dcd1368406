package org.hyperslab.plugins.nativevol.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.hyperslab.format.store.MemoryStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the window through which small pieces of raw data are read. */
final class RawWindowTest {

  private static final int BYTES = 300_000;

  private final byte[] content = new byte[BYTES];
  private final MemoryStore store = new MemoryStore("window");
  private final RawWindow window = new RawWindow(store);

  @BeforeEach
  void fillStore() {
    new Random(1).nextBytes(content);
    store.write(0, MemorySegment.ofArray(content));
  }

  /** Reads a piece; returns null if it did not come through the window. */
  private byte[] read(int offset, int length) {
    byte[] piece = new byte[length];
    return window.read(offset, MemorySegment.ofArray(piece), BYTES) ? piece : null;
  }

  private byte[] expected(int offset, int length) {
    return Arrays.copyOfRange(content, offset, offset + length);
  }

  @Test
  void readsSmallPiecesNearTheOneBefore() {
    assertThat(read(1000, 8)).as("the first piece").isNull();
    for (int at : new int[] {1008, 900, 65_000, 70_000, 299_000, 234_600, 299_992}) {
      byte[] piece = read(at, 8);
      if (piece != null) {
        assertThat(piece).as("at %d", at).isEqualTo(expected(at, 8));
      }
    }
    assertThat(read(299_900, 100)).isEqualTo(expected(299_900, 100));
  }

  @Test
  void leavesLargeAndDistantPieces() {
    read(0, 8);
    assertThat(read(200_000, 8)).as("a distant piece").isNull();
    assertThat(read(200_008, 1 << 15)).as("a large piece").isNull();
    assertThat(read(200_016, 8)).isEqualTo(expected(200_016, 8));
  }

  @Test
  void readsAgainWhatWasForgotten() {
    read(0, 8);
    assertThat(read(8, 8)).isEqualTo(expected(8, 8));
    content[9]++;
    store.write(0, MemorySegment.ofArray(content));
    window.forget();
    assertThat(read(8, 8)).isEqualTo(expected(8, 8));
  }
}
