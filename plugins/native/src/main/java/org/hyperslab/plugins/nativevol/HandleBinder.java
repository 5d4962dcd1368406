package org.hyperslab.plugins.nativevol;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.opening.FileLoader;
import org.hyperslab.vol.Handle;

/**
 * Binds handles to objects, releases them, and counts both. An object that is deleted while a
 * handle is open on it lives until the last handle is closed, and a file opened through an external
 * link stays open as long as a handle needs it.
 *
 * <p>Thread rule: any thread.
 */
final class HandleBinder {

  private final HandleTable handles;
  private final FileLoader loader;

  HandleBinder(HandleTable handles, FileLoader loader) {
    this.handles = handles;
    this.loader = loader;
  }

  /** Binds a handle to an object, under the lock of the object's file. */
  void bind(Handle handle, Handle base, FileObjects objects, ObjectHeader header) {
    FileOpening opening = handles.require(base).opening();
    ObjectKind kind = objects.headers().kind(header);
    long address = header.address();
    OpenObject object = new OpenObject(opening, objects, address, kind, false);
    handles.bind(handle, object);
    objects.headers().references().retain(address);
    if (object.isForeign()) {
      loader.retain(objects);
    }
  }

  /** Releases a handle of an object. Closing a closed handle has no effect. */
  void close(Handle handle) {
    OpenObject object = handles.remove(handle);
    if (object == null) {
      return;
    }
    if (object.isFile()) {
      closeFile(object);
      return;
    }
    try {
      release(object);
    } finally {
      if (object.isForeign()) {
        loader.release(object.objects());
      }
    }
  }

  private static void release(OpenObject object) {
    FileObjects objects = object.objects();
    long address = object.address();
    if (!objects.headers().references().release(address)) {
      return;
    }
    if (object.kind() == ObjectKind.DATASET && !objects.headers().references().isOpen(address)) {
      objects.datasets().close(address);
    }
    if (objects.headers().references().isOrphan(address) && !objects.file().isBroken()) {
      objects
          .file()
          .edit(() -> {
            objects.deletion().deleteOrphan(address);
            return null;
          });
    }
  }

  private void closeFile(OpenObject object) {
    object.objects().steps().leave(object.opening().file().id());
    try {
      closeAll(List.copyOf(object.opening().children()));
      flushForOthers(object);
    } finally {
      loader.release(object.objects());
    }
  }

  /**
   * Closes handles, the others too if one cannot be closed; throws the first failure, with the
   * others.
   */
  private void closeAll(List<Handle> children) {
    RuntimeException first = null;
    for (Handle child : children) {
      try {
        close(child);
      } catch (RuntimeException failure) {
        if (first == null) {
          first = failure;
        } else {
          first.addSuppressed(failure);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /**
   * Flushes a file that others keep open, unless it was opened to drop what is not flushed. What
   * its editor has written before closing is promised to be durable, as in the C library.
   */
  private void flushForOthers(OpenObject object) {
    NativeFile file = object.objects().file();
    if (object.opening().writable() && loader.openers(file) > 1 && !file.dropsUnflushed()) {
      file.flush();
    }
  }

  /**
   * Returns the address of the header of the committed type that a handle names. The type must be
   * in the given file.
   */
  OptionalLong committedType(Optional<Handle> handle, FileObjects objects) {
    if (handle.isEmpty()) {
      return OptionalLong.empty();
    }
    OpenObject object = handles.require(handle.get());
    if (object.kind() != ObjectKind.COMMITTED_TYPE || object.objects() != objects) {
      throw new InvalidUseException(
          "committed type: actual="
              + object.kind()
              + " in "
              + object.objects().file().name()
              + ", expected=a committed type in "
              + objects.file().name());
    }
    return OptionalLong.of(object.address());
  }
}
