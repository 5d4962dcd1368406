package org.hyperslab.format.type.convert;

/**
 * A step of a plan: converts elements from the source block of a workspace to its destination
 * block. Strides are fixed when the plan is compiled.
 *
 * <p>Thread rule: immutable; variable state is in the workspace.
 */
interface Kernel {

  /**
   * Converts consecutive elements of the source block into the destination block.
   *
   * @param work the blocks and scratch memory of this run
   * @param from the byte position of the first element in the source block
   * @param to the byte position of the first element in the destination block
   * @param count the number of elements
   */
  void run(Workspace work, int from, int to, int count);
}
