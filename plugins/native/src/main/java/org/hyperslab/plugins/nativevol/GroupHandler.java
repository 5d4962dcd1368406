package org.hyperslab.plugins.nativevol;

import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.plugins.nativevol.group.Groups;
import org.hyperslab.plugins.nativevol.group.Links;
import org.hyperslab.plugins.nativevol.group.Paths;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;

/**
 * Carries out operations on groups, and the steps common to the creation of every kind of object.
 *
 * <p>Thread rule: any thread.
 */
final class GroupHandler {

  private final Locator locator;
  private final HandleBinder binder;

  GroupHandler(Locator locator, HandleBinder binder) {
    this.locator = locator;
    this.binder = binder;
  }

  /** Carries out an operation and returns its result. */
  Object execute(GroupOperation<?> operation) {
    return switch (operation) {
      case GroupOperation.Create create ->
          create(
              create.group(),
              create.at(),
              create.link(),
              objects -> objects.groups().create(create.options()));
      case GroupOperation.Describe describe ->
          locator.read(describe.at(), (objects, address) -> objects.groups().info(address));
    };
  }

  /** Creates an object without references. */
  @FunctionalInterface
  interface Maker {
    /**
     * Creates the object and returns the address of its header; called under the file's write lock.
     */
    long make(FileObjects objects);
  }

  /** Creates an object, and the link to it unless the path is empty, and binds a handle. */
  ObjectInfo create(Handle handle, Location at, LinkOptions link, Maker maker) {
    if (at.path().isEmpty()) {
      return locator.edit(
          at,
          (objects, base) -> {
            long address = maker.make(objects);
            ObjectHeader header = objects.headers().open(address);
            binder.bind(handle, at.base(), objects, header);
            objects.headers().references().addOrphan(address);
            return objects.descriptions().info(header);
          });
    }
    if (!Paths.isName(at.path()) && Paths.names(at.path()).isEmpty()) {
      throw new AlreadyExistsException(
          "link: actual=\"" + at.path() + "\" always exists, expected=an unused name");
    }
    return locator.editName(
        at,
        link.createIntermediate(),
        (objects, place) -> {
          Groups.FreeName name = objects.groups().requireAbsent(place.group(), place.name());
          long address = maker.make(objects);
          TextEncoding encoding = Links.encoding(place.name(), link.charset());
          objects.links().createFirst(name, encoding, address);
          ObjectHeader header = objects.headers().open(address);
          binder.bind(handle, at.base(), objects, header);
          return objects.descriptions().info(header);
        });
  }
}
