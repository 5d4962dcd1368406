package org.hyperslab.mpiio.machine;

/** Receives the links that a message crosses. */
@FunctionalInterface
public interface LinkVisitor {

  /**
   * Takes one link, in the direction of the message.
   *
   * @param link the number of the link: the vertex it leaves in the upper 32 bits, the vertex it
   *     enters in the lower ones. The vertices are the nodes, counted from 0, then the switches
   * @param width how many parallel cables the link has, which share what crosses it; at least 1
   */
  void link(long link, int width);

  /**
   * Makes the number of a link.
   *
   * @param from the vertex it leaves
   * @param to the vertex it enters
   * @return the number
   */
  static long number(int from, int to) {
    return (long) from << Integer.SIZE | to;
  }
}
