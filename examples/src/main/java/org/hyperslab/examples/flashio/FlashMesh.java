package org.hyperslab.examples.flashio;

import java.util.List;

/**
 * The block-structured mesh that FLASH I/O writes: the number of blocks of each rank, and their
 * values.
 *
 * <p>A block has 8×8×8 cells, with 4 guard cells on each side in memory. On a rank, cells lie as in
 * the original's Fortran array {@code unk(nvar, 16, 16, 16, blocks)}: variable fastest, then x, y,
 * z, then block. Variable i, from 1, is i everywhere.
 *
 * <p>Thread rule: immutable.
 *
 * @param ranks the number of ranks that share the mesh, from 1
 */
public record FlashMesh(int ranks) {

  /** Cells of a block along each axis, without guard cells. */
  public static final int CELLS = 8;

  /** Guard cells on each side. */
  public static final int GUARD = 4;

  /** Cells of a block along each axis, guard cells included. */
  public static final int GUARDED = CELLS + 2 * GUARD;

  /** The variables, in memory order; blanks belong to the names. */
  public static final List<String> VARIABLES =
      List.of(
          "dens", "velx", "vely", "velz", "pres", "ener", "temp", "gamc", "game", "enuc", "gpot",
          "f1  ", "f2  ", "f3  ", "f4  ", "f5  ", "f6  ", "f7  ", "f8  ", "f9  ", "f10 ", "f11 ",
          "f12 ", "f13 ");

  /** The variables that plotfiles hold. */
  public static final List<String> PLOT_VARIABLES = List.of("dens", "temp", "pres", "f1  ");

  /** Checks the number of ranks. */
  public FlashMesh {
    if (ranks < 1 || ranks > 1 << 20) {
      throw new IllegalArgumentException("ranks: actual=" + ranks + ", expected=1..1048576");
    }
  }

  /**
   * Counts the blocks of a rank.
   *
   * @param rank the rank, from 0
   * @return the number of its blocks
   */
  public int blocks(int rank) {
    return 80 + rank % 3;
  }

  /**
   * Finds the first block of a rank.
   *
   * @param rank the rank, from 0
   * @return the number of blocks on all ranks before it
   */
  public int firstBlock(int rank) {
    int sum = 0;
    for (int before = 0; before < rank; before++) {
      sum += blocks(before);
    }
    return sum;
  }

  /** {@return the number of blocks on all ranks} */
  public int totalBlocks() {
    return firstBlock(ranks);
  }

  /**
   * {@return the length of the array that {@link #fill} needs for the rank with the most blocks}
   */
  public int unknownsLength() {
    int most = 0;
    for (int rank = 0; rank < Math.min(ranks, 3); rank++) {
      most = Math.max(most, blocks(rank));
    }
    return most * GUARDED * GUARDED * GUARDED * VARIABLES.size();
  }

  /**
   * Fills in the unknowns of a rank, guard cells included.
   *
   * @param rank the rank, from 0
   * @param unknowns an array of at least {@link #unknownsLength} elements
   */
  public void fill(int rank, double[] unknowns) {
    int variables = VARIABLES.size();
    int length = blocks(rank) * GUARDED * GUARDED * GUARDED * variables;
    for (int at = 0; at < length; at += variables) {
      for (int v = 0; v < variables; v++) {
        unknowns[at + v] = v + 1;
      }
    }
  }

  /**
   * Returns the position of a cell's variable in the array of unknowns; indices count from 0,
   * guards too.
   */
  static int at(int variable, int x, int y, int z, int block) {
    int cell = ((block * GUARDED + z) * GUARDED + y) * GUARDED + x;
    return cell * VARIABLES.size() + variable;
  }
}
