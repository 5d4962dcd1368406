package org.hyperslab.vol;

/**
 * The layout of the table of steps, which is made of ordinary objects, so that every program can
 * read it.
 *
 * <pre>
 * /_steps                  group
 *   attribute "datasets"   strings: the paths of the datasets that grow, one for each column
 *   rows                   int64[steps + 1][columns]: row 0 has the extents of dimension 0 before
 *                          step 0, row n+1 those at the end of step n
 *   state                  int64[16]: what is published; see below
 * </pre>
 *
 * <p>{@code state} is contiguous, so that readers find it in its place at any time:
 *
 * <pre>
 *   [0] version of this layout, 1      [1] process that writes      [2] its start, ms since 1970
 *   [3] machine of the process         [4..7] 0
 *   [8..11]  slot 0: published steps, time in ms since 1970, 1 if the writer has ended, check
 *   [12..15] slot 1: the same
 * </pre>
 *
 * <p>A publication overwrites the older slot, so that the other is whole if it is cut off. The
 * check is the complement of the exclusive or of the three values before it; of the slots whose
 * check is right, the one with more steps counts, and with equal numbers the one that says that the
 * writer has ended, or the later one.
 */
public final class StepTable {

  /** The group of the table. */
  public static final String GROUP = "/_steps";

  /** The attribute of the group that has the paths of the datasets. */
  public static final String DATASETS = "datasets";

  /** The dataset of extents. */
  public static final String ROWS = GROUP + "/rows";

  /** The dataset of what is published. */
  public static final String STATE = GROUP + "/state";

  /** The version of the layout. */
  public static final int VERSION = 1;

  /** The number of elements of {@link #STATE}. */
  public static final int STATE_LENGTH = 16;

  /** The greatest number of datasets in a table. */
  public static final int MOST_DATASETS = 4096;

  private StepTable() {}
}
