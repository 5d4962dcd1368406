package org.hyperslab.plugins.nativevol;

import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;

/**
 * Carries out operations on objects of any kind.
 *
 * <p>Thread rule: any thread.
 */
final class ObjectHandler {

  private final HandleTable handles;
  private final Locator locator;
  private final HandleBinder binder;
  private final CopyHandler copies;

  ObjectHandler(HandleTable handles, Locator locator, HandleBinder binder, CopyHandler copies) {
    this.handles = handles;
    this.locator = locator;
    this.binder = binder;
    this.copies = copies;
  }

  /** Carries out an operation and returns its result, or null if it has none. */
  Object execute(ObjectOperation<?> operation) {
    return switch (operation) {
      case ObjectOperation.Open open ->
          locator.read(
              open.at(),
              (objects, address) -> bind(open.object(), open.at().base(), objects, address));
      case ObjectOperation.OpenToken open -> {
        FileObjects objects = handles.require(open.file()).objects();
        yield objects
            .file()
            .read(() -> {
              requireObject(objects, open.token().address());
              return bind(open.object(), open.file(), objects, open.token().address());
            });
      }
      case ObjectOperation.Describe describe ->
          locator.read(describe.at(), (objects, address) -> objects.descriptions().info(address));
      case ObjectOperation.Measure measure ->
          locator.read(measure.at(), (objects, address) -> objects.measures().of(address));
      case ObjectOperation.PathOf path -> {
        FileObjects objects = handles.require(path.file()).objects();
        yield objects.file().read(() -> objects.descriptions().pathOf(path.token().address()));
      }
      case ObjectOperation.Copy copy -> {
        copies.copy(copy);
        yield null;
      }
      case ObjectOperation.SetComment comment -> comment(comment);
      case ObjectOperation.CountReference count -> count(count);
      case ObjectOperation.Flush flush -> {
        OpenObject object = handles.require(flush.object());
        Locator.requireWritable(object);
        object.objects().file().flush();
        yield null;
      }
      case ObjectOperation.Refresh refresh -> refresh(refresh.object());
      case ObjectOperation.Close close -> {
        binder.close(close.object());
        yield null;
      }
    };
  }

  /**
   * Requires that an object is at an address. A token or reference may name an object that was
   * deleted. Bytes that begin like a header but are none are damage, which is reported when they
   * are read.
   */
  private static void requireObject(FileObjects objects, long address) {
    if (links(objects, address) == 0) {
      throw new NotFoundException(
          "object of a token or reference: actual=none at address "
              + address
              + ", expected=an object, at="
              + objects.file().name()
              + "; the object was deleted, or the reference belongs to another file");
    }
  }

  /** Returns the number of links to the object at an address; 0 if no header is there. */
  private static long links(FileObjects objects, long address) {
    try {
      return objects.headers().references().links(objects.headers().open(address));
    } catch (CorruptFileException | UnsupportedFeatureException unreadable) {
      if (ObjectHeader.isAt(objects.headers().space(), address)) {
        throw unreadable;
      }
      return 0;
    }
  }

  private ObjectInfo bind(Handle handle, Handle base, FileObjects objects, long address) {
    ObjectHeader header = objects.headers().open(address);
    ObjectInfo info = objects.descriptions().info(header);
    binder.bind(handle, base, objects, header);
    return info;
  }

  private Optional<String> comment(ObjectOperation.SetComment comment) {
    locator.edit(
        comment.at(),
        (objects, address) -> {
          objects.descriptions().comment(address, comment.comment());
          return null;
        });
    return null;
  }

  private Object count(ObjectOperation.CountReference count) {
    return locator.edit(
        count.at(),
        (objects, address) -> {
          ObjectHeader header = objects.headers().open(address);
          if (address == objects.root()
              || (!count.adds() && objects.headers().references().links(header) == 0)) {
            throw new InvalidUseException(
                "reference count: actual=of the root group, or already 0, expected=an object "
                    + "whose count can change, at="
                    + objects.file().name());
          }
          if (count.adds()) {
            objects.headers().references().link(header);
          } else {
            objects.headers().unlink(address);
          }
          return null;
        });
  }

  private ObjectInfo refresh(Handle handle) {
    OpenObject object = handles.require(handle);
    object.objects().file().refresh();
    return object
        .objects()
        .file()
        .read(() -> object.objects().descriptions().info(object.address()));
  }
}
