package org.hyperslab.plugins.libhdf5.bridge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.file.LinkAccess;
import org.hyperslab.plugins.libhdf5.file.Mounts;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/**
 * Follows paths name by name, where a connector cannot. It goes from file to mounted file, of which
 * a connector knows nothing, through external links whose files are opened as an access property
 * list says, and through links of a class of the program.
 *
 * <p>Absolute paths, and paths relative to a file, begin at the root of the topmost file, as in
 * libhdf5. The rest of a path behind a link without a class, an external link that is followed by
 * default, or a name that does not exist, is left to the connector.
 */
final class FollowedPaths {

  private final Mounts mounts;
  private final ExternalTargets targets;
  private final UserLinks userLinks;

  FollowedPaths(Mounts mounts, ExternalTargets targets, UserLinks userLinks) {
    this.mounts = mounts;
    this.targets = targets;
    this.userLinks = userLinks;
  }

  /**
   * How links are followed.
   *
   * @param access how external links are followed; null if the connector follows them
   * @param accessList the access list of the path
   * @param last whether the last name is followed to what is mounted, or what a link leads to
   */
  record How(LinkAccess access, long accessList, boolean last) {

    /** Returns how links are followed without an access list. */
    static How usual(boolean last) {
      return new How(null, Hdf5Calls.DEFAULT, last);
    }
  }

  /**
   * Returns the place at a path.
   *
   * @param from where a relative path begins
   * @param isFile whether that is a file
   * @param path the path; null or empty for the start itself
   * @param how how links are followed
   */
  LocationResolver.Place find(LocationResolver.Place from, boolean isFile, String path, How how) {
    String given = path == null ? "" : path;
    boolean absolute = given.startsWith("/") || isFile;
    Walk walk = new Walk(given, how, absolute ? top(from) : from);
    try {
      while (!walk.names.isEmpty() && (how.last || walk.names.size() > 1)) {
        if (!step(walk)) {
          return walk.place.at(below(walk.place.at(), String.join("/", walk.names)));
        }
      }
      return walk.names.isEmpty()
          ? walk.place
          : walk.place.at(below(walk.place.at(), walk.names.peek()));
    } catch (RuntimeException failure) {
      walk.place.close();
      throw failure;
    }
  }

  /** A path that is being followed. */
  private static final class Walk {
    private final String path;
    private final How how;
    private final Deque<String> names;
    private LocationResolver.Place place;
    private int links;

    Walk(String path, How how, LocationResolver.Place start) {
      this.path = path;
      this.how = how;
      this.names = FollowedPaths.names(path);
      this.place = start;
    }

    /** Puts the names of a link's target before the others. */
    void into(String target) {
      long limit = how.access == null ? LinkAccess.DEFAULT_LIMIT : how.access.limit();
      links++;
      if (links > limit) {
        throw new InvalidUseException(
            "links in a path: actual=more than "
                + limit
                + ", expected=fewer (H5Pset_nlinks), at="
                + path);
      }
      List<String> inside = new ArrayList<>(FollowedPaths.names(target));
      Collections.reverse(inside);
      inside.forEach(names::addFirst);
    }
  }

  /** Follows the next name; returns false if the rest of the path is left to the connector. */
  private boolean step(Walk walk) {
    LocationResolver.Place place = walk.place;
    Location next = below(place.at(), walk.names.peek());
    Optional<LinkInfo> found = describe(place.file(), next);
    if (found.isEmpty()) {
      return false;
    }
    LinkInfo link = found.get();
    switch (link.kind()) {
      case HARD -> {
        walk.names.poll();
        walk.place = across(place.at(next), link);
      }
      case SOFT -> {
        walk.names.poll();
        walk.place = link.targetPath().startsWith("/") ? top(place) : place;
        walk.into(link.targetPath());
      }
      case EXTERNAL -> {
        if (walk.how.access == null) {
          return false;
        }
        walk.names.poll();
        walk.into(link.targetPath());
        walk.place = targets.open(place, link, walk.how.access);
        place.close();
      }
      case USER_DEFINED -> {
        Optional<LocationResolver.Place> reached =
            userLinks.follow(place, link, walk.how.accessList);
        if (reached.isEmpty()) {
          return false;
        }
        walk.names.poll();
        walk.into("");
        walk.place = reached.get();
        place.close();
      }
    }
    return true;
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
        : new Location(at.base(), at.path().equals("/") ? "/" + name : at.path() + "/" + name);
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
    if (mounts.isEmpty()) {
      return place;
    }
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

  /**
   * Returns the root of the topmost file of the hierarchy of a place. Without mounts, that is the
   * root as the connector sees it from there: an object may be in another file than its identifier.
   */
  private LocationResolver.Place top(LocationResolver.Place from) {
    if (mounts.isEmpty()) {
      return from.at(new Location(from.at().base(), "/"));
    }
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
