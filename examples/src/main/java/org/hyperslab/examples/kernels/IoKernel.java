package org.hyperslab.examples.kernels;

import java.util.List;

/**
 * What the ranks of an application access together: every byte of a file, each by one rank.
 *
 * <p>Thread rule: immutable.
 */
public interface IoKernel {

  /** {@return the name of the kernel, which is also that of its file} */
  String name();

  /**
   * Describes for people what is accessed, in numbers.
   *
   * @param ranks the number of ranks
   * @return the text
   */
  String describe(int ranks);

  /**
   * Lists the accesses of a rank in order; their number is the same on every rank.
   *
   * @param rank the rank, from 0
   * @param ranks the number of ranks
   * @return the accesses
   */
  List<Access> accesses(int rank, int ranks);

  /**
   * Computes the length of the file.
   *
   * @param ranks the number of ranks
   * @return the length in bytes
   */
  long fileBytes(int ranks);
}
