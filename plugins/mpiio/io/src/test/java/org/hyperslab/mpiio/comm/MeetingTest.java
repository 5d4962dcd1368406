package org.hyperslab.mpiio.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the meeting before a collective call, with few ranks, and with so many that they meet in
 * rounds.
 */
final class MeetingTest {

  private static final long MINUTES = Duration.ofMinutes(5).toNanos();
  private static final int OTHER = 7;

  private static void run(int ranks, RankBody body) {
    ThreadWorld.of(ranks).withTimeLimit(Duration.ofMinutes(5)).run(body);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 32, 33, 40, 64})
  void meetingEndsWhenAllRanksHaveArrived(int ranks) {
    int[] came = new int[ranks];
    run(
        ranks,
        comm -> {
          for (int meeting = 1; meeting <= 5; meeting++) {
            came[comm.rank()] = meeting;
            // Texts of other lengths and of equal ones, in memory that is used again.
            comm.meet("call " + "x".repeat(meeting / 2), MINUTES);
            for (int rank = 0; rank < ranks; rank++) {
              assertThat(came[rank]).isGreaterThanOrEqualTo(meeting);
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 32, 33, 40, 64})
  void namesARankThatMakesAnotherCallOnAll(int ranks) {
    run(
        ranks,
        comm -> {
          comm.meet("first", MINUTES);
          String call = comm.rank() == OTHER ? "write" : "read";
          assertThatThrownBy(() -> comm.meet(call, MINUTES))
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("rank " + OTHER + ": write");
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 40, 64})
  void meetingEndsOnAllWhenOneStaysAway(int ranks) {
    CountDownLatch others = new CountDownLatch(ranks - 1);
    Queue<String> texts = new ConcurrentLinkedQueue<>();
    run(
        ranks,
        comm -> {
          comm.meet("first", MINUTES);
          if (comm.rank() == OTHER) {
            others.await();
            return;
          }
          try {
            Throwable thrown = catchThrowable(() -> comm.meet("second", 300_000_000));
            assertThat(thrown).isInstanceOf(MpiException.class);
            texts.add(thrown.getMessage());
          } finally {
            others.countDown();
          }
        });
    assertThat(texts)
        .hasSize(ranks - 1)
        .allMatch(text -> text.contains("nothing has moved for 300 ms, waiting for rank"))
        .anyMatch(text -> text.contains("waiting for rank " + OTHER + ","));
  }
}
