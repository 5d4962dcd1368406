package org.hyperslab.plugins.compacting.queue;

/**
 * Bounds the number and the total size of requests without a reply.
 *
 * <p>Thread rule: any thread.
 */
final class Admission {

  private final long maxBytes;
  private final long maxRequests;
  private long bytes;
  private long requests;
  private int waiting;
  private boolean closed;

  Admission(long maxBytes, long maxRequests) {
    this.maxBytes = maxBytes;
    this.maxRequests = maxRequests;
  }

  /**
   * Counts a request if there is room. A request larger than the bound is admitted when no other
   * request is counted.
   */
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
   * Waits for room and counts a request.
   *
   * @param size the size of the request's buffer in bytes
   * @param makeRoom called, without the lock, whenever there is no room
   */
  void enter(long size, Runnable makeRoom) {
    boolean interrupted = false;
    synchronized (this) {
      waiting++;
    }
    while (!tryEnter(size)) {
      makeRoom.run();
      interrupted |= awaitChange(size);
    }
    synchronized (this) {
      waiting--;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean awaitChange(long size) {
    try {
      if (requests > 0 && (requests >= maxRequests || bytes > maxBytes - size)) {
        wait();
      }
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  /**
   * {@return whether requests must not be collected, because a thread waits for room or this is
   * closed}
   */
  synchronized boolean isPressing() {
    return waiting > 0 || closed;
  }

  /** Ends the collecting of requests. */
  synchronized void close() {
    closed = true;
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
