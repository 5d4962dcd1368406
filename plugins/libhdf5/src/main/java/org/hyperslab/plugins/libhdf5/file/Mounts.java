package org.hyperslab.plugins.libhdf5.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.vol.Handle;

/**
 * The files that are mounted on groups of others ({@code H5Fmount}). A mount is known to this
 * process only, as in libhdf5. All openings of the file that has the group see it; of the mounted
 * file, only the identifier that was mounted is part of the hierarchy.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class Mounts {

  /**
   * One mount of a file on a group of another.
   *
   * @param parent the file that has the group
   * @param parentOpening the identifier of that file through which the group was found
   * @param group a handle of the group, open while the mount exists
   * @param token the token of the group
   * @param child the mounted file
   * @param childOpening the identifier that was mounted
   */
  public record Mount(
      OpenedFile parent,
      long parentOpening,
      Handle group,
      ObjectToken token,
      OpenedFile child,
      long childOpening) {}

  /** A group of a file. */
  private record Point(OpenedFile file, ObjectToken token) {}

  private final Map<Point, Mount> byPoint = new ConcurrentHashMap<>();
  private final Map<Long, Mount> byChild = new ConcurrentHashMap<>();

  /** Returns whether nothing is mounted. */
  public boolean isEmpty() {
    return byPoint.isEmpty();
  }

  /** Returns what is mounted on a group. */
  public Optional<Mount> on(OpenedFile file, ObjectToken token) {
    return Optional.ofNullable(byPoint.get(new Point(file, token)));
  }

  /** Returns the mount of an identifier of a file. */
  public Optional<Mount> of(long opening) {
    return Optional.ofNullable(byChild.get(opening));
  }

  /**
   * Adds a mount.
   *
   * @throws InvalidUseException if the file or the group has a part in another, the file would
   *     contain itself, or the files are closed by different rules
   */
  public void add(Mount mount) {
    require(!byChild.containsKey(mount.childOpening), mount, "mounted already", "not mounted");
    require(
        on(mount.parent, mount.token).isEmpty(),
        mount,
        "on a group that another file is mounted on",
        "on another group");
    require(
        degree(mount.parent) == degree(mount.child),
        mount,
        "another close degree than the file with the group",
        "the same (H5Pset_fclose_degree)");
    Optional<Mount> above = Optional.of(mount);
    while (above.isPresent()) {
      require(above.get().parent != mount.child, mount, "on a group in itself", "on another file");
      above = of(above.get().parentOpening);
    }
    mount.child.use();
    byPoint.put(new Point(mount.parent, mount.token), mount);
    byChild.put(mount.childOpening, mount);
  }

  /** Returns how a file is closed; {@code H5F_CLOSE_DEFAULT} is {@code H5F_CLOSE_WEAK}. */
  private static int degree(OpenedFile file) {
    return Math.max(1, file.settings().closeDegree());
  }

  private static void require(boolean holds, Mount mount, String actual, String expected) {
    if (!holds) {
      throw new InvalidUseException(
          "file to mount: actual="
              + actual
              + ", expected="
              + expected
              + ", at="
              + mount.child.name());
    }
  }

  /** Removes a mount; the caller releases the group and the file. */
  public void remove(Mount mount) {
    byPoint.remove(new Point(mount.parent, mount.token), mount);
    byChild.remove(mount.childOpening, mount);
  }

  /** Returns the mounts on groups of a file. */
  public List<Mount> below(OpenedFile file) {
    return byPoint.values().stream().filter(mount -> mount.parent == file).toList();
  }

  /** Returns the files of the whole hierarchy that a file belongs to; it alone if none. */
  public List<OpenedFile> hierarchy(OpenedFile file) {
    List<OpenedFile> files = new ArrayList<>(List.of(file));
    for (int i = 0; i < files.size(); i++) {
      OpenedFile each = files.get(i);
      for (Mount mount : byPoint.values()) {
        if (mount.parent == each && !files.contains(mount.child)) {
          files.add(mount.child);
        }
        if (mount.child == each && !files.contains(mount.parent)) {
          files.add(mount.parent);
        }
      }
    }
    return files;
  }

  /** Returns the uses of the files of a hierarchy by identifiers; mounts do not count. */
  public int uses(List<OpenedFile> hierarchy) {
    int uses = 0;
    for (OpenedFile file : hierarchy) {
      uses += file.uses();
    }
    for (Mount mount : byPoint.values()) {
      if (hierarchy.contains(mount.child)) {
        uses--;
      }
    }
    return uses;
  }
}
