package org.hyperslab.convert.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * A group with its members in order. A reader fills the lists; they do not change afterwards.
 *
 * @param path its absolute path; "/" for the root
 * @param attributes its attributes
 * @param dimensions the dimensions that are defined in it
 * @param variables the variables in it
 * @param groups the groups in it
 * @param types the named types that it defines
 * @param links its additional links
 */
public record GroupNode(
    String path,
    List<AttributeValue> attributes,
    List<Dimension> dimensions,
    List<Variable> variables,
    List<GroupNode> groups,
    List<NamedType> types,
    List<NodeLink> links) {

  /** The greatest number of groups on a path; readers and writers visit groups recursively. */
  public static final int MAX_DEPTH = 400;

  /**
   * Creates an empty group.
   *
   * @param path its path
   * @return the group, with modifiable lists
   * @throws UnsupportedFeatureException if it is nested too deeply
   */
  public static GroupNode empty(String path) {
    requireDepth(path);
    return new GroupNode(
        path,
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>());
  }

  /**
   * Checks the depth of a group before it is created.
   *
   * @param path its path, absolute or relative
   * @throws UnsupportedFeatureException if it is nested too deeply
   */
  public static void requireDepth(String path) {
    long names = path.chars().filter(c -> c == '/').count() + (path.startsWith("/") ? 0 : 1);
    if (names > MAX_DEPTH) {
      throw new UnsupportedFeatureException(
          "groups: actual=nested in "
              + names
              + " levels, expected<="
              + MAX_DEPTH
              + ", at="
              + path.substring(0, Math.min(path.length(), 100)));
    }
  }

  /**
   * Returns the path of a child.
   *
   * @param name the child's name
   * @return the path of this group with the name appended
   */
  public String child(String name) {
    return path.equals("/") ? "/" + name : path + "/" + name;
  }

  /**
   * Returns the last name on the path.
   *
   * @return the last part of the path; empty for the root
   */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * Returns this group and all groups below it.
   *
   * @return the groups, each before the groups in it
   */
  public Stream<GroupNode> all() {
    return Stream.concat(Stream.of(this), groups.stream().flatMap(GroupNode::all));
  }

  /**
   * Returns the variables of this group and of all groups below it.
   *
   * @return the variables, those of a group before those of the groups in it
   */
  public Stream<Variable> allVariables() {
    return all().flatMap(group -> group.variables().stream());
  }
}
