package org.hyperslab.plugins.libhdf5.bridge;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.plugins.libhdf5.call.AccessFlags;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.LinkAccess;
import org.hyperslab.plugins.libhdf5.file.OpenFiles;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/**
 * Opens the files that external links lead to as an access property list says; without such a list,
 * connectors do it themselves.
 *
 * <p>Source: H5L__extern_traverse in H5Lexternal.c and H5F_prefix_open_file in H5Fint.c.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
final class ExternalTargets {

  /** {@code H5F_CLOSE_WEAK}: the file stays open while an object in it is. */
  private static final int CLOSE_WEAK = 1;

  private final Bridge bridge;
  private final FileOpener files;

  ExternalTargets(Bridge bridge, FileOpener files) {
    this.bridge = bridge;
    this.files = files;
  }

  /**
   * Opens the file of an external link.
   *
   * @param group the group with the link
   * @param link the link
   * @param access how to open it
   * @return the root of the file; closing it releases the file
   * @throws NotFoundException if it is in none of the places where libhdf5 looks for it
   */
  LocationResolver.Place open(LocationResolver.Place group, LinkInfo link, LinkAccess access) {
    OpenedFile parent = group.file();
    long list =
        access.list() == 0
            ? bridge.lists.copy(parent.settings().accessList())
            : bridge.access.fileList(access.list());
    try {
      int flags = flags(parent, access);
      if (access.callback() != 0) {
        flags = called(group, link, access, flags, list);
      }
      bridge.hdf5.checked(Hdf5Function.P_SET_CLOSE_DEGREE, list, CLOSE_WEAK);
      return found(group, link, access, flags, list);
    } finally {
      bridge.lists.close(list);
    }
  }

  private static int flags(OpenedFile parent, LinkAccess access) {
    return access.flags() != null
        ? access.flags()
        : parent.settings().writable() ? AccessFlags.WRITABLE : 0;
  }

  /** Calls the program's function, which may change the list, and returns the flags it sets. */
  private int called(
      LocationResolver.Place group, LinkInfo link, LinkAccess access, int flags, long list) {
    OpenedFile parent = group.file();
    ObjectToken token = parent.call(new ObjectOperation.Describe(group.at())).token();
    String path = parent.call(new ObjectOperation.PathOf(parent.handle(), token)).orElse("");
    try (Arena arena = Arena.ofConfined()) {
      long changed = arena.allocate(8, 8).address();
      RawMemory.setInt(changed, flags);
      long result =
          CFunction.call(
              access.callback(),
              RawMemory.name(parent.name(), arena).address(),
              RawMemory.name(path, arena).address(),
              RawMemory.name(link.targetFile(), arena).address(),
              RawMemory.name(link.targetPath(), arena).address(),
              changed,
              list,
              access.context(),
              0);
      int after = RawMemory.getInt(changed);
      if ((int) result < 0 || (after & (AccessFlags.TRUNCATE | AccessFlags.EXCLUSIVE)) != 0) {
        throw new InvalidUseException(
            "callback of an external link (H5Pset_elink_cb): actual="
                + ((int) result < 0 ? "failed" : "flags " + after)
                + ", expected=a result of 0 and flags to open a file, at="
                + parent.name()
                + " "
                + link.name());
      }
      return after;
    }
  }

  private LocationResolver.Place found(
      LocationResolver.Place group, LinkInfo link, LinkAccess access, int flags, long list) {
    OpenedFile parent = group.file();
    String from =
        parent.settings().localPath() == null
            ? parent.name()
            : OpenFiles.absoluteName(parent.name());
    Set<String> names = names(from, link.targetFile(), access.prefix());
    List<String> reasons = new ArrayList<>();
    for (String name : names) {
      try {
        return root(files.open(name, flags, list, 0));
      } catch (HyperslabException unusable) {
        reasons.add(unusable.getMessage());
      }
    }
    throw new NotFoundException(
        "file of the external link "
            + link.name()
            + ": actual=none that can be opened of "
            + String.join(", ", names)
            + ", expected=an HDF5 file, at="
            + group.file().name()
            + "; the reason for the last one: "
            + reasons.getLast());
  }

  private LocationResolver.Place root(long pointer) {
    BridgeObject.OfFile file = bridge.objects.get(pointer, BridgeObject.OfFile.class);
    return new LocationResolver.Place(
        file.file(),
        Location.of(file.file().handle()),
        () -> {
          bridge.objects.remove(pointer);
          bridge.release(file.file(), 0);
        },
        file.opening());
  }

  /** Returns the names by which the file of a link is looked for, in the order of libhdf5. */
  private static Set<String> names(String parent, String target, String prefix) {
    Set<String> names = new LinkedHashSet<>();
    String rest = target;
    if (target.startsWith("/")) {
      names.add(target);
      rest = target.substring(target.lastIndexOf('/') + 1);
    }
    String variable = System.getenv("HDF5_EXT_PREFIX");
    for (String folder : variable == null ? new String[0] : variable.split(":")) {
      if (!folder.isEmpty()) {
        names.add(in(folder, rest));
      }
    }
    if (prefix != null) {
      names.add(in(prefix, rest));
    }
    names.add(in(folderOf(parent), rest));
    names.add(rest);
    return names;
  }

  private static String in(String folder, String name) {
    return folder.isEmpty() || folder.endsWith("/") ? folder + name : folder + "/" + name;
  }

  private static String folderOf(String file) {
    return file.substring(0, file.lastIndexOf('/') + 1);
  }
}
