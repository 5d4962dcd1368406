package org.hyperslab.plugins.forwarding.client;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.vol.base.Scheduling;

/**
 * The questions for a server's status that wait for their answers. Each has a number, which its
 * answer repeats, so that several threads may ask at the same time.
 *
 * <p>Thread rule: safe.
 */
final class StatusQuestions {

  private final Map<Long, CompletableFuture<String>> open = new ConcurrentHashMap<>();
  private final AtomicLong last = new AtomicLong();
  private final Scheduling scheduling;

  StatusQuestions(Scheduling scheduling) {
    this.scheduling = scheduling;
  }

  /**
   * Asks, and waits for the answer.
   *
   * @param send sends the question with the given number
   * @param longest how long the answer may take
   * @return the answer
   * @throws CompletionException if there is none in time, or the session has ended
   */
  String ask(LongConsumer send, Duration longest) {
    long number = last.incrementAndGet();
    CompletableFuture<String> answer = new CompletableFuture<>();
    open.put(number, answer);
    try {
      send.accept(number);
      return scheduling.limit(answer, longest.toNanos()).join();
    } finally {
      open.remove(number);
    }
  }

  /** Gives a question its answer, unless it waits no longer. */
  void answer(long number, String text) {
    CompletableFuture<String> question = open.get(number);
    if (question != null) {
      question.complete(text);
    }
  }

  /** Ends all questions without an answer. */
  void fail(HyperslabException reason) {
    open.values().forEach(question -> question.completeExceptionally(reason));
  }
}
