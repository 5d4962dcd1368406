package org.hyperslab.examples.kernels;

import java.util.List;
import org.hyperslab.mpiio.datatype.DimensionDistribution;

/**
 * The accesses of an application's ranks to a file: together they cover every byte, each by one
 * rank.
 *
 * <p>Thread rule: immutable.
 */
public interface IoKernel {

  /** {@return the name of the kernel, which is also that of its file} */
  String name();

  /**
   * Describes the accesses in numbers, for display.
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
   * {@return the grid that the ranks form, numbered row by row, which their communicator describes;
   * empty if it describes none}
   *
   * @param ranks the number of ranks
   */
  default List<Integer> arrangement(int ranks) {
    return List.of();
  }

  /**
   * Computes the length of the file.
   *
   * @param ranks the number of ranks
   * @return the length in bytes
   */
  long fileBytes(int ranks);

  /**
   * {@return a lattice of four dimensions, divided into blocks among the ranks}
   *
   * @param edge sites along each edge, a multiple of the ranks along it
   * @param siteBytes bytes of a site
   */
  static IoKernel lattice(int edge, int siteBytes) {
    return new Lattice(edge, siteBytes);
  }

  /**
   * {@return S3D I/O: a checkpoint of four arrays over a cube, divided into blocks among the ranks}
   *
   * @param points points along an edge of the cube, a multiple of the ranks along it
   */
  static IoKernel s3d(int points) {
    return new S3dIo(points);
  }

  /**
   * {@return Latency-IO: calls in which every rank moves one block, the blocks one after the other}
   *
   * @param calls how many calls
   * @param blockBytes bytes that each rank moves in a call
   */
  static IoKernel latency(int calls, long blockBytes) {
    return new LatencyIo(calls, blockBytes);
  }

  /**
   * {@return PIOBENCH: an array of doubles that is distributed over a grid of ranks, each dimension
   * in its own way}
   *
   * @param sizes the array's lengths, slowest dimension first
   * @param distributions one for each dimension
   * @throws org.hyperslab.error.InvalidUseException if their numbers differ
   */
  static IoKernel piobench(List<Integer> sizes, List<DimensionDistribution> distributions) {
    return new Piobench(sizes, distributions);
  }
}
