package org.hyperslab.testkit.memory;

import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FileInfo;
import org.hyperslab.testkit.memory.MemoryConnector.Opened;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;

/** Carries out operations on files. Guarded by the connector's lock. */
final class Files {

  private Files() {}

  static Object run(FileOperation<?> operation, MemoryConnector c) {
    return switch (operation) {
      case FileOperation.Open o -> {
        MemoryFileState file = c.files.get(o.name());
        if (file == null) {
          throw missing(o.name());
        }
        yield open(c, file, o.file(), o.options().writable());
      }
      case FileOperation.Create o -> open(c, create(c, o.name(), o.options()), o.file(), true);
      case FileOperation.Flush o -> {
        c.opened(o.file());
        yield null;
      }
      case FileOperation.Close o -> close(c, o.file());
      case FileOperation.Describe o -> {
        Opened opened = c.opened(o.file());
        yield describe(opened.object().file, opened.writable());
      }
      case FileOperation.Exists o -> c.files.containsKey(o.name());
      case FileOperation.Delete o -> {
        MemoryFileState file = c.files.get(o.name());
        if (file == null) {
          throw missing(o.name());
        }
        if (file.openCount > 0) {
          throw new InvalidUseException(
              "file to delete: actual=open, expected=closed, at=" + o.name());
        }
        c.files.remove(o.name());
        yield null;
      }
    };
  }

  private static MemoryFileState create(MemoryConnector c, String name, CreateOptions options) {
    MemoryFileState old = c.files.get(name);
    if (old != null && options.exclusive()) {
      throw new AlreadyExistsException(
          "file: actual=exists, expected=none, at=" + name + "; create it without exclusive");
    }
    if (old != null && old.openCount > 0) {
      throw new StorageException("file to replace: actual=open, expected=closed, at=" + name);
    }
    MemoryFileState file = new MemoryFileState(name, options, Handle.fresh().id());
    c.files.put(name, file);
    return file;
  }

  private static FileInfo open(
      MemoryConnector c, MemoryFileState file, Handle handle, boolean writable) {
    c.handles.bind(handle, new Opened(file.root, writable, handle));
    file.openCount++;
    return describe(file, writable);
  }

  private static Object close(MemoryConnector c, Handle handle) {
    c.handles
        .find(handle)
        .ifPresent(opened -> {
          opened.object().file.openCount--;
          c.handles.removeIf(other -> other.file().equals(handle));
        });
    return null;
  }

  private static FileInfo describe(MemoryFileState file, boolean writable) {
    return new FileInfo(file.name, writable, -1, 0, 0, file.creation, file.number);
  }

  private static NotFoundException missing(String name) {
    return new NotFoundException("file: actual=none, expected=an existing file, at=" + name);
  }
}
