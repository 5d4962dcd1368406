package org.hyperslab.plugins.nativevol;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.nativevol.group.PathResult;
import org.hyperslab.plugins.nativevol.group.Paths;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.opening.ExternalFiles;
import org.hyperslab.plugins.nativevol.opening.FileLoader;
import org.hyperslab.vol.Location;

/**
 * Resolves a location to an object or a name, across external links, and runs an action on it under
 * the lock of its file. No lock of one file is held while another file is opened.
 *
 * <p>Thread rule: any thread.
 */
final class Locator {

  /** An action on an object. */
  @FunctionalInterface
  interface ObjectAction<T> {
    /** Runs the action under the lock of the object's file. */
    T run(FileObjects objects, long address);
  }

  /** An action on a name in a group. */
  @FunctionalInterface
  interface NameAction<T> {
    /** Runs the action under the lock of the group's file. */
    T run(FileObjects objects, PathResult.Name name);
  }

  private final HandleTable handles;
  private final FileLoader loader;
  private final ExternalFiles external;

  Locator(HandleTable handles, FileLoader loader, ExternalFiles external) {
    this.handles = handles;
    this.loader = loader;
    this.external = external;
  }

  /** Resolves a path within a file. */
  @FunctionalInterface
  private interface Follow {
    PathResult follow(FileObjects objects, long base, String path, int linksFollowed);
  }

  /** An action on the end of a path. */
  @FunctionalInterface
  private interface End<T> {
    T run(FileObjects objects, PathResult step);
  }

  /**
   * The state of a path's resolution: the file, the starting object, the remaining path, and the
   * number of links followed so far.
   */
  private record Place(FileObjects objects, long from, String path, int links) {}

  private record Outcome<T>(PathResult.InOtherFile elsewhere, T value) {}

  /** Runs an action on an object under the read lock. */
  <T> T read(Location at, ObjectAction<T> action) {
    if (at.isBase()) { // most requests: no path is followed
      OpenObject base = handles.require(at.base());
      FileObjects objects = base.objects();
      return objects.file().read(() -> action.run(objects, base.address()));
    }
    return run(at, false, this::object, (objects, step) -> onObject(objects, step, action));
  }

  /** Runs an edit of an object under the write lock. */
  <T> T edit(Location at, ObjectAction<T> action) {
    if (at.isBase()) { // most requests: no path is followed
      OpenObject base = handles.require(at.base());
      requireWritable(base);
      FileObjects objects = base.objects();
      requireUnfollowed(objects);
      return objects.file().edit(() -> action.run(objects, base.address()));
    }
    return run(at, true, this::object, (objects, step) -> onObject(objects, step, action));
  }

  /** Runs an action on a name in a group under the read lock. */
  <T> T readName(Location at, NameAction<T> action) {
    return run(
        at,
        false,
        (objects, base, path, links) -> objects.paths().parent(base, path, links),
        (objects, step) -> action.run(objects, (PathResult.Name) step));
  }

  /** Runs an edit of a name in a group under the write lock. */
  <T> T editName(Location at, boolean createIntermediate, NameAction<T> action) {
    if (Paths.isName(at.path())) { // most requests: no path is followed
      OpenObject base = handles.require(at.base());
      requireWritable(base);
      FileObjects objects = base.objects();
      requireUnfollowed(objects);
      return objects
          .file()
          .edit(() -> action.run(objects, objects.paths().only(base.address(), at.path())));
    }
    return run(
        at,
        true,
        (objects, base, path, links) ->
            createIntermediate
                ? objects.paths().parentCreating(base, path, links)
                : objects.paths().parent(base, path, links),
        (objects, step) -> action.run(objects, (PathResult.Name) step));
  }

  /**
   * Runs an edit of a name in a group under the write lock, for the new place of a link, which is
   * not inside the group that only this link leads to.
   */
  <T> T editName(Location at, boolean createIntermediate, MovedLink moved, NameAction<T> action) {
    return run(
        at,
        true,
        (objects, base, path, links) -> {
          Paths paths = objects.paths();
          if (objects == moved.objects) {
            return paths.parentOutside(base, path, links, createIntermediate, moved.name);
          }
          return createIntermediate
              ? paths.parentCreating(base, path, links)
              : paths.parent(base, path, links);
        },
        (objects, step) -> action.run(objects, (PathResult.Name) step));
  }

  /** A link that is moved. */
  record MovedLink(FileObjects objects, PathResult.Name name) {}

  private PathResult object(FileObjects objects, long base, String path, int linksFollowed) {
    return objects.paths().object(base, path, linksFollowed);
  }

  private static <T> T onObject(FileObjects objects, PathResult step, ObjectAction<T> action) {
    return action.run(objects, ((PathResult.Reached) step).address());
  }

  private <T> T run(Location at, boolean edit, Follow follow, End<T> end) {
    OpenObject base = handles.require(at.base());
    if (edit) {
      requireWritable(base);
    }
    List<FileObjects> opened = new ArrayList<>();
    try {
      Place place = new Place(base.objects(), base.address(), at.path(), 0);
      while (true) {
        Outcome<T> outcome = attempt(place, edit, follow, end);
        if (outcome.elsewhere == null) {
          return outcome.value;
        }
        PathResult.InOtherFile elsewhere = outcome.elsewhere;
        FileObjects next =
            external.open(place.objects.file(), elsewhere.fileName(), base.opening().writable());
        opened.add(next);
        place = new Place(next, next.root(), elsewhere.path(), elsewhere.linksFollowed());
      }
    } finally {
      opened.forEach(loader::release);
    }
  }

  private static <T> Outcome<T> attempt(Place place, boolean edit, Follow follow, End<T> end) {
    Supplier<Outcome<T>> once =
        () -> {
          PathResult step = follow.follow(place.objects, place.from, place.path, place.links);
          return step instanceof PathResult.InOtherFile elsewhere
              ? new Outcome<>(elsewhere, null)
              : new Outcome<>(null, end.run(place.objects, step));
        };
    if (edit) {
      requireUnfollowed(place.objects);
      return place.objects.file().edit(once);
    }
    return place.objects.file().read(once);
  }

  /**
   * Requires that readers of other processes do not follow the file: they can follow changes of
   * elements and extents only.
   */
  private static void requireUnfollowed(FileObjects objects) {
    if (objects.file().publishes()) {
      throw new InvalidUseException(
          "SWMR writing: actual=an edit of links, attributes or objects, expected=elements written"
              + " and extents grown only, at="
              + objects.file().name()
              + "; create objects before the file is opened with swmr");
    }
  }

  /** Requires that a handle permits edits. */
  static void requireWritable(OpenObject object) {
    if (!object.opening().writable()) {
      throw new InvalidUseException(
          "edit: actual=file opened for reading, expected=opened for editing, at="
              + object.objects().file().name()
              + "; open it with Hdf5.openForEdit");
    }
  }
}
