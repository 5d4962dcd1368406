package org.hyperslab.machine;

/** Receives the links that a message crosses. */
@FunctionalInterface
public interface LinkVisitor {

  /**
   * Visits one link, in the direction of the message.
   *
   * @param link the number of the link: the vertex it leaves in the upper 32 bits, the vertex it
   *     enters in the lower ones. The vertices are the nodes, counted from 0, then the switches
   * @param width the number of parallel cables of the link, which share its traffic; at least 1
   * @param bytesPerSecond the bandwidth of one cable, in each direction
   */
  void link(long link, int width, double bytesPerSecond);

  /**
   * Returns the number of a link.
   *
   * @param from the vertex that it leaves
   * @param to the vertex that it enters
   * @return the number
   */
  static long number(int from, int to) {
    return (long) from << Integer.SIZE | to;
  }
}
