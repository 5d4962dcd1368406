package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The requests of one store that the kernel executes, if it is asked to and can ({@link
 * RequestRing}).
 *
 * <p>Thread rule: safe.
 */
final class KernelRequests {

  private final String name;

  /** The queues; null if the kernel is not asked, or cannot. */
  private RequestRing ring;

  /**
   * Has no requests executed by the kernel.
   *
   * @param name the name of the store, for errors
   */
  KernelRequests(String name) {
    this.name = name;
  }

  /**
   * Has the kernel execute requests that are started, or no longer.
   *
   * @param wanted whether it shall; requests in progress are awaited if not
   * @param file returns the open file; null if there is none
   * @return whether it does
   */
  boolean use(boolean wanted, Supplier<PosixFile> file) {
    RequestRing former = null;
    synchronized (this) {
      if (wanted && ring == null) {
        PosixFile open = file.get();
        ring = open == null ? null : RequestRing.open(open, name).orElse(null);
      } else if (!wanted) {
        former = ring;
        ring = null;
      }
    }
    if (former != null) {
      former.close();
    }
    return areUsed();
  }

  /** Returns whether the kernel executes requests that are started. */
  synchronized boolean areUsed() {
    return ring != null;
  }

  private synchronized RequestRing ring() {
    return ring;
  }

  /**
   * Starts a request whose range has been checked.
   *
   * @param ended runs when the request has succeeded
   * @return the request; empty if the kernel does not execute it
   */
  Optional<ByteStore.Pending> start(
      boolean write, long offset, MemorySegment memory, Runnable ended) {
    RequestRing requests = ring();
    return requests == null || memory.byteSize() == 0 || !PosixFile.isReachable(memory)
        ? Optional.empty()
        : requests.start(write, offset, memory, ended);
  }
}
