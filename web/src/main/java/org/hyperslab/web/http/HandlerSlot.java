package org.hyperslab.web.http;

import java.util.concurrent.CompletableFuture;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.request.WebReply;
import org.hyperslab.web.request.WebRequest;

/**
 * Holds the handler of requests, which is set after the server listens, because the guard needs the
 * port.
 */
public final class HandlerSlot {

  private final CompletableFuture<Handler> named = new CompletableFuture<>();

  /** Answers requests to the server. */
  public interface Handler {

    /**
     * {@return the reply to a request}
     *
     * @param request the request
     * @param budget what it may use
     */
    WebReply answer(WebRequest request, RequestBudget budget);

    /**
     * {@return the reply for a failure}
     *
     * @param failure the failure
     */
    WebReply failed(Throwable failure);
  }

  void set(Handler handler) {
    named.complete(handler);
  }

  Handler get() {
    return named.join();
  }
}
