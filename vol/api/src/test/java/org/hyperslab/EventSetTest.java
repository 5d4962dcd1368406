package org.hyperslab;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.error.StorageException;
import org.junit.jupiter.api.Test;

final class EventSetTest {

  @Test
  void waitEndsAtItsTimeLimit() {
    EventSet events = new EventSet();
    CompletableFuture<Void> never = events.insert("never", new CompletableFuture<Void>());
    assertThat(events.await(Duration.ZERO)).isEqualTo(new EventSet.Status(1, 0));
    assertThat(events.await(Duration.ofMillis(5)).isDone()).isFalse();
    never.complete(null);
    assertThat(events.await().isDone()).isTrue();
  }

  @Test
  void failuresAreNumberedAndTakenOnce() {
    EventSet events = new EventSet();
    events.insert("good", CompletableFuture.completedFuture(1));
    CompletableFuture<Integer> bad = CompletableFuture.failedFuture(new StorageException("full"));
    events.insert("bad", bad.thenApply(x -> x + 1));
    assertThat(events.status()).isEqualTo(new EventSet.Status(0, 1));
    EventSet.Failure failure = events.takeFailures().getFirst();
    assertThat(failure.label()).isEqualTo("bad");
    assertThat(failure.number()).isEqualTo(1);
    assertThat(failure.cause()).isInstanceOf(StorageException.class).hasMessage("full");
    assertThat(events.takeFailures()).isEmpty();
    assertThat(events.insertedCount()).isEqualTo(2);
  }

  @Test
  void emptySetIsDone() {
    assertThat(new EventSet().await()).isEqualTo(new EventSet.Status(0, 0));
  }
}
