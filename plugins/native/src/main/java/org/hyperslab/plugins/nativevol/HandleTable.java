package org.hyperslab.plugins.nativevol;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Handle;

/**
 * Maps each handle to the open object that it names, or to the failure of the operation that should
 * have opened it. Both are bounded: open handles by their number; failures, which callers rarely
 * close, by their number and by the length of their messages. The oldest failure is forgotten
 * first; its handle then counts as one that was never opened.
 *
 * <p>Thread rule: any thread.
 */
final class HandleTable {

  private static final int MAX_OPEN = 1 << 22;
  private static final int MAX_FAILURES = 4096;
  private static final long MAX_FAILURE_CHARACTERS = 4 << 20;

  private final ConcurrentHashMap<Handle, OpenObject> open = new ConcurrentHashMap<>();
  private final AtomicInteger openCount = new AtomicInteger();
  private final int mostOpen;

  /** The failures, from the oldest to the newest. This map guards itself and the next field. */
  private final Map<Handle, HyperslabException> failures = new LinkedHashMap<>();

  private long failureCharacters;

  /** The number of failures, which is mostly 0, for those who do not lock the map. */
  private volatile int failureCount;

  /** Creates a table without handles. */
  HandleTable() {
    this(MAX_OPEN);
  }

  /**
   * Creates a table without handles.
   *
   * @param mostOpen the number of handles that may be open at a time
   */
  HandleTable(int mostOpen) {
    this.mostOpen = mostOpen;
  }

  /**
   * Returns the object that a handle names.
   *
   * @throws HyperslabException the failure of the operation that should have opened it
   * @throws InvalidUseException if it is closed or was never opened
   */
  OpenObject require(Handle handle) {
    OpenObject object = open.get(handle);
    if (object != null) {
      return object;
    }
    synchronized (failures) {
      HyperslabException failure = failures.get(handle);
      if (failure != null) {
        throw failure;
      }
    }
    throw new InvalidUseException(
        "handle: actual=" + handle + " closed or never opened, expected=open");
  }

  /**
   * Binds a fresh handle to an open object.
   *
   * @throws InvalidUseException if the handle is in use, or too many are open
   */
  void bind(Handle handle, OpenObject object) {
    if (openCount.incrementAndGet() > mostOpen) {
      openCount.decrementAndGet();
      throw new InvalidUseException(
          "open handles: actual=" + mostOpen + ", expected=fewer; close objects after use");
    }
    if (isFailed(handle) || open.putIfAbsent(handle, object) != null) {
      openCount.decrementAndGet();
      throw new InvalidUseException("handle: actual=" + handle + " in use, expected=a fresh one");
    }
    if (!object.isFile()) {
      object.opening().children().add(handle);
    }
  }

  private boolean isFailed(Handle handle) {
    if (failureCount == 0) {
      return false;
    }
    synchronized (failures) {
      return failures.containsKey(handle);
    }
  }

  /** Records that the operation opening a handle failed. A handle that is open stays open. */
  void fail(Handle handle, HyperslabException cause) {
    if (open.containsKey(handle)) {
      return;
    }
    synchronized (failures) {
      if (failures.putIfAbsent(handle, cause) == null) {
        failureCharacters += length(cause);
        forgetOldest();
        failureCount = failures.size();
      }
    }
  }

  private void forgetOldest() {
    Iterator<HyperslabException> oldest = failures.values().iterator();
    while (failures.size() > MAX_FAILURES
        || failureCharacters > MAX_FAILURE_CHARACTERS && failures.size() > 1) {
      failureCharacters -= length(oldest.next());
      oldest.remove();
    }
  }

  private static int length(HyperslabException failure) {
    String message = failure.getMessage();
    return message == null ? 0 : message.length();
  }

  /** Returns the handles of open files. */
  List<Handle> fileHandles() {
    List<Handle> files = new ArrayList<>();
    open.forEach((handle, object) -> {
      if (object.isFile()) {
        files.add(handle);
      }
    });
    return files;
  }

  /** Removes a handle and returns the object that it named; null if it was not open. */
  OpenObject remove(Handle handle) {
    OpenObject object = open.remove(handle);
    if (object != null) {
      openCount.decrementAndGet();
      object.opening().children().remove(handle);
      return object;
    }
    synchronized (failures) {
      HyperslabException failure = failures.remove(handle);
      failureCharacters -= failure == null ? 0 : length(failure);
      failureCount = failures.size();
    }
    return null;
  }
}
