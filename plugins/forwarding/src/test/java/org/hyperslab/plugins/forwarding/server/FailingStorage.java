package org.hyperslab.plugins.forwarding.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.StorageException;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;

/** Storage on which operations of one kind fail while it is told to. */
public class FailingStorage extends PassThroughConnector {

  /** The ways in which an operation can fail. */
  public enum Way {
    /** It does what it is asked to. */
    NOT,
    /** The stage has failed when submit returns. */
    AT_ONCE,
    /** The stage fails later, in another thread. */
    LATER,
    /** Submit throws an exception. */
    THROWS,
    /** Submit throws an error. */
    BREAKS
  }

  private volatile Class<?> kind;
  private volatile Way way = Way.NOT;

  public FailingStorage(Connector below) {
    super("failing", below);
  }

  /** From now on operations of a kind fail. */
  public void fail(Class<?> operations, Way how) {
    kind = operations;
    way = how;
  }

  /** From now on nothing fails. */
  public void heal() {
    way = Way.NOT;
  }

  private static StorageException full() {
    return new StorageException("disk: actual=full, expected=room");
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    if (way == Way.NOT || !kind.isInstance(operation)) {
      return below.submit(operation);
    }
    if (operation instanceof FileOperation.Close) {
      below.submit(operation).toCompletableFuture().join(); // a close that fails closes, too
    }
    return switch (way) {
      case NOT -> below.submit(operation);
      case AT_ONCE -> CompletableFuture.failedFuture(full());
      case LATER ->
          CompletableFuture.supplyAsync(() -> {
            throw full();
          });
      case THROWS -> throw full();
      case BREAKS -> throw new NoClassDefFoundError("a class that is missing");
    };
  }
}
