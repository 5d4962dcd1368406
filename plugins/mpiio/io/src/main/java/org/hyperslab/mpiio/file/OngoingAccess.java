package org.hyperslab.mpiio.file;

import java.util.function.Supplier;

/**
 * An access that has been started, and goes on when its lane is asked to.
 *
 * <p>Thread rule: {@link #advance} by one thread at a time, which the lane sees to; the others are
 * safe.
 */
final class OngoingAccess implements FileRequest {

  private final AccessLane lane;
  private final Transfer transfer;
  private final Supplier<StagedTransfer> begin;

  /** The only thread that may touch the memory; null if any may. */
  private final Thread owner;

  private StagedTransfer moving;
  private AccessStatus status;
  private RuntimeException failure;
  private volatile boolean ended;

  /**
   * An access of which nothing has been done yet.
   *
   * @param begin makes the transfer when it is this access's turn; must not wait
   */
  OngoingAccess(AccessLane lane, Transfer transfer, Thread owner, Supplier<StagedTransfer> begin) {
    this.lane = lane;
    this.transfer = transfer;
    this.owner = owner;
    this.begin = begin;
  }

  boolean isCollective() {
    return transfer.collective();
  }

  boolean isWrite() {
    return transfer.write();
  }

  boolean hasBegun() {
    return moving != null;
  }

  boolean hasEnded() {
    return ended;
  }

  boolean mayAdvanceHere() {
    return owner == null || owner == Thread.currentThread();
  }

  /**
   * Goes on without waiting.
   *
   * @param here whether the calling thread would only wait
   * @return whether anything moved
   */
  boolean advance(boolean here) {
    try {
      boolean fresh = moving == null;
      if (fresh) {
        moving = begin.get();
      }
      long before = moving.moves();
      if (moving.advance(here)) {
        status = moving.status();
        ended = true;
      }
      return fresh || ended || moving.moves() != before;
    } catch (RuntimeException failed) {
      failure = failed;
      ended = true;
      return true;
    }
  }

  @Override
  public boolean test() {
    if (!ended) {
      lane.help();
    }
    return ended;
  }

  @Override
  public AccessStatus await() {
    lane.await(this);
    if (failure != null) {
      throw failure;
    }
    return status;
  }
}
