package org.hyperslab.testkit.world;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.StorageException;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;

/** The connector of a process, which passes nothing on when the process was killed. */
final class MortalConnector extends PassThroughConnector {

  private final WorldProcess process;
  private final Connector below;

  MortalConnector(WorldProcess process, Connector below) {
    super(below.name(), below);
    this.process = process;
    this.below = below;
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    return process.isKilled()
        ? CompletableFuture.failedFuture(new StorageException("killed"))
        : below.submit(operation);
  }

  @Override
  public void close() {
    if (!process.isKilled()) {
      below.close();
    }
  }
}
