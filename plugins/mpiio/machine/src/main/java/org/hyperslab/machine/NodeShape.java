package org.hyperslab.machine;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * The structure of a node: its processors and the parts that they share. Processors of a node are
 * numbered from 0 such that those which share most have neighbouring numbers.
 *
 * @param parts the parts, from the processors outwards; the last part is the whole node
 * @param hops the distance between two processors of a node in hops: 1, or 0 to count only hops in
 *     the network
 */
public record NodeShape(List<Part> parts, int hops) {

  private static final int MAX_PARTS = 16;

  private static final int MAX_PROCESSORS = 1 << 16;

  /**
   * A part of a node, such as a package.
   *
   * @param arity the number of processors, or of parts of the next smaller kind, in it
   * @param level the connection between two of its processors that share no smaller part
   */
  public record Part(int arity, Level level) {}

  /**
   * Checks the shape.
   *
   * @throws InvalidUseException if there is no part, too many parts or processors, or a distance
   *     that is neither 0 nor 1
   */
  public NodeShape {
    parts = List.copyOf(parts);
    if (parts.isEmpty() || parts.size() > MAX_PARTS) {
      throw new InvalidUseException(
          "node: actual=" + parts.size() + " kinds of parts, expected=1 to " + MAX_PARTS);
    }
    if (hops != 0 && hops != 1) {
      throw new InvalidUseException("node: actual=" + hops + " hops within, expected=0 or 1");
    }
    CheckedCounts.product(
        "processors of a node", MAX_PROCESSORS, parts.stream().mapToInt(Part::arity).toArray());
  }

  /**
   * Creates a node whose processors are all equal.
   *
   * @param processors the number of processors
   * @param level the connection between two of them
   * @param hops their distance, 0 or 1
   * @return the shape
   */
  public static NodeShape flat(int processors, Level level, int hops) {
    return new NodeShape(List.of(new Part(processors, level)), hops);
  }

  /** {@return the number of processors of a node} */
  public int processors() {
    int all = 1;
    for (Part part : parts) {
      all *= part.arity();
    }
    return all;
  }

  /** Returns the index of the smallest part that two processors of a node share. */
  int level(int a, int b) {
    int x = a;
    int y = b;
    for (int i = 0; i < parts.size(); i++) {
      x /= parts.get(i).arity();
      y /= parts.get(i).arity();
      if (x == y) {
        return i;
      }
    }
    throw new InvalidUseException(
        "processor of a node: actual=" + Math.max(a, b) + ", expected=less than " + processors());
  }

  /** Returns the coordinates of a processor in its node, outermost part first. */
  int[] coordinates(int processor) {
    int[] at = new int[parts.size()];
    int rest = processor;
    for (int i = 0; i < at.length; i++) {
      at[at.length - 1 - i] = rest % parts.get(i).arity();
      rest /= parts.get(i).arity();
    }
    return at;
  }

  NodeShape with(List<Level> changed) {
    List<Part> next = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      next.add(new Part(parts.get(i).arity(), changed.get(i)));
    }
    return new NodeShape(next, hops);
  }
}
