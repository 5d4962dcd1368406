package org.hyperslab.plugins.mpiio.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that answers of rank 0 arrive complete, for any number of messages. */
class AnswerLengthsTest {

  private static final int RANKS = 3;

  /**
   * Returns lengths around those at which another message begins, and at which pieces are not used.
   */
  static IntStream lengths() {
    int first = 2048 - Integer.BYTES - 5;
    return IntStream.concat(
            IntStream.of(0, 1, 100_000), IntStream.of(0, 1, 2, 15, 16).map(n -> first + n * 3584))
        .flatMap(n -> n < 100 ? IntStream.of(n) : IntStream.of(n - 1, n, n + 1));
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void resultOfRankZeroReachesAllRanks(int length) {
    byte[] said = new byte[length];
    for (int i = 0; i < length; i++) {
      said[i] = (byte) (i * 31 + i / 251);
    }
    ThreadWorld.run(
        RANKS,
        comm -> {
          Agreement agreement = new Agreement(comm);
          assertThat(agreement.fromRoot(() -> said)).isEqualTo(said);
          // The rest of one answer would be taken for the next.
          assertThat(agreement.fromRoot(() -> new byte[] {7})).containsExactly(7);
        });
  }
}
