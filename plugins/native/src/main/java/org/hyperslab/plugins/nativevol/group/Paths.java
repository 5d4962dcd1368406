package org.hyperslab.plugins.nativevol.group;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Resolves paths within one file.
 *
 * <p>Soft links are resolved relative to the group that holds them. A path may follow at most
 * {@value #MAXIMUM_LINKS} soft and external links, across files. Names are separated by "/"; empty
 * names and "." are skipped.
 *
 * <p>Thread rule: as {@link ObjectHeaders}.
 */
public final class Paths {

  /**
   * The greatest number of links followed on a path, the HDF5 library's default (H5Pset_nlinks).
   */
  public static final int MAXIMUM_LINKS = 16;

  private final ObjectHeaders headers;
  private final Groups groups;
  private final Links links;

  /**
   * Creates the paths of a file.
   *
   * @param headers the headers of the file
   * @param groups the groups of the file
   * @param links the links of the file
   */
  public Paths(ObjectHeaders headers, Groups groups, Links links) {
    this.headers = headers;
    this.groups = groups;
    this.links = links;
  }

  /** A walk in progress. */
  private final class Walk {
    private final String path;
    private final Deque<String> names = new ArrayDeque<>();
    private long at;
    private int linksFollowed;

    /** The soft link followed last, for error messages; null if there is none. */
    private String softLink;

    /** The number of names that follow the soft link on the path. */
    private int namesAfterSoftLink;

    /** The hard link that is moved, through which the path may not lead; null if there is none. */
    private PathResult.Name moved;

    Walk(long base, String path, int linksFollowed) {
      this.path = path;
      this.linksFollowed = linksFollowed;
      this.at = path.startsWith("/") ? headers.root() : base;
      names.addAll(names(path));
    }

    /** Resolves one name; empty if the walk continues in this file. */
    Optional<PathResult> step() {
      String name = names.removeFirst();
      LinkMessage link = link(at, name).orElseThrow(() -> notFound(name));
      return switch (link.target()) {
        case LinkMessage.Hard hard -> {
          if (moved != null && moved.group() == at && moved.name().equals(name)) {
            throw intoItself(path, moved);
          }
          at = hard.headerAddress();
          yield Optional.empty();
        }
        case LinkMessage.Soft soft -> {
          count();
          softLink = "\"" + name + "\" to \"" + soft.path() + "\"";
          namesAfterSoftLink = names.size();
          List<String> more = names(soft.path());
          Collections.reverse(more);
          more.forEach(names::addFirst);
          if (soft.path().startsWith("/")) {
            at = headers.root();
          }
          yield Optional.empty();
        }
        case LinkMessage.External external -> {
          count();
          String rest = names.isEmpty() ? "" : "/" + String.join("/", names);
          yield Optional.of(
              new PathResult.InOtherFile(
                  external.file(), "/" + external.path() + rest, linksFollowed));
        }
        case LinkMessage.UserDefined user ->
            throw new UnsupportedFeatureException(
                "link: actual=user-defined class "
                    + user.linkClass()
                    + ", expected=hard, soft or external, at="
                    + headers.file().name()
                    + " "
                    + path);
      };
    }

    private void count() {
      linksFollowed++;
      if (linksFollowed > MAXIMUM_LINKS) {
        throw new InvalidUseException(
            "path: actual=more than "
                + MAXIMUM_LINKS
                + " soft and external links, perhaps in a cycle, expected=fewer, at="
                + headers.file().name()
                + " "
                + path);
      }
    }

    private InvalidUseException intoItself(String to, PathResult.Name link) {
      return new InvalidUseException(
          "link to move: actual=\""
              + link.name()
              + "\" to \""
              + to
              + "\", which is inside the moved group, expected=a path outside of it, at="
              + headers.file().name());
    }

    private NotFoundException notFound(String name) {
      String place = ", at=" + headers.file().name() + " " + path;
      boolean dangling = softLink != null && names.size() >= namesAfterSoftLink;
      return new NotFoundException(
          dangling
              ? "link not found: actual=dangling soft link "
                  + softLink
                  + ", where \""
                  + name
                  + "\" does not exist, expected=an existing target"
                  + place
                  + "; create the target, or replace the link"
              : "link not found: actual=none, expected=\""
                  + name
                  + "\""
                  + place
                  + "; check the names on the path, which are case-sensitive");
    }

    private Optional<LinkMessage> link(long group, String name) {
      requireGroup(group, name, path);
      return groups.find(group, name);
    }
  }

  private void requireGroup(long group, String name, String path) {
    ObjectKind kind = headers.kindAt(group);
    if (kind != ObjectKind.GROUP) {
      throw new InvalidUseException(
          "path: actual="
              + kind
              + " before \""
              + name
              + "\", expected=GROUP, at="
              + headers.file().name()
              + " "
              + path);
    }
  }

  /**
   * {@return whether a path is one name, and so leads to a link of the object where it starts}
   *
   * @param path names separated by slashes
   */
  public static boolean isName(String path) {
    return path.indexOf('/') < 0 && !path.isEmpty() && !path.equals(".");
  }

  /**
   * Returns the only name of a path, see {@link #isName}, as {@link #parent} does.
   *
   * @param base the address of the header of the object where the path begins
   * @param path the name
   * @return the group and the name
   */
  public PathResult.Name only(long base, String path) {
    requireGroup(base, path, path);
    return new PathResult.Name(base, path);
  }

  /**
   * {@return the names of a path, without empty ones and "."}
   *
   * @param path names separated by slashes
   */
  public static List<String> names(String path) {
    List<String> names = new ArrayList<>();
    int start = 0;
    while (start <= path.length()) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      String name = path.substring(start, end);
      if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
      start = end + 1;
    }
    return names;
  }

  /**
   * Returns the object that a path leads to.
   *
   * @param base the object from which a relative path starts
   * @param path names separated by slashes
   * @param linksFollowed the number of links followed so far in other files
   * @return {@link PathResult.Reached} or {@link PathResult.InOtherFile}
   * @throws NotFoundException if a name does not exist
   */
  public PathResult object(long base, String path, int linksFollowed) {
    if (path.isEmpty() || path.equals(".")) { // the case of every request on an open object
      return new PathResult.Reached(base);
    }
    Walk walk = new Walk(base, path, linksFollowed);
    while (!walk.names.isEmpty()) {
      Optional<PathResult> left = walk.step();
      if (left.isPresent()) {
        return left.get();
      }
    }
    return new PathResult.Reached(walk.at);
  }

  /**
   * Returns the group that the last name of a path is in, and that name, whether or not it is in
   * use.
   *
   * @param base the address of the header of the object where the path begins
   * @param path names separated by slashes
   * @param linksFollowed the number of soft and external links followed so far
   * @return {@link PathResult.Name} or {@link PathResult.InOtherFile}
   * @throws InvalidUseException if the path has no name
   * @throws NotFoundException if a name before the last does not exist
   */
  public PathResult parent(long base, String path, int linksFollowed) {
    return parent(new Walk(base, path, linksFollowed), false);
  }

  /**
   * Returns the parent like {@link #parent}, and creates missing groups on the way. Under the write
   * lock.
   *
   * @param base the address of the header of the object where the path begins
   * @param path names separated by slashes
   * @param linksFollowed the number of soft and external links followed so far
   * @return the group and the last name, or the file where the path continues
   */
  public PathResult parentCreating(long base, String path, int linksFollowed) {
    return parent(new Walk(base, path, linksFollowed), true);
  }

  /**
   * Returns the parent like {@link #parent} or {@link #parentCreating}, for the new place of a
   * link, which must not be moved to where only this link leads.
   *
   * @param base the address of the header of the object where the path begins
   * @param path names separated by slashes
   * @param linksFollowed the number of soft and external links followed so far
   * @param create whether missing groups are created
   * @param moved the link, in this file
   * @return the group and the last name, or the file where the path continues
   * @throws InvalidUseException if the group of the last name would not be found any more
   */
  public PathResult parentOutside(
      long base, String path, int linksFollowed, boolean create, PathResult.Name moved) {
    Walk walk = new Walk(base, path, linksFollowed);
    LinkMessage link = groups.require(moved.group(), moved.name());
    if (!(link.target() instanceof LinkMessage.Hard(long target))
        || headers.kindAt(target) != ObjectKind.GROUP) {
      return parent(walk, create);
    }
    MovedGroup group = new MovedGroup(headers, groups, moved, target);
    if (headers.open(target).referenceCount() == 1) {
      walk.moved = moved; // before missing groups are created
      if (group.alone(walk.at)) {
        throw walk.intoItself(path, moved);
      }
    }
    PathResult place = parent(walk, create);
    if (place instanceof PathResult.Name name && group.alone(name.group())) {
      throw walk.intoItself(path, moved);
    }
    return place;
  }

  private PathResult parent(Walk walk, boolean create) {
    if (walk.names.isEmpty()) {
      throw new InvalidUseException(
          "link: actual=path \""
              + walk.path
              + "\" without a name, expected=at least one name; the object where the path starts"
              + " cannot be created, moved or deleted by it");
    }
    while (walk.names.size() > 1) {
      String name = walk.names.getFirst();
      if (create && walk.link(walk.at, name).isEmpty()) {
        long made = groups.create(GroupOptions.DEFAULT);
        links.createFirst(walk.at, name, TextEncoding.of(name), made);
      }
      Optional<PathResult> left = walk.step();
      if (left.isPresent()) {
        return left.get();
      }
    }
    requireGroup(walk.at, walk.names.getFirst(), walk.path);
    return new PathResult.Name(walk.at, walk.names.getFirst());
  }
}
