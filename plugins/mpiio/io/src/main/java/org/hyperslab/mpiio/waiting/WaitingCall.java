package org.hyperslab.mpiio.waiting;

import org.hyperslab.mpi.MpiCommunicator;

/**
 * The call in which a rank waits on one communicator, for other threads to observe.
 *
 * <p>Thread rule: one thread, the communicator's, begins and ends calls; any thread reads.
 */
public final class WaitingCall {

  /** The peer of a call in which all ranks take part. */
  static final int ALL = -1;

  private final MpiCommunicator comm;
  private final CallCounts counts;

  /** Written before {@link #serial}, which publishes them. */
  private String name;

  private int peer;
  private long number;
  private long changes;

  /** Incremented when a call begins and when it ends, so it is odd during a call. */
  private volatile long serial;

  /**
   * Creates a state without a call.
   *
   * @param counts the counts of the communicator; null if they are unknown
   * @param comm the communicator
   */
  public WaitingCall(MpiCommunicator comm, CallCounts counts) {
    this.comm = comm;
    this.counts = counts;
  }

  /**
   * Begins a call that waits for one rank.
   *
   * @param call the call
   * @param rank the rank
   */
  public void forRank(String call, int rank) {
    name = call;
    peer = rank;
    serial = ++changes;
  }

  /**
   * Begins a call that waits for all ranks.
   *
   * @param call the call
   */
  public void forAll(String call) {
    name = call;
    peer = ALL;
    number = counts == null ? 0 : counts.begin();
    serial = ++changes;
  }

  /** Ends the call. */
  public void ends() {
    serial = ++changes;
  }

  /**
   * Returns the serial number, which is incremented when a call begins and when it ends; odd during
   * a call.
   */
  long serial() {
    return serial;
  }

  /** Returns the communicator. */
  MpiCommunicator comm() {
    return comm;
  }

  /** Returns the call's name; valid only while {@link #serial} stays odd and the same. */
  String name() {
    return name;
  }

  /**
   * Returns the awaited rank, or {@link #ALL}; valid only while {@link #serial} stays odd and the
   * same.
   */
  int peer() {
    return peer;
  }

  /** Returns the question to an awaited rank; null if nothing can be asked. */
  byte[] question() {
    if (peer != ALL) {
      return CallCounts.questionOfMessage();
    }
    return counts == null ? null : counts.question(number);
  }
}
