package org.hyperslab.plugins.forwarding.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TrackedFuture;

/**
 * Keeps failures that callers may not have seen: those of edits whose futures were never examined,
 * and of edits that were acknowledged when the server had received them. The next flush or close of
 * the file fails with the first of them. Also records the file of each handle.
 *
 * <p>Thread rule: any thread.
 */
final class LateFailures {

  private final Map<Handle, Handle> fileOf = new ConcurrentHashMap<>();
  private final Map<Handle, Deque<Failed>> unseen = new HashMap<>();

  /** The largest number of failures kept for a file. */
  private static final int MOST = 256;

  /** A failed edit, and the future in which the caller may have seen the failure, or null. */
  private record Failed(HyperslabException cause, TrackedFuture<?> result) {
    boolean isUnseen() {
      return result == null || !result.isObserved();
    }
  }

  /** Records the handle that an operation opens. */
  void submitted(Operation<?> operation) {
    operation
        .opens()
        .ifPresent(opened -> {
          boolean isFile =
              operation instanceof FileOperation.Open || operation instanceof FileOperation.Create;
          Handle file = isFile ? opened : fileOf.get(operation.subject());
          if (file != null) {
            fileOf.put(opened, file);
          }
        });
  }

  /** Records the file of a handle at another server. */
  void belongs(Handle handle, Handle file) {
    fileOf.put(handle, file);
  }

  /** Removes the handles that an operation has closed. */
  void closed(Operation<?> operation) {
    switch (operation) {
      case FileOperation.Close o -> {
        fileOf.values().removeIf(o.file()::equals);
        forget(o.file());
      }
      case ObjectOperation.Close o when fileOf.get(o.object()) != o.object() ->
          fileOf.remove(o.object());
      default -> {}
    }
  }

  private synchronized void forget(Handle file) {
    unseen.remove(file);
  }

  Handle fileOf(Handle handle) {
    return fileOf.getOrDefault(handle, handle);
  }

  /** {@return whether the file of a handle is open} */
  boolean isOpen(Handle handle) {
    return fileOf.containsKey(handle);
  }

  /**
   * Records a failure.
   *
   * @param operation the operation that failed
   * @param failure the failure
   * @param result the future in which the caller may see it; null if the caller was already
   *     answered
   */
  synchronized void failed(
      Operation<?> operation, HyperslabException failure, TrackedFuture<?> result) {
    if (!operation.edits() || !isOpen(operation.subject())) {
      return;
    }
    Deque<Failed> failures =
        unseen.computeIfAbsent(fileOf(operation.subject()), file -> new ArrayDeque<>());
    if (failures.size() == MOST) {
      failures.removeIf(failed -> !failed.isUnseen());
    }
    if (failures.size() < MOST) {
      failures.add(new Failed(failure, result));
    }
  }

  /** {@return the failure that a flush or close has to report} */
  synchronized Optional<HyperslabException> takeFor(Operation<?> operation) {
    Deque<Failed> failures =
        operation.flushes() ? unseen.remove(fileOf(operation.subject())) : null;
    return failures == null
        ? Optional.empty()
        : failures.stream().filter(Failed::isUnseen).map(Failed::cause).findFirst();
  }
}
