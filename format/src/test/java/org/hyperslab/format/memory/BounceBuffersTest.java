package org.hyperslab.format.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how long transfers are divided among requests. */
final class BounceBuffersTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 327_680, 524_288})
  void whatFitsABufferIsOneRequest(long bytes) {
    assertThat(BounceBuffers.nextBytes(bytes)).isEqualTo((int) bytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {524_289, 786_432, 1L << 40})
  void noRequestOfALongTransferIsShorterThanHalfABuffer(long bytes) {
    long remaining = bytes;
    for (int requests = 0; remaining > 0 && requests < 100; requests++) {
      int next = BounceBuffers.nextBytes(remaining);
      assertThat(next).isBetween(BounceBuffers.BUFFER_BYTES / 2, BounceBuffers.BUFFER_BYTES);
      remaining -= next;
    }
    assertThat(remaining).isNotNegative();
  }
}
