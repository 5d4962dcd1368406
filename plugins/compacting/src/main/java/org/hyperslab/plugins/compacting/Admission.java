package org.hyperslab.plugins.compacting;

/**
 * Accounts for what is queued.
 *
 * <p>Thread rule: any thread.
 */
final class Admission {

  private final long maxBytes;
  private final long maxRequests;
  private long bytes;
  private long requests;
  private int waiting;

  Admission(long maxBytes, long maxRequests) {
    this.maxBytes = maxBytes;
    this.maxRequests = maxRequests;
  }

  /** Accounts for a request if there is room. One that is larger than all the room goes alone. */
  synchronized boolean tryEnter(long size) {
    boolean fits =
        requests == 0 || (requests < maxRequests && size <= maxBytes && bytes <= maxBytes - size);
    if (fits) {
      requests++;
      bytes += size;
    }
    return fits;
  }

  /**
   * Waits for room and accounts for a request.
   *
   * @param makeRoom called whenever there is none, without the lock
   */
  void enter(long size, Runnable makeRoom) {
    boolean interrupted = false;
    synchronized (this) {
      waiting++;
    }
    while (!tryEnter(size)) {
      makeRoom.run();
      interrupted |= waitBriefly(size);
    }
    synchronized (this) {
      waiting--;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean waitBriefly(long size) {
    try {
      if (requests > 0 && (requests >= maxRequests || bytes > maxBytes - size)) {
        wait();
      }
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** Whether somebody waits for room: then nothing should gather. */
  synchronized boolean isPressing() {
    return waiting > 0;
  }

  synchronized void leave(long size) {
    requests--;
    bytes -= size;
    if (waiting > 0) {
      notifyAll();
    }
  }

  synchronized long bytes() {
    return bytes;
  }

  synchronized long requests() {
    return requests;
  }
}
