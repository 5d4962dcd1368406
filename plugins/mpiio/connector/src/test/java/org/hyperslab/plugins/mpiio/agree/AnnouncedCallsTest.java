package org.hyperslab.plugins.mpiio.agree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.junit.jupiter.api.Test;

/** Tests that rank 0 learns of deferred calls, and can execute them, before anybody waits. */
class AnnouncedCallsTest {

  private static final int RANKS = 3;
  private static final List<String> CALLS = List.of("a", "b", "c");

  /** How many calls rank 0 has executed. */
  private final AtomicInteger executed = new AtomicInteger();

  private final CountDownLatch begun = new CountDownLatch(1);

  /** Counts the ranks other than rank 0 that have deferred their calls. */
  private final CountDownLatch announced = new CountDownLatch(RANKS - 1);

  private void defer(Agreement agreement, String call, List<String> outcomes) {
    agreement.defer(
        new ComparedCall(call.substring(0, 1), call),
        () -> {
          executed.incrementAndGet();
          begun.countDown();
          return ("answer to " + call).getBytes(UTF_8);
        },
        (answer, failure) ->
            outcomes.add(failure == null ? new String(answer, UTF_8) : failure.getMessage()));
  }

  /** Lets rank 0 answer all that it has deferred, while the others make no further call. */
  private void hearAll(Agreement agreement) throws InterruptedException {
    if (!agreement.hears()) {
      announced.countDown();
      return;
    }
    announced.await();
    agreement.settleReported();
    assertThat(agreement.deferred()).isZero();
  }

  @Test
  void rankZeroExecutesCallsThatOthersHaveOnlyDeferred() {
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          Agreement agreement = new Agreement(comm);
          List<String> outcomes = new ArrayList<>();
          CALLS.forEach(call -> defer(agreement, call, outcomes));
          hearAll(agreement);
          begun.await(); // the others do nothing before rank 0 has executed a call
          agreement.settle();
          assertThat(outcomes).containsExactly("answer to a", "answer to b", "answer to c");
          assertThat(agreement.fromRoot(() -> new byte[] {7})).containsExactly(7);
        });
    assertThat(executed).hasValue(CALLS.size());
  }

  @Test
  void callsThatDifferFailWhenRankZeroHearsOfThem() {
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          Agreement agreement = new Agreement(comm);
          List<String> outcomes = new ArrayList<>();
          defer(agreement, "a", outcomes);
          defer(agreement, comm.rank() == 1 ? "b of rank 1" : "b", outcomes);
          defer(agreement, "c", outcomes);
          hearAll(agreement);
          agreement.settle();
          assertThat(outcomes).hasSize(3);
          assertThat(outcomes.get(0)).isEqualTo("answer to a");
          assertThat(outcomes.get(1)).contains("rank 1: b of rank 1");
          assertThat(outcomes.get(2)).isEqualTo("answer to c");
          assertThat(agreement.isLost()).isFalse();
        });
  }

  @Test
  void rankZeroDoesNotWaitForCallsThatNobodyHasAnnounced() {
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          Agreement agreement = new Agreement(comm);
          List<String> outcomes = new ArrayList<>();
          if (agreement.hears()) {
            defer(agreement, "a", outcomes);
            agreement.settleReported(); // returns, although the others have not come
            assertThat(outcomes).isEmpty();
          }
          comm.barrier();
          if (!agreement.hears()) {
            defer(agreement, "a", outcomes);
          }
          agreement.settle();
          assertThat(outcomes).containsExactly("answer to a");
        });
  }

  @Test
  void onlyRankZeroOfFewRanksHears() {
    ThreadWorld.run(
        RANKS, comm -> assertThat(new Agreement(comm).hears()).isEqualTo(comm.rank() == 0));
    ThreadWorld.run(17, comm -> assertThat(new Agreement(comm).hears()).isFalse());
  }
}
