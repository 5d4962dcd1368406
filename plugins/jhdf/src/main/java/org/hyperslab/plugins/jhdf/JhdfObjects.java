package org.hyperslab.plugins.jhdf;

import io.jhdf.HdfFile;
import io.jhdf.api.Group;
import io.jhdf.api.Link;
import io.jhdf.api.Node;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.base.OpenTable;

/**
 * Keeps the open objects and resolves paths.
 *
 * <p>Thread rule: any thread.
 */
final class JhdfObjects {

  /** An open object and the handle of the file that it was opened through. */
  record Open(Node node, Handle file) {}

  private final OpenTable<Open> open;
  private final Map<Path, Long> fileNumbers = new ConcurrentHashMap<>();
  private final AtomicLong lastFileNumber = new AtomicLong();

  JhdfObjects(OpenTable<Open> open) {
    this.open = open;
  }

  /**
   * Returns the number of the file that contains an object, which differs for targets of external
   * links.
   */
  long fileNumber(Node node) {
    Path file = node.getHdfFile().getFileAsPath().toAbsolutePath().normalize();
    return fileNumbers.computeIfAbsent(file, _ -> lastFileNumber.incrementAndGet());
  }

  void put(Handle handle, Open object) {
    open.bind(handle, object);
  }

  Open require(Handle handle) {
    return open.require(handle);
  }

  /** Removes a handle; for a file, with all handles that were opened through it. */
  void close(Handle handle) {
    Optional<Open> object = open.remove(handle);
    if (object.isPresent() && object.get().file.equals(handle)) {
      open.removeIf(each -> each.file.equals(handle));
      if (object.get().node instanceof HdfFile file) {
        file.close();
      }
    }
  }

  /** Closes all files. */
  void closeAll() {
    List.copyOf(open.values()).forEach(each -> close(each.file));
  }

  /** Returns the object at a location, all links followed. */
  Node resolve(Location at) {
    Node node = require(at.base()).node;
    if (at.path().startsWith("/")) {
      node = node.getHdfFile();
    }
    for (String name : names(at.path())) {
      node = target(child(node, name, at), at);
    }
    return node;
  }

  /** Returns jHDF's node at a location: a link if it is soft or external, otherwise the object. */
  Node link(Location at) {
    List<String> names = names(at.path());
    Node node = require(at.base()).node;
    if (at.path().startsWith("/")) {
      node = node.getHdfFile();
    }
    for (int i = 0; i < names.size(); i++) {
      node = child(node, names.get(i), at);
      if (i < names.size() - 1) {
        node = target(node, at);
      }
    }
    return node;
  }

  /** Returns the links of a group, in order of names as unsigned bytes. */
  static List<Node> children(Node group) {
    List<Node> children = new ArrayList<>(((Group) group).getChildren().values());
    children.sort(Comparator.comparing(Node::getName, JhdfObjects::compareBytes));
    return children;
  }

  /**
   * Returns the first path in order of names that reaches an address by hard links, if there is
   * one.
   */
  static Optional<String> pathOf(HdfFile file, long address) {
    return file.getAddress() == address
        ? Optional.of("/")
        : pathBelow(file, "/", address, new HashSet<>());
  }

  private static Optional<String> pathBelow(
      Group group, String prefix, long address, Set<Long> seen) {
    if (!seen.add(group.getAddress())) {
      return Optional.empty();
    }
    for (Node child : children(group)) {
      String path = prefix + child.getName();
      Optional<String> found = Optional.empty();
      if (!(child instanceof Link) && child.getAddress() == address) {
        found = Optional.of(path);
      } else if (child instanceof Group below) {
        found = pathBelow(below, path + "/", address, seen);
      }
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  static int compareBytes(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  private static Node child(Node node, String name, Location at) {
    if (!(node instanceof Group group)) {
      throw new InvalidUseException(
          "path: actual=" + node.getPath() + " is not a group, expected=a group, at=" + at.path());
    }
    Node child = group.getChildren().get(name);
    if (child == null) {
      throw new NotFoundException(
          "link: actual=none, expected=" + name + ", at=" + at.path() + " in " + group.getPath());
    }
    return child;
  }

  private static Node target(Node node, Location at) {
    if (node instanceof Link link) {
      if (link.isBrokenLink()) {
        throw new NotFoundException("link: actual=dangling, expected=an object, at=" + at.path());
      }
      return link.getTarget();
    }
    return node;
  }

  private static List<String> names(String path) {
    List<String> names = new ArrayList<>();
    for (String name : path.split("/")) {
      if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
    }
    return names;
  }
}
