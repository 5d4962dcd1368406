package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * A duplication of a communicator that has been started, {@code MPI_Comm_idup}. Unlike {@link
 * MpiCommunicator#duplicate}, it can be given up when other ranks do not come.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class MpiDuplication {

  private final MpiCommunicator comm;

  /** The place of the new handle. MPI writes it at any time until the request has completed. */
  private final MemorySegment made = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);

  private final MpiRequest request;

  MpiDuplication(MpiCommunicator comm) {
    this.comm = comm;
    Library library = comm.mpi().library();
    this.request =
        MpiRequest.start(
            library,
            Call.COMM_IDUP,
            List.of(),
            MpiRequest.Return.NOTHING,
            value(comm.handle()),
            made);
  }

  /** {@return the request, which completes when every rank has started the duplication} */
  public MpiRequest request() {
    return request;
  }

  /**
   * Waits until every rank has started the duplication.
   *
   * @return the duplicate: the same ranks with separate messages; to be closed by the caller
   * @throws org.hyperslab.error.MpiException if MPI refuses it
   */
  public MpiCommunicator await() {
    request.await();
    return comm.made(comm.mpi().library().handleAt(made, 0));
  }
}
