package org.hyperslab.plugins.libhdf5.bridge;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.libhdf5.file.Mounts;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/**
 * Mounts files on groups of other files and takes them off again: {@code H5Fmount} and {@code
 * H5Funmount}, which reach a connector as operations on the group that the path starts at.
 */
public final class MountCallbacks {

  private final Bridge bridge;

  public MountCallbacks(Bridge bridge) {
    this.bridge = bridge;
  }

  /** Mounts the file of a pointer on the group at a path. */
  public void mount(long base, String path, long childPointer) {
    BridgeObject.OfFile child = bridge.objects.get(childPointer, BridgeObject.OfFile.class);
    LocationResolver.Place place = group(base, path);
    OpenedFile parent = place.file();
    Handle handle = Handle.fresh();
    ObjectInfo group = parent.call(new ObjectOperation.Open(handle, place.at()));
    try {
      requireGroup(group, parent, path);
      bridge.mounts.add(
          new Mounts.Mount(
              parent, place.opening(), handle, group.token(), child.file(), child.opening()));
    } catch (RuntimeException refused) {
      parent.submit(new ObjectOperation.Close(handle));
      throw refused;
    }
  }

  private static void requireGroup(ObjectInfo group, OpenedFile parent, String path) {
    if (group.kind() != ObjectKind.GROUP) {
      throw new InvalidUseException(
          "object to mount a file on: actual="
              + group.kind()
              + ", expected=GROUP, at="
              + parent.name()
              + " "
              + path);
    }
    if (group.fileNumber() != parent.info().fileNumber()) {
      throw new InvalidUseException(
          "group to mount a file on: actual=reached by an external link, expected=a group of the"
              + " file itself, at="
              + parent.name()
              + " "
              + path);
    }
  }

  /** Takes off what is mounted on the group at a path. */
  public void unmount(long base, String path) {
    LocationResolver.Place place = group(base, path);
    OpenedFile file = place.file();
    ObjectInfo found = file.call(new ObjectOperation.Describe(place.at()));
    Mounts.Mount mount =
        bridge
            .mounts
            .of(place.opening())
            .filter(_ -> isRoot(file, found))
            .or(() -> bridge.mounts.on(file, found.token()))
            .orElseThrow(() ->
                new InvalidUseException(
                    "group to unmount a file from: actual=none is mounted there, expected=the group"
                        + " that was given to H5Fmount, at="
                        + file.name()
                        + " "
                        + path));
    takeOff(bridge, mount);
    bridge.release(mount.child(), 0);
    bridge.closeUnused(mount.parent(), 0);
  }

  /** Removes a mount; the caller releases the file. */
  static void takeOff(Bridge bridge, Mounts.Mount mount) {
    bridge.mounts.remove(mount);
    if (!mount.parent().isClosed()) {
      mount.parent().submit(new ObjectOperation.Close(mount.group()));
    }
  }

  private static boolean isRoot(OpenedFile file, ObjectInfo found) {
    return file.call(new ObjectOperation.Describe(Location.of(file.handle())))
        .token()
        .equals(found.token());
  }

  /** Returns the place at a path, of which names are followed into mounted files. */
  private LocationResolver.Place group(long base, String path) {
    return bridge.locations.path(base, path);
  }
}
