package org.hyperslab.vol;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A connector that records the submitted operations and answers as the test determines. */
public final class FakeConnector implements Connector {

  private final List<Operation<?>> submitted = new ArrayList<>();
  private final Function<Operation<?>, CompletableFuture<Object>> answer;
  private boolean closed;

  /** Answers by a function; its futures may complete later. */
  public FakeConnector(Function<Operation<?>, CompletableFuture<Object>> answer) {
    this.answer = answer;
  }

  /** The submitted operations, in order. */
  public synchronized List<Operation<?>> submitted() {
    return List.copyOf(submitted);
  }

  /** Whether it was closed. */
  public synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.allOf(Capability.class);
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    synchronized (this) {
      submitted.add(operation);
    }
    @SuppressWarnings("unchecked") // a test answers with what the operation gives
    CompletionStage<R> stage = (CompletionStage<R>) answer.apply(operation);
    return stage;
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
