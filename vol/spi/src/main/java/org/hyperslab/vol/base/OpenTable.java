package org.hyperslab.vol.base;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Handle;

/**
 * Maps each handle to what it names, or to the failure of the operation that should have opened it.
 * Both are bounded: open handles by their number; failures, which callers rarely close, by their
 * number and by the length of their messages. The oldest failure is forgotten first; its handle
 * then counts as one that was never opened.
 *
 * <p>Thread rule: any thread.
 *
 * @param <T> what a handle names
 */
public final class OpenTable<T> {

  private static final int MAX_OPEN = 1 << 22;
  private static final int MAX_FAILURES = 4096;
  private static final long MAX_FAILURE_CHARACTERS = 4 << 20;

  private final ConcurrentHashMap<Handle, T> open = new ConcurrentHashMap<>();
  private final AtomicInteger openCount = new AtomicInteger();
  private final int mostOpen;

  /** The failures, from the oldest to the newest. This map guards itself and the next field. */
  private final Map<Handle, HyperslabException> failures = new LinkedHashMap<>();

  private long failureCharacters;

  /** The number of failures, which is mostly 0, for those who do not lock the map. */
  private volatile int failureCount;

  /** Creates a table without handles, in which four million handles may be open at a time. */
  public OpenTable() {
    this(MAX_OPEN);
  }

  /**
   * Creates a table without handles.
   *
   * @param mostOpen the number of handles that may be open at a time
   */
  public OpenTable(int mostOpen) {
    this.mostOpen = mostOpen;
  }

  /**
   * Returns what a handle names.
   *
   * @param handle the handle
   * @return what it names
   * @throws HyperslabException the failure of the operation that should have opened it
   * @throws InvalidUseException if it is closed or was never opened
   */
  public T require(Handle handle) {
    T named = open.get(handle);
    if (named != null) {
      return named;
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
   * {@return what a handle names; empty if it is closed, was never opened, or could not be opened}
   *
   * @param handle the handle
   */
  public Optional<T> find(Handle handle) {
    return Optional.ofNullable(open.get(handle));
  }

  /**
   * Binds a fresh handle.
   *
   * @param handle the handle
   * @param named what it names from now on
   * @throws InvalidUseException if the handle is in use, or too many are open
   */
  public void bind(Handle handle, T named) {
    if (openCount.incrementAndGet() > mostOpen) {
      openCount.decrementAndGet();
      throw new InvalidUseException(
          "open handles: actual=" + mostOpen + ", expected=fewer; close objects after use");
    }
    if (isFailed(handle) || open.putIfAbsent(handle, named) != null) {
      openCount.decrementAndGet();
      throw new InvalidUseException("handle: actual=" + handle + " in use, expected=a fresh one");
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

  /**
   * Records that the operation that should have opened a handle failed; operations on the handle
   * then fail with the same cause. A handle that is open stays open.
   *
   * @param handle the handle
   * @param cause the failure
   */
  public void fail(Handle handle, HyperslabException cause) {
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

  /**
   * Removes a handle.
   *
   * @param handle the handle
   * @return what it named; empty if it was not open
   */
  public Optional<T> remove(Handle handle) {
    T named = open.remove(handle);
    if (named != null) {
      openCount.decrementAndGet();
      return Optional.of(named);
    }
    synchronized (failures) {
      HyperslabException failure = failures.remove(handle);
      failureCharacters -= failure == null ? 0 : length(failure);
      failureCount = failures.size();
    }
    return Optional.empty();
  }

  /**
   * Removes the handles whose objects satisfy a condition, such as those of a file that is closed.
   *
   * @param condition decides by what a handle names
   */
  public void removeIf(Predicate<? super T> condition) {
    open.forEach((handle, named) -> {
      if (condition.test(named)) {
        remove(handle);
      }
    });
  }

  /**
   * Calls an action for each open handle and what it names. Handles may be bound and removed
   * meanwhile, also by the action, which sees those or does not.
   *
   * @param action called in this thread
   */
  public void forEach(BiConsumer<? super Handle, ? super T> action) {
    open.forEach(action);
  }

  /** {@return what the open handles name, a view that cannot be changed} */
  public Collection<T> values() {
    return Collections.unmodifiableCollection(open.values());
  }
}
