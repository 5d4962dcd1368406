package org.hyperslab.plugins.forwarding.client;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * Which file each handle belongs to, and failures of operations whose callers had their answer when
 * the server had received them: the next flush or close of the file fails with the first of them.
 *
 * <p>Thread rule: any thread.
 */
final class LateFailures {

  private final Map<Handle, Handle> fileOf = new ConcurrentHashMap<>();
  private final Map<Handle, HyperslabException> unseen = new HashMap<>();

  /** Remembers what an operation opens. */
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

  /** Forgets what an operation has closed. */
  void closed(Operation<?> operation) {
    switch (operation) {
      case FileOperation.Close o -> fileOf.values().removeIf(o.file()::equals);
      case ObjectOperation.Close o when fileOf.get(o.object()) != o.object() ->
          fileOf.remove(o.object());
      default -> {}
    }
  }

  Handle fileOf(Handle handle) {
    return fileOf.getOrDefault(handle, handle);
  }

  /** Whether anybody has the file of a handle open. */
  boolean isOpen(Handle handle) {
    return fileOf.containsKey(handle);
  }

  synchronized void failed(Operation<?> operation, HyperslabException failure) {
    unseen.putIfAbsent(fileOf(operation.subject()), failure);
  }

  /** The failure that a flush or close has to tell of. */
  synchronized Optional<HyperslabException> takeFor(Operation<?> operation) {
    boolean tells =
        operation instanceof FileOperation.Flush
            || operation instanceof FileOperation.Close
            || operation instanceof ObjectOperation.Flush;
    return tells
        ? Optional.ofNullable(unseen.remove(fileOf(operation.subject())))
        : Optional.empty();
  }
}
