package org.hyperslab.vol;

import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.OpenOptions;

/**
 * Operations on whole files.
 *
 * @param <R> the type of the result
 */
public sealed interface FileOperation<R> extends Operation<R> {

  /**
   * Opens an existing file under a handle. {@code name} is the user's file name without the
   * connector's scheme. Fails with NotFoundException, CorruptFileException (not HDF5),
   * StorageException (locked).
   *
   * @param file the handle of the file
   * @param name the name
   * @param options how the file is opened
   */
  record Open(Handle file, String name, OpenOptions options) implements FileOperation<FileInfo> {
    @Override
    public Handle subject() {
      return file;
    }

    /** Returns the operation without the secrets that a name may hold. */
    @Override
    public String toString() {
      return "Open[file=" + file + ", name=" + shown(name) + ", options=" + options + "]";
    }
  }

  /**
   * Creates a file, opened for editing. Fails with AlreadyExistsException if it is exclusive.
   *
   * @param file the handle of the file
   * @param name the name
   * @param options how the file is created
   */
  record Create(Handle file, String name, CreateOptions options)
      implements FileOperation<FileInfo>, Edit {
    @Override
    public Handle subject() {
      return file;
    }

    /** Returns the operation without the secrets that a name may hold. */
    @Override
    public String toString() {
      return "Create[file=" + file + ", name=" + shown(name) + ", options=" + options + "]";
    }
  }

  /**
   * Makes everything submitted before it durable, according to the durability option of the file.
   *
   * @param file the handle of the file
   */
  record Flush(Handle file) implements FileOperation<Void>, Flushing {
    @Override
    public Handle subject() {
      return file;
    }
  }

  /**
   * Flushes if the file was edited, and closes the file and every handle opened through it. Closing
   * a closed file does nothing.
   *
   * @param file the handle of the file
   */
  record Close(Handle file) implements FileOperation<Void>, Flushing, Closing {
    @Override
    public Handle subject() {
      return file;
    }
  }

  /**
   * Returns the current properties of the file.
   *
   * @param file the handle of the file
   */
  record Describe(Handle file) implements FileOperation<FileInfo> {
    @Override
    public Handle subject() {
      return file;
    }
  }

  /**
   * Returns whether {@code name} is a file that this connector can open.
   *
   * @param none a fresh handle that names nothing, by which operations are ordered
   * @param name the name
   */
  record Exists(Handle none, String name) implements FileOperation<Boolean> {
    @Override
    public Handle subject() {
      return none;
    }

    /** Returns the operation without the secrets that a name may hold. */
    @Override
    public String toString() {
      return "Exists[none=" + none + ", name=" + shown(name) + "]";
    }
  }

  /**
   * Deletes a file that is not open, with all its parts. NotFoundException if there is none.
   *
   * @param none a fresh handle that names nothing, by which operations are ordered
   * @param name the name
   */
  record Delete(Handle none, String name) implements FileOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return none;
    }

    /** Returns the operation without the secrets that a name may hold. */
    @Override
    public String toString() {
      return "Delete[none=" + none + ", name=" + shown(name) + "]";
    }
  }

  private static String shown(String name) {
    return RemoteStores.shown(name);
  }
}
