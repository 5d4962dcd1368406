package org.hyperslab.testkit.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.testkit.memory.MemoryObject.Entry;

/**
 * Follows a path through groups and links, also into other files. Guarded by the connector's lock.
 */
final class MemoryPaths {

  /** The number of soft and external links that HDF5 follows in one path by default. */
  private static final int LINK_LIMIT = 16;

  private final Function<String, MemoryFileState> files;
  private int followed;

  /** Creates a resolver of one path; {@code files} returns the file with a name, or null. */
  MemoryPaths(Function<String, MemoryFileState> files) {
    this.files = files;
  }

  /** A group and a name in it. */
  record Place(MemoryObject group, String name) {

    Entry entry() {
      Entry entry = group.links.get(name);
      if (entry == null) {
        throw missing(group, name);
      }
      return entry;
    }

    void requireFree() {
      MemoryLinks.requireText("link name", name);
      if (group.links.containsKey(name)) {
        throw new AlreadyExistsException(
            "link: actual=\"" + name + "\" exists, expected=a new name, at=" + group.file.name);
      }
    }
  }

  static List<String> names(String path) {
    List<String> names = new ArrayList<>(Arrays.asList(path.split("/", -1)));
    names.removeIf(name -> name.isEmpty() || name.equals("."));
    return names;
  }

  /** Returns the object at a path, every link followed. */
  MemoryObject object(MemoryObject base, String path) {
    MemoryObject here = path.startsWith("/") ? base.file.root : base;
    for (String name : names(path)) {
      here = follow(requireGroup(here, name), name);
    }
    return here;
  }

  /**
   * Returns the group and last name of a path, after following or creating the groups before it.
   */
  Place place(MemoryObject base, String path, LinkOptions options) {
    List<String> names = names(path);
    if (names.isEmpty()) {
      throw new InvalidUseException(
          "path of a link: actual=\"" + path + "\", expected=at least one name");
    }
    MemoryObject here = path.startsWith("/") ? base.file.root : base;
    for (String name : names.subList(0, names.size() - 1)) {
      requireGroup(here, name);
      if (options.createIntermediate() && !here.links.containsKey(name)) {
        MemoryObject made = MemoryObject.group(here.file, GroupOptions.DEFAULT);
        MemoryLinks.addHard(here, name, options.charset(), made);
      }
      here = follow(here, name);
    }
    return new Place(requireGroup(here, names.getLast()), names.getLast());
  }

  private MemoryObject follow(MemoryObject group, String name) {
    Entry entry = new Place(group, name).entry();
    return switch (entry.info().kind()) {
      case HARD -> entry.target();
      case SOFT -> {
        count(name);
        yield object(group, entry.info().targetPath());
      }
      case EXTERNAL -> {
        count(name);
        MemoryFileState file = files.apply(entry.info().targetFile());
        if (file == null) {
          throw new NotFoundException(
              "file of an external link: actual=\""
                  + entry.info().targetFile()
                  + "\" does not exist, expected=a file, at="
                  + name);
        }
        yield object(file.root, "/" + entry.info().targetPath());
      }
      case USER_DEFINED ->
          throw new UnsupportedFeatureException(
              "link: actual=user-defined class " + entry.info().userClass() + ", at=" + name);
    };
  }

  private void count(String name) {
    if (++followed > LINK_LIMIT) {
      throw new InvalidUseException(
          "soft and external links in one path: actual=more than "
              + LINK_LIMIT
              + ", expected=at most "
              + LINK_LIMIT
              + ", at="
              + name);
    }
  }

  private static MemoryObject requireGroup(MemoryObject object, String name) {
    if (object.kind != ObjectKind.GROUP) {
      throw new InvalidUseException(
          "path: actual=a "
              + object.kind
              + " before \""
              + name
              + "\", expected=a group, at="
              + object.file.name);
    }
    return object;
  }

  static NotFoundException missing(MemoryObject group, String name) {
    return new NotFoundException(
        "link: actual=no \""
            + name
            + "\" in object "
            + group.token.address()
            + ", expected=a link of that name, at="
            + group.file.name);
  }
}
