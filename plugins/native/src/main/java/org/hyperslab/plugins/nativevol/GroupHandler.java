package org.hyperslab.plugins.nativevol;

import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;

/**
 * Carries out operations on groups, and what the creation of all kinds of object has in common.
 *
 * <p>Thread rule: any thread.
 */
final class GroupHandler {

  private final Locator locator;
  private final Binder binder;

  GroupHandler(Locator locator, Binder binder) {
    this.locator = locator;
    this.binder = binder;
  }

  /** Carries out an operation; the result. */
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

  /** Makes an object that nothing refers to yet. */
  @FunctionalInterface
  interface Maker {
    /** Called under the file's write lock; returns the header's address. */
    long make(FileObjects objects);
  }

  /** Creates an object, the link to it unless the path is empty, and binds a handle. */
  ObjectInfo create(Handle handle, Location at, LinkOptions link, Maker maker) {
    if (at.path().isEmpty()) {
      return locator.edit(
          at,
          (objects, base) -> {
            long address = maker.make(objects);
            binder.bind(handle, at.base(), objects, address);
            objects.addOrphan(address);
            return objects.descriptions().info(address);
          });
    }
    if (Paths.names(at.path()).isEmpty()) {
      throw new AlreadyExistsException(
          "link: actual=\"" + at.path() + "\" exists always, expected=a name that is not in use");
    }
    return locator.editName(
        at,
        link.createIntermediate(),
        (objects, place) -> {
          objects.groups().requireAbsent(place.group(), place.name());
          long address = maker.make(objects);
          link(objects, place, link, address);
          binder.bind(handle, at.base(), objects, address);
          return objects.descriptions().info(address);
        });
  }

  private static void link(
      FileObjects objects, PathResult.Name place, LinkOptions options, long address) {
    TextEncoding encoding = Links.encoding(place.name(), options.charset());
    objects.links().createFirst(place.group(), place.name(), encoding, address);
  }
}
