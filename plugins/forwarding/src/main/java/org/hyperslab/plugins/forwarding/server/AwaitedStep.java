package org.hyperslab.plugins.forwarding.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.hyperslab.model.StepPage;
import org.hyperslab.vol.StepOperation;

/**
 * A request for the next steps of a file whose reply waits until there is one: the client has given
 * credit for it, and the step is sent when it is published. No thread waits: the connector is asked
 * again and again, with pauses, until a step is there, none will follow, or the time is over. The
 * connection, the session and the file may end meanwhile; then the connector refuses, which ends
 * the request.
 *
 * <p>Thread rule: one turn at a time.
 */
final class AwaitedStep {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The longest time that a request may wait, whatever the client asks for. */
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final SessionServices services;
  private final Supplier<CompletionStage<StepPage>> asking;
  private final long end;
  private final CompletableFuture<StepPage> reply = new CompletableFuture<>();

  private AwaitedStep(
      SessionServices services, long nanos, Supplier<CompletionStage<StepPage>> asking) {
    this.services = services;
    this.asking = asking;
    this.end = services.scheduling().nanoTime() + nanos;
  }

  /**
   * Returns the stage of a request.
   *
   * @param asking asks the connector
   */
  static CompletionStage<StepPage> of(
      StepOperation.Next next,
      SessionServices services,
      Supplier<CompletionStage<StepPage>> asking) {
    long millis = Math.min(next.waitMillis(), TimeUnit.NANOSECONDS.toMillis(LONGEST_NANOS));
    AwaitedStep awaited = new AwaitedStep(services, TimeUnit.MILLISECONDS.toNanos(millis), asking);
    awaited.ask();
    return awaited.reply;
  }

  private void ask() {
    CompletionStage<StepPage> asked;
    try {
      asked = asking.get();
    } catch (RuntimeException | Error failed) {
      reply.completeExceptionally(failed);
      return;
    }
    asked.whenComplete((page, failure) -> {
      if (failure != null) {
        reply.completeExceptionally(failure);
      } else if (page.count() > 0
          || page.writer() != StepPage.Writer.WRITING
          || services.scheduling().nanoTime() - end >= 0) {
        reply.complete(page);
      } else {
        services.scheduling().later(PAUSE_NANOS, services.workers(), this::ask);
      }
    });
  }
}
