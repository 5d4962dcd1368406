package org.hyperslab.examples.flashio;

import java.util.List;

/** The three files of a run, with the names of the original. */
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

  /** {@return the title, for display} */
  public String title() {
    return title;
  }

  /** {@return its name, without folder} */
  public String fileName() {
    return BASE + "hdf5_" + infix + "_0000";
  }

  /**
   * {@return whether floating-point values are stored in double precision, otherwise in single
   * precision}
   */
  public boolean isDoublePrecision() {
    return doublePrecision;
  }

  /** {@return whether values are at cell corners} */
  public boolean isAtCorners() {
    return corners;
  }

  /** {@return the number of values of a block along each axis} */
  public int edge() {
    return corners ? FlashMesh.CELLS + 1 : FlashMesh.CELLS;
  }

  /** {@return the names of its variables, in order} */
  public List<String> variables() {
    return doublePrecision ? FlashMesh.VARIABLES : FlashMesh.PLOT_VARIABLES;
  }
}
