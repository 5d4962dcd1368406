package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpi.MpiOptions;
import org.hyperslab.mpi.ThreadLevel;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.Operation;

/**
 * A rank that {@link FewThreadsIT} starts under mpirun: requests an MPI for one thread, and creates
 * objects asynchronously. With more threads, another thread would agree on these creations later.
 */
final class FewThreadsRank {

  private FewThreadsRank() {}

  /** Arguments: the file. */
  public static void main(String[] arguments) {
    Mpi mpi = Mpi.start(MpiOptions.DEFAULT.withThreads(ThreadLevel.FUNNELED));
    assertThat(mpi.threadLevel()).isLessThan(ThreadLevel.MULTIPLE);
    try (MpiioConnector connector = MpiioConnector.inCurrentWorld(MpiioOptions.DEFAULT)) {
      Handle file = Handle.fresh();
      submit(connector, new FileOperation.Create(file, arguments[0], CreateOptions.DEFAULT));
      for (int i = 0; i < 3; i++) {
        Location at = new Location(file, "group" + i);
        submit(
            connector,
            new GroupOperation.Create(
                Handle.fresh(), at, GroupOptions.DEFAULT, LinkOptions.DEFAULT));
      }
      submit(connector, new FileOperation.Close(file));
    }
    System.out.println("done " + Worlds.current().describe());
  }

  /** Checks that operations have completed when they have been submitted. */
  private static void submit(MpiioConnector connector, Operation<?> operation) {
    CompletableFuture<?> future = connector.submit(operation).toCompletableFuture();
    assertThat(future.isDone()).as(operation.toString()).isTrue();
    assertThat(future.isCompletedExceptionally()).isFalse();
  }
}
