package org.hyperslab.error;

/**
 * Communication between ranks failed: MPI returned an error code, a message was longer than its
 * buffer, another rank ended with an exception, or ranks deadlocked.
 */
public final class MpiException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /** The code of a failure that does not come from an MPI library. */
  public static final int NO_CODE = -1;

  /** The rank of a failure that belongs to no single rank. */
  public static final int NO_RANK = -1;

  private final String call;
  private final int rank;
  private final int code;
  private final String text;

  /**
   * Creates the exception.
   *
   * @param call the call that failed, such as {@code MPI_Recv} or {@code receive}
   * @param rank the rank that failed, in its world, or {@link #NO_RANK}
   * @param code MPI's error code, or {@link #NO_CODE}
   * @param text the text of MPI or the communicator, with actual and expected values
   */
  public MpiException(String call, int rank, int code, String text) {
    this(call, rank, code, text, null);
  }

  /**
   * Creates the exception with a cause, which may be null.
   *
   * @param call the MPI function
   * @param rank the rank in the communicator
   * @param code MPI's error code
   * @param text the text that MPI gives for the code
   * @param cause the cause
   */
  public MpiException(String call, int rank, int code, String text, Throwable cause) {
    super(
        call
            + ": "
            + text
            + (code == NO_CODE ? "" : ", code=" + code)
            + (rank == NO_RANK ? "" : ", at=rank " + rank),
        cause);
    this.call = call;
    this.rank = rank;
    this.code = code;
    this.text = text;
  }

  /** Tells a failure in other words. */
  MpiException(MpiException original, String message) {
    super(message, original.getCause());
    this.call = original.call;
    this.rank = original.rank;
    this.code = original.code;
    this.text = original.text;
  }

  /** {@return the call that failed} */
  public String call() {
    return call;
  }

  /** {@return the rank that failed, in its world communicator, or {@link #NO_RANK}} */
  public int rank() {
    return rank;
  }

  /** {@return MPI's error code, or {@link #NO_CODE}} */
  public int code() {
    return code;
  }

  /** {@return the text of MPI or the communicator} */
  public String text() {
    return text;
  }
}
