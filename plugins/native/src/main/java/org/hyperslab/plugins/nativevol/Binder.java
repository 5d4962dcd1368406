package org.hyperslab.plugins.nativevol;

import java.util.OptionalLong;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.nativevol.object.FileLoader;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.vol.Handle;

/**
 * Binds handles to objects and gives them up, counting both, so that an object that is deleted
 * while a handle is open on it lives until the last one is closed, and a file behind an external
 * link as long as a handle needs it.
 *
 * <p>Thread rule: any thread.
 */
final class Binder {

  private final HandleTable handles;
  private final FileLoader loader;

  Binder(HandleTable handles, FileLoader loader) {
    this.handles = handles;
    this.loader = loader;
  }

  /** Binds a handle to an object, under the lock of the object's file. */
  void bind(Handle handle, Handle base, FileObjects objects, long address) {
    Session session = handles.require(base).session();
    ObjectKind kind = objects.kind(objects.header(address));
    Bound bound = new Bound(session, objects, address, kind, false);
    handles.bind(handle, bound);
    objects.retain(address);
    if (bound.isForeign()) {
      loader.retain(objects);
    }
  }

  /** Gives up a handle of an object; closing a closed one does nothing. */
  void close(Handle handle) {
    Bound bound = handles.remove(handle);
    if (bound == null) {
      return;
    }
    if (bound.isFile()) {
      closeFile(bound);
      return;
    }
    try {
      release(bound);
    } finally {
      if (bound.isForeign()) {
        loader.release(bound.objects());
      }
    }
  }

  private static void release(Bound bound) {
    FileObjects objects = bound.objects();
    long address = bound.address();
    if (!objects.release(address)) {
      return;
    }
    if (bound.kind() == ObjectKind.DATASET) {
      objects.closeDataset(address);
    }
    if (objects.takeOrphan(address) && !objects.file().isBroken()) {
      objects
          .file()
          .edit(() -> {
            objects.deletion().deleteIfUnreferenced(address);
            return null;
          });
    }
  }

  private void closeFile(Bound bound) {
    try {
      for (Handle child : bound.session().children()) {
        close(child);
      }
    } finally {
      loader.release(bound.objects());
    }
  }

  /** The header of the committed type behind a handle, which must be in the given file. */
  OptionalLong committedType(java.util.Optional<Handle> handle, FileObjects objects) {
    if (handle.isEmpty()) {
      return OptionalLong.empty();
    }
    Bound bound = handles.require(handle.get());
    if (bound.kind() != ObjectKind.COMMITTED_TYPE || bound.objects() != objects) {
      throw new InvalidUseException(
          "committed type: actual="
              + bound.kind()
              + " in "
              + bound.objects().file().name()
              + ", expected=a committed type in "
              + objects.file().name());
    }
    return OptionalLong.of(bound.address());
  }
}
