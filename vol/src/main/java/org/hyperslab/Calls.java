package org.hyperslab;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.vol.Connectors;

/**
 * Waits for stages. If a stage has failed, throws its exception. An exception that was created in
 * another thread or by an earlier call is replaced by one of the same class and message with the
 * stack trace of the waiting caller and the original as its cause.
 */
final class Calls {

  private Calls() {}

  /** Waits for a stage and returns its result. */
  static <R> R await(CompletionStage<R> stage) {
    CompletableFuture<R> future = stage.toCompletableFuture();
    try {
      return future.join();
    } catch (CompletionException e) {
      throw here(Connectors.causeOf(e));
    }
  }

  private static RuntimeException here(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (!(failure instanceof HyperslabException typed)) {
      return failure instanceof RuntimeException unchecked
          ? unchecked
          : new CompletionException(failure);
    }
    StackTraceElement[] caller = new Throwable().getStackTrace();
    return madeBelow(typed.getStackTrace(), caller) ? typed : twin(typed);
  }

  /**
   * Returns whether a stack trace ends with that of the caller of await, that is, was taken during
   * this call.
   */
  private static boolean madeBelow(StackTraceElement[] trace, StackTraceElement[] caller) {
    int common = caller.length - 3; // without here, await and the line of await's caller
    return common > 0
        && trace.length >= common
        && Arrays.equals(trace, trace.length - common, trace.length, caller, 3, caller.length);
  }

  private static HyperslabException twin(HyperslabException failure) {
    String message = failure.getMessage();
    return switch (failure) {
      case CorruptFileException corrupt -> corrupt.again();
      case UnsupportedFeatureException e -> new UnsupportedFeatureException(message, e);
      case StorageException e -> new StorageException(message, e);
      case LimitExceededException e -> new LimitExceededException(message, e);
      case InvalidUseException e -> new InvalidUseException(message, e);
      case NotFoundException e -> new NotFoundException(message, e);
      case AlreadyExistsException e -> new AlreadyExistsException(message, e);
      case RemoteException e -> new RemoteException(message, e);
      case MpiException e -> new MpiException(e.call(), e.rank(), e.code(), e.text(), e);
      case InternalErrorException e -> new InternalErrorException(message, e);
    };
  }
}
