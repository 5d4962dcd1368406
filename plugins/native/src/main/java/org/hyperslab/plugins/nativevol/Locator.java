package org.hyperslab.plugins.nativevol;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Location;

/**
 * Follows a location to an object or a name, across external links, and runs an action there under
 * the lock of the file in which it is. No lock of one file is held while another file is opened.
 *
 * <p>Thread rule: any thread.
 */
final class Locator {

  /** An action on an object. */
  @FunctionalInterface
  interface ObjectAction<T> {
    /** Called under the lock of the object's file. */
    T run(FileObjects objects, long address);
  }

  /** An action on a name in a group. */
  @FunctionalInterface
  interface NameAction<T> {
    /** Called under the lock of the group's file. */
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

  /** Follows a path within a file. */
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
   * The place where a path continues: in which file, from which object, which names, after how many
   * links.
   */
  private record Place(FileObjects objects, long from, String path, int links) {}

  private record Outcome<T>(PathResult.InOtherFile elsewhere, T value) {}

  /** Looks at an object, under the read lock. */
  <T> T read(Location at, ObjectAction<T> action) {
    return run(at, false, this::object, (objects, step) -> onObject(objects, step, action));
  }

  /** Edits an object, under the write lock. */
  <T> T edit(Location at, ObjectAction<T> action) {
    return run(at, true, this::object, (objects, step) -> onObject(objects, step, action));
  }

  /** Looks at a name in a group, under the read lock. */
  <T> T readName(Location at, NameAction<T> action) {
    return run(
        at,
        false,
        (objects, base, path, links) -> objects.paths().parent(base, path, links),
        (objects, step) -> action.run(objects, (PathResult.Name) step));
  }

  /** Edits a name in a group, under the write lock. */
  <T> T editName(Location at, boolean createIntermediate, NameAction<T> action) {
    return run(
        at,
        true,
        (objects, base, path, links) ->
            createIntermediate
                ? objects.paths().parentCreating(base, path, links)
                : objects.paths().parent(base, path, links),
        (objects, step) -> action.run(objects, (PathResult.Name) step));
  }

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

  /** Readers of other processes can follow elements and extents, and nothing else. */
  private static void requireUnfollowed(FileObjects objects) {
    if (objects.file().publishes()) {
      throw new InvalidUseException(
          "SWMR writing: actual=an edit of links, attributes or objects, expected=elements written"
              + " and extents grown only, at="
              + objects.file().name()
              + "; make objects before the file is opened with swmr");
    }
  }

  /** Requires that edits through a handle are allowed. */
  static void requireWritable(OpenObject object) {
    if (!object.opening().writable()) {
      throw new InvalidUseException(
          "edit: actual=file opened for reading, expected=opened for editing, at="
              + object.objects().file().name());
    }
  }
}
