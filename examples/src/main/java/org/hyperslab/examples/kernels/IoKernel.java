package org.hyperslab.examples.kernels;

import java.util.List;

/**
 * What the ranks of an application access together: every byte of a file, each by one rank.
 *
 * <p>Thread rule: immutable.
 */
public interface IoKernel {

  /** Its name, which is also that of its file. */
  String name();

  /** For people: what is accessed, in numbers. */
  String describe(int ranks);

  /** A rank's accesses in order; as many on every rank. */
  List<Access> accesses(int rank, int ranks);

  /** The length of the file. */
  long fileBytes(int ranks);
}
