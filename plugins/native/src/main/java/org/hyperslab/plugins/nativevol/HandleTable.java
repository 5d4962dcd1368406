package org.hyperslab.plugins.nativevol;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.base.OpenTable;

/**
 * The open objects by their handles, and for each open file the handles of the objects that were
 * opened through it.
 *
 * <p>Thread rule: any thread.
 */
final class HandleTable {

  private final OpenTable<OpenObject> open = new OpenTable<>();

  /** Returns the table, where failures of opening are recorded. */
  OpenTable<OpenObject> open() {
    return open;
  }

  /**
   * Returns the object that a handle names.
   *
   * @throws HyperslabException the failure of the operation that should have opened it
   * @throws InvalidUseException if it is closed or was never opened
   */
  OpenObject require(Handle handle) {
    return open.require(handle);
  }

  /**
   * Binds a fresh handle to an open object.
   *
   * @throws InvalidUseException if the handle is in use, or too many are open
   */
  void bind(Handle handle, OpenObject object) {
    open.bind(handle, object);
    if (!object.isFile()) {
      object.opening().children().add(handle);
    }
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
    OpenObject object = open.remove(handle).orElse(null);
    if (object != null) {
      object.opening().children().remove(handle);
    }
    return object;
  }
}
