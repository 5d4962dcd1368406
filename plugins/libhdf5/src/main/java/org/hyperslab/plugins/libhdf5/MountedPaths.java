package org.hyperslab.plugins.libhdf5;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/**
 * Follows paths from file to mounted file, name by name, because a connector knows nothing of
 * mounts. Used only while there are any.
 *
 * <p>Absolute paths, and paths relative to a file, begin at the root of the topmost file, as in
 * libhdf5. The rest of a path behind an external or user-defined link, or behind a name that does
 * not exist, is left to the connector.
 */
final class MountedPaths {

  /** Soft links that are followed in one path. */
  private static final int MAX_LINKS = 16;

  private final Mounts mounts;

  MountedPaths(Mounts mounts) {
    this.mounts = mounts;
  }

  /**
   * Returns the place at a path.
   *
   * @param from where a relative path begins
   * @param isFile whether that is a file
   * @param path the path; null or empty for the start itself
   * @param follow whether the last name is followed to what is mounted, or what a soft link leads
   *     to
   */
  LocationResolver.Place find(
      LocationResolver.Place from, boolean isFile, String path, boolean follow) {
    String given = path == null ? "" : path;
    boolean absolute = given.startsWith("/") || isFile;
    LocationResolver.Place place = absolute ? top(from) : from;
    Deque<String> names = names(given);
    int links = 0;
    while (!names.isEmpty()) {
      String name = names.poll();
      Location next = below(place.at(), name);
      if (names.isEmpty() && !follow) {
        return place.at(next);
      }
      Optional<LinkInfo> link = describe(place.file(), next);
      switch (link.map(LinkInfo::kind).orElse(LinkKind.EXTERNAL)) {
        case HARD -> place = across(place.at(next), link.orElseThrow());
        case SOFT -> {
          links++;
          if (links > MAX_LINKS) {
            throw new InvalidUseException(
                "soft links in a path: actual=more than "
                    + MAX_LINKS
                    + ", expected=fewer, at="
                    + given);
          }
          String target = link.orElseThrow().targetPath();
          place = target.startsWith("/") ? top(place) : place;
          List<String> inside = new ArrayList<>(names(target));
          Collections.reverse(inside);
          inside.forEach(names::addFirst);
        }
        case EXTERNAL, USER_DEFINED -> {
          names.addFirst(name);
          return place.at(below(place.at(), String.join("/", names)));
        }
      }
    }
    return place;
  }

  private static Deque<String> names(String path) {
    Deque<String> names = new ArrayDeque<>();
    for (String name : path.split("/")) {
      if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
    }
    return names;
  }

  private static Location below(Location at, String name) {
    return at.isBase()
        ? new Location(at.base(), name)
        : new Location(at.base(), at.path() + "/" + name);
  }

  /** Returns a link; empty if there is none, so that the connector reports or creates it. */
  private static Optional<LinkInfo> describe(OpenedFile file, Location at) {
    try {
      return Optional.of(file.call(new LinkOperation.Describe(at)));
    } catch (NotFoundException | InvalidUseException none) {
      return Optional.empty();
    }
  }

  /** Returns the root of what is mounted on the group that a hard link leads to, or the group. */
  private LocationResolver.Place across(LocationResolver.Place place, LinkInfo link) {
    Optional<Mounts.Mount> mount = mounts.on(place.file(), link.token());
    LocationResolver.Place found = place;
    while (mount.isPresent()) {
      OpenedFile child = mount.get().child();
      found = root(child, mount.get().childOpening());
      ObjectInfo root = child.call(new ObjectOperation.Describe(Location.of(child.handle())));
      mount = mounts.on(child, root.token());
    }
    return found;
  }

  /** Returns the root of the topmost file of the hierarchy of a place. */
  private LocationResolver.Place top(LocationResolver.Place from) {
    OpenedFile file = from.file();
    long opening = from.opening();
    Optional<Mounts.Mount> above = mounts.of(opening);
    while (above.isPresent()) {
      file = above.get().parent();
      opening = above.get().parentOpening();
      above = mounts.of(opening);
    }
    return root(file, opening);
  }

  private static LocationResolver.Place root(OpenedFile file, long opening) {
    return new LocationResolver.Place(file, Location.of(file.handle()), null, opening);
  }

  /**
   * Returns a path in a file as seen from the topmost file of its hierarchy.
   *
   * @param path the path from the file's own root
   * @param opening the identifier of the file
   */
  String fromTop(String path, long opening) {
    String seen = path;
    Optional<Mounts.Mount> mount = mounts.of(opening);
    while (mount.isPresent()) {
      OpenedFile parent = mount.get().parent();
      String above =
          parent.call(new ObjectOperation.PathOf(parent.handle(), mount.get().token())).orElse("");
      seen = above + (seen.equals("/") ? "" : seen);
      mount = mounts.of(mount.get().parentOpening());
    }
    return seen;
  }
}
