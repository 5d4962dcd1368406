package org.hyperslab.plugins.nativevol;

import java.util.Map;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.opening.FileLoader;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;

/**
 * Carries out operations on whole files.
 *
 * <p>Thread rule: any thread.
 */
final class FileHandler {

  private final HandleTable handles;
  private final HandleBinder binder;
  private final FileLoader loader;
  private final Map<String, String> properties;

  /**
   * Creates the handler.
   *
   * @param properties the properties of all openings that do not have others
   */
  FileHandler(
      HandleTable handles, HandleBinder binder, FileLoader loader, Map<String, String> properties) {
    this.properties = Map.copyOf(properties);
    this.handles = handles;
    this.binder = binder;
    this.loader = loader;
  }

  /** Carries out an operation and returns its result, or null if it has none. */
  Object execute(FileOperation<?> operation) {
    return switch (operation) {
      case FileOperation.Open open -> open(open);
      case FileOperation.Create create -> create(create);
      case FileOperation.Flush flush -> {
        OpenObject object = handles.require(flush.file());
        Locator.requireWritable(object);
        object.objects().file().flush();
        yield null;
      }
      case FileOperation.Close close -> {
        binder.close(close.file());
        yield null;
      }
      case FileOperation.Describe describe -> {
        OpenObject object = handles.require(describe.file());
        yield object
            .objects()
            .file()
            .read(() -> info(object.objects(), object.opening().writable()));
      }
      case FileOperation.Exists exists -> exists(exists.name());
      case FileOperation.Delete delete -> {
        delete(delete.name());
        yield null;
      }
    };
  }

  private FileInfo open(FileOperation.Open open) {
    FileObjects objects = loader.open(open.name(), completed(open.options()));
    if (open.options().writable() && objects.file().publishes() != open.options().swmr()) {
      loader.release(objects);
      throw otherSwmr(open);
    }
    return bind(open.file(), objects, open.options().writable());
  }

  /** Returns the error for a file that is already edited, but not with this choice of SWMR. */
  private static InvalidUseException otherSwmr(FileOperation.Open open) {
    boolean swmr = open.options().swmr();
    return new InvalidUseException(
        "open for editing: actual="
            + (swmr ? "with" : "without")
            + " SWMR, expected="
            + (swmr ? "without" : "with")
            + " SWMR, as the file is already open for editing, at="
            + RemoteStores.shown(open.name())
            + "; close it first, on a staging server in every client that has it open");
  }

  private FileInfo create(FileOperation.Create create) {
    CreateOptions options = create.options();
    CreateOptions completed = options.withAccess(completed(options.access()));
    return bind(create.file(), loader.create(create.name(), completed), true);
  }

  /** Returns options with the connector's properties. */
  private OpenOptions completed(OpenOptions options) {
    OpenOptions completed = options;
    for (Map.Entry<String, String> each : properties.entrySet()) {
      if (!options.properties().containsKey(each.getKey())) {
        completed = completed.withProperty(each.getKey(), each.getValue());
      }
    }
    return completed;
  }

  private FileInfo bind(Handle handle, FileObjects objects, boolean writable) {
    try {
      FileInfo info = objects.file().read(() -> info(objects, writable));
      FileOpening opening = FileOpening.of(handle, objects, writable);
      handles.bind(
          handle, new OpenObject(opening, objects, objects.root(), ObjectKind.GROUP, true));
      return info;
    } catch (RuntimeException failure) {
      loader.release(objects);
      throw failure;
    }
  }

  private static FileInfo info(FileObjects objects, boolean writable) {
    return new FileInfo(
        objects.file().name(),
        writable,
        objects.file().superblock().version(),
        objects.file().sizeBytes(),
        objects.file().freeBytes(),
        objects.creationOptions(),
        objects.file().fileNumber());
  }

  private boolean exists(String name) {
    if (loader.isOpen(name)) {
      return true;
    }
    try {
      loader.release(loader.open(name, OpenOptions.READ));
      return true;
    } catch (HyperslabException notOne) {
      return false;
    }
  }

  private void delete(String name) {
    if (loader.isOpen(name)) {
      throw new InvalidUseException(
          "delete: actual=the file is open, expected=closed, at=" + RemoteStores.shown(name));
    }
    loader.delete(name);
  }
}
