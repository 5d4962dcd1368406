package org.hyperslab.plugins.nativevol;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Handle;

/**
 * What each handle stands for: something open, or the failure of the operation that was to open it.
 *
 * <p>Thread rule: any thread.
 */
final class HandleTable {

  private sealed interface Entry {}

  private record Opened(Bound bound) implements Entry {}

  private record Failed(HyperslabException cause) implements Entry {}

  private final ConcurrentHashMap<Handle, Entry> entries = new ConcurrentHashMap<>();

  /**
   * What a handle stands for.
   *
   * @throws HyperslabException that with which opening it failed
   * @throws InvalidUseException if it is closed or was never opened
   */
  Bound require(Handle handle) {
    return switch (entries.get(handle)) {
      case Opened opened -> opened.bound;
      case Failed failed -> throw failed.cause;
      case null ->
          throw new InvalidUseException(
              "handle: actual=" + handle + " closed or never opened, expected=open");
    };
  }

  /** Binds a fresh handle. */
  void bind(Handle handle, Bound bound) {
    Entry old = entries.putIfAbsent(handle, new Opened(bound));
    if (old != null) {
      throw new InvalidUseException("handle: actual=" + handle + " in use, expected=a fresh one");
    }
    if (!bound.isFile()) {
      bound.session().children().add(handle);
    }
  }

  /** Says that a handle could not be opened. */
  void fail(Handle handle, HyperslabException cause) {
    entries.putIfAbsent(handle, new Failed(cause));
  }

  /** The handles of open files. */
  List<Handle> fileHandles() {
    List<Handle> files = new ArrayList<>();
    entries.forEach((handle, entry) -> {
      if (entry instanceof Opened opened && opened.bound.isFile()) {
        files.add(handle);
      }
    });
    return files;
  }

  /** Forgets a handle; what it stood for, or null. */
  Bound remove(Handle handle) {
    Entry old = entries.remove(handle);
    if (old instanceof Opened opened) {
      opened.bound.session().children().remove(handle);
      return opened.bound;
    }
    return null;
  }
}
