package org.hyperslab.plugins.libhdf5.file;

import java.util.concurrent.CompletableFuture;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Operation;

/**
 * The ranks that open a file.
 *
 * @param configuration the configuration of the connector that the program gave
 * @param effective the configuration of the connector that is used
 * @param ranks the ranks if they are several; null if the calling rank opens it alone, or if
 *     libhdf5 is not a parallel one and the connector finds its ranks
 */
public record FileRanks(String configuration, String effective, Communicator ranks) {

  /** Returns whether several ranks open the file. */
  public boolean areSeveral() {
    return ranks != null;
  }

  /** Submits an operation that no open file has part in, as one of these ranks. */
  public <R> CompletableFuture<R> submit(Connector connector, Operation<R> operation) {
    return ranks == null
        ? connector.submit(operation).toCompletableFuture()
        : Worlds.within(ranks, () -> connector.submit(operation).toCompletableFuture());
  }
}
