package org.hyperslab.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.memory.Lease;

/**
 * A non-blocking call that has been started: a message, a collective or a file transfer. Its memory
 * belongs to MPI until it has completed.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class MpiRequest {

  /** The offset of the completion flag in {@link #place}, behind the request's handle. */
  private static final long DONE = 8;

  private static final long RESULT = 16;

  private final Library library;
  private final String name;

  /** The memory that MPI uses; referenced so that it is not collected. */
  private final List<HeapStaging.Staged> staged;

  private final Return back;

  private long handle;
  private MpiStatus status;
  private MpiException failure;

  /**
   * The request's handle, completion flag and status in native memory; null until the first test.
   */
  private MemorySegment place;

  private Lease lease;

  private MemorySegment done;
  private MemorySegment result;

  /** The part of the staged memory that is copied back to a user's heap memory. */
  enum Return {
    /** Nothing: MPI only reads. */
    NOTHING,
    /** The bytes that were received; MPI does not write the rest. */
    RECEIVED,
    /** All bytes: the memory was copied in before, and MPI changed parts of it. */
    ALL
  }

  private MpiRequest(
      Library library, String name, long handle, List<HeapStaging.Staged> staged, Return back) {
    this.library = library;
    this.name = name;
    this.handle = handle;
    this.staged = staged;
    this.back = back;
  }

  /**
   * Starts a call whose last argument is a pointer to the request.
   *
   * @param memory the memory that the call uses
   * @param back the part to copy back when the call has completed
   * @param arguments all arguments but the last
   */
  static MpiRequest start(
      Library library,
      Call call,
      HeapStaging.Staged memory,
      Return back,
      MemorySegment... arguments) {
    return start(library, call, List.of(memory), back, arguments);
  }

  static MpiRequest start(
      Library library,
      Call call,
      List<HeapStaging.Staged> memory,
      Return back,
      MemorySegment... arguments) {
    try {
      MpiRequest request =
          new MpiRequest(library, call.symbol(), library.newHandle(call, arguments), memory, back);
      if (call.isOfFile()) {
        library.startedFileTransfers().add(request);
      }
      return request;
    } catch (RuntimeException e) {
      memory.forEach(HeapStaging.Staged::close);
      throw e;
    }
  }

  /**
   * Returns whether the call has completed, without waiting. Once true, always true.
   *
   * @return whether the call has completed
   * @throws MpiException if it failed
   */
  public boolean test() {
    if (isOpen()) {
      prepare();
      int code = library.code(Call.TEST, place, done, result);
      if (code != 0 || done.get(ValueLayout.JAVA_INT, 0) != 0) {
        complete(code);
      }
    }
    return !isOpen() && await() != null;
  }

  /**
   * Waits until the call has completed. May be called again, with the same outcome.
   *
   * @return the status of the message or transfer
   * @throws MpiException if it failed
   */
  public MpiStatus await() {
    if (isOpen()) {
      prepare();
      complete(library.code(Call.WAIT, place, result));
    }
    if (failure != null) {
      throw new MpiException(
          failure.call(), failure.rank(), failure.code(), failure.text(), failure);
    }
    return status;
  }

  /**
   * Asks MPI to cancel a receive that has not matched a message; {@link #await} must still be
   * called.
   */
  public void cancel() {
    if (isOpen()) {
      prepare();
      library.call(Call.CANCEL, place);
    }
  }

  /**
   * Waits for all requests; throws the first failure when all have completed.
   *
   * @param requests the requests
   */
  public static void awaitAll(Iterable<MpiRequest> requests) {
    MpiException first = null;
    for (MpiRequest request : requests) {
      try {
        request.await();
      } catch (MpiException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private boolean isOpen() {
    return status == null && failure == null;
  }

  /**
   * Allocates the memory that tests use. It is allocated once, as a waiting rank tests very often.
   */
  private void prepare() {
    if (place == null) {
      lease = library.buffers().take(RESULT + library.abi().statusBytes());
      place = lease.segment();
      done = place.asSlice(DONE, Integer.BYTES);
      result = place.asSlice(RESULT, library.abi().statusBytes());
    }
    library.putHandle(place, 0, handle);
  }

  private void complete(int code) {
    handle = library.handle(Predefined.REQUEST_NULL);
    if (code == 0) {
      status = library.status(result);
      switch (back) {
        case NOTHING -> {}
        case RECEIVED -> staged.forEach(memory -> memory.copyOut(0, status.bytes()));
        case ALL -> staged.forEach(HeapStaging.Staged::copyOut);
      }
    } else {
      MpiException cause = library.failed(Call.WAIT, code);
      failure = new MpiException(name, cause.rank(), code, cause.text());
    }
    staged.forEach(HeapStaging.Staged::close);
    lease.close();
    place = null;
    library.startedFileTransfers().remove(this);
  }
}
