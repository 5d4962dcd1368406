package org.hyperslab.plugins.libhdf5.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which thread executes what needs the program, whatever thread asks. */
@Timeout(60)
final class ProgramThreadTest {

  private static final long LOOKS_MILLIS = 120;

  /** A library with a lock has given it to the thread that looks up filters. */
  @Test
  void callWaitsForTheProgramThatIsInTheLibrary() throws Exception {
    AtomicReference<CompletableFuture<Thread>> asked = new AtomicReference<>();
    boolean ranMeanwhile =
        ProgramThread.inside(() -> {
          asked.set(
              CompletableFuture.supplyAsync(() -> ProgramThread.execute(Thread::currentThread)));
          return endsSoon(asked.get());
        });

    ProgramThread.serve(asked.get(), -1);

    assertThat(ranMeanwhile).isFalse();
    assertThat(asked.get().get()).isSameAs(Thread.currentThread());
  }

  @Test
  void callOfTheProgramsThreadRunsAtOnce() {
    Thread ran = ProgramThread.inside(() -> ProgramThread.execute(Thread::currentThread));
    assertThat(ran).isSameAs(Thread.currentThread());
    assertThat(ProgramThread.mayCall()).isFalse();
  }

  @Test
  void searchIsServedByTheWaitingProgram() throws Exception {
    CompletableFuture<Optional<Thread>> asked =
        CompletableFuture.supplyAsync(() ->
            ProgramThread.find(
                Thread::currentThread,
                () -> {
                  throw new AssertionError("the program waits");
                }));

    ProgramThread.serve(asked, -1);

    assertThat(asked.get()).contains(Thread.currentThread());
  }

  private static boolean endsSoon(CompletableFuture<?> stage) {
    try {
      stage.get(LOOKS_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException waits) {
      return false;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
