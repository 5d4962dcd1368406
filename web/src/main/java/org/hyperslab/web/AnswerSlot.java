package org.hyperslab.web;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What answers requests, once it is named: the guard knows the port, which is known only when the
 * server listens.
 */
final class AnswerSlot {

  private final CompletableFuture<Function<WebRequest, WebReply>> named = new CompletableFuture<>();

  void set(Function<WebRequest, WebReply> answer) {
    named.complete(answer);
  }

  WebReply answer(WebRequest request) {
    return named.join().apply(request);
  }
}
