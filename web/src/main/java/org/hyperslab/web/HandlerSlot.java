package org.hyperslab.web;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Holds the handler of requests, which is set after the server listens, because the guard needs the
 * port.
 */
final class HandlerSlot {

  private final CompletableFuture<Function<WebRequest, WebReply>> named = new CompletableFuture<>();

  void set(Function<WebRequest, WebReply> answer) {
    named.complete(answer);
  }

  WebReply answer(WebRequest request) {
    return named.join().apply(request);
  }
}
