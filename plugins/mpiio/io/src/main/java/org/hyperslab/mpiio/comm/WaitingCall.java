package org.hyperslab.mpiio.comm;

import org.hyperslab.mpi.MpiCommunicator;

/**
 * The call in which a rank waits now, on one communicator, as another thread sees it.
 *
 * <p>Thread rule: one thread, the communicator's, begins and ends calls; any reads.
 */
final class WaitingCall {

  /** The peer of a call in which all ranks take part. */
  static final int ALL = -1;

  private final MpiCommunicator comm;
  private final CallCounts counts;

  /** Written before {@link #serial}, which publishes them. */
  private String name;

  private int peer;
  private long number;
  private long changes;

  /** Odd while a call goes on; grows with each call. */
  private volatile long serial;

  /**
   * No call yet.
   *
   * @param counts of the communicator; null if they are unknown
   */
  WaitingCall(MpiCommunicator comm, CallCounts counts) {
    this.comm = comm;
    this.counts = counts;
  }

  void forRank(String call, int rank) {
    name = call;
    peer = rank;
    serial = ++changes;
  }

  void forAll(String call) {
    name = call;
    peer = ALL;
    number = counts == null ? 0 : counts.begin();
    serial = ++changes;
  }

  void ends() {
    serial = ++changes;
  }

  /** Grows with each call; odd while one goes on. */
  long serial() {
    return serial;
  }

  /** Returns the communicator. */
  MpiCommunicator comm() {
    return comm;
  }

  /** Returns the call's name. While {@link #serial} stays odd and the same. */
  String name() {
    return name;
  }

  /**
   * Returns the rank that it waits for, or {@link #ALL}. While {@link #serial} stays odd and the
   * same.
   */
  int peer() {
    return peer;
  }

  /** Returns what to ask a rank that it waits for; null if nothing can be asked. */
  byte[] question() {
    if (peer != ALL) {
      return CallCounts.questionOfMessage();
    }
    return counts == null ? null : counts.question(number);
  }
}
