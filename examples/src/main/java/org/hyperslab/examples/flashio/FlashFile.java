package org.hyperslab.examples.flashio;

import java.util.List;

/** The three files of a run, named as the original names them. */
public enum FlashFile {
  /** All variables, in double precision. */
  CHECKPOINT("checkpoint", "chk", true, false),
  /** Four variables at cell centres, in single precision. */
  CENTRED_PLOTFILE("plotfile, centred", "plt_cnt", false, false),
  /** Four variables at cell corners, in single precision. */
  CORNER_PLOTFILE("plotfile, corners", "plt_crn", false, true);

  private static final String BASE = "flash_io_test_";

  private final String title;
  private final String infix;
  private final boolean doublePrecision;
  private final boolean corners;

  FlashFile(String title, String infix, boolean doublePrecision, boolean corners) {
    this.title = title;
    this.infix = infix;
    this.doublePrecision = doublePrecision;
    this.corners = corners;
  }

  /** What it is, in words. */
  public String title() {
    return title;
  }

  /** Its name, without folder. */
  public String fileName() {
    return BASE + "hdf5_" + infix + "_0000";
  }

  /** Whether floating-point values are stored in double precision; otherwise single. */
  public boolean isDoublePrecision() {
    return doublePrecision;
  }

  /** Whether values are at cell corners. */
  public boolean isAtCorners() {
    return corners;
  }

  /** Values of a block along each axis. */
  public int edge() {
    return corners ? FlashMesh.CELLS + 1 : FlashMesh.CELLS;
  }

  /** The variables it holds, in order. */
  public List<String> variables() {
    return doublePrecision ? FlashMesh.VARIABLES : FlashMesh.PLOT_VARIABLES;
  }
}
