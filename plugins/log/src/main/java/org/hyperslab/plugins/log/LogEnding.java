package org.hyperslab.plugins.log;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The end of the logging of a file: its elements are migrated, and the part takes its place, now or
 * later. It begins while nothing else passes the door of the file, and nothing follows it.
 *
 * <p>Thread rule: one thread at a time.
 *
 * @param context what the files of the connector share
 * @param session part, log and note
 * @param marks the marks of the log
 * @param elements the elements of the part
 * @param pending the datasets of which elements are in the log only
 * @param closing closes the last handle that a program had
 * @param <R> the result of that
 */
record LogEnding<R>(
    LogContext context,
    LogSession session,
    LogMarks marks,
    PartElements elements,
    List<LoggedDataset> pending,
    Supplier<CompletionStage<R>> closing) {

  /** Ends the logging of a file that was not edited. */
  CompletionStage<R> untouched() {
    CompletionStage<R> closed = closed();
    session.abandon();
    return closed;
  }

  /** Ends the logging of a file as the options say. */
  CompletionStage<R> run() {
    return switch (context.options().drain()) {
      case CLOSE -> drained();
      case BACKGROUND, MANUAL -> left();
    };
  }

  private CompletionStage<R> closed() {
    CompletionStage<R> stage = closing.get();
    stage.toCompletableFuture().exceptionally(failure -> null).join();
    return stage;
  }

  private CompletionStage<R> drained() {
    try {
      if (!marks.isFresh()) {
        marks.flushPart();
      }
      elements.migrateAll(pending);
    } catch (RuntimeException failure) {
      throw kept(failure);
    }
    CompletionStage<R> closed = closed();
    try {
      publish();
    } catch (RuntimeException failure) {
      session.failed(failure);
      throw failure;
    }
    return closed;
  }

  /** Leaves all that a failed migration has not brought into the part to a later one. */
  private RuntimeException kept(RuntimeException failure) {
    try {
      if (marks.needsFlush()) {
        marks.flushPart();
      }
    } catch (RuntimeException also) {
      failure.addSuppressed(also);
    }
    closed();
    session.failed(failure);
    return failure;
  }

  private CompletionStage<R> left() {
    try {
      marks.flushPart();
    } catch (RuntimeException failure) {
      closed();
      session.failed(failure);
      throw failure;
    }
    CompletionStage<R> closed = closed();
    if (context.options().drain() == LogOptions.Drain.MANUAL) {
      session.leave();
    } else {
      context.background().execute(this::drainLater);
    }
    return closed;
  }

  private void drainLater() {
    try {
      elements.migrateAll(pending);
      publish();
    } catch (RuntimeException failure) {
      session.failed(failure);
    }
  }

  private void publish() {
    marks.complete(session.note());
    session.publish(context.options().overwrite());
  }
}
