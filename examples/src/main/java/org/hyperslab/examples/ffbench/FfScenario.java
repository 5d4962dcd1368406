package org.hyperslab.examples.ffbench;

import org.hyperslab.examples.flashio.FlashFile;

/** A scenario to measure. */
public enum FfScenario {
  /** Every client writes its rows of a matrix. */
  ROWS("rows of many clients", 0.30),
  /**
   * One client writes rows repeatedly, each time half of the previous ones and as many new ones.
   */
  OVERLAP("overlapping writes", 0.40),
  /** Half the clients write rows, the other half reads what two of them have just written. */
  STEAL("reads of new rows", 0.70),
  /** The checkpoint file of FLASH. */
  CHECKPOINT("FLASH checkpoint", 0.42),
  /** FLASH's plotfile of cell centres. */
  CENTRED_PLOTFILE("FLASH plotfile, centred", 0.50),
  /** FLASH's plotfile of cell corners. */
  CORNER_PLOTFILE("FLASH plotfile, corners", 0.50);

  private final String title;
  private final double wantedSaving;

  FfScenario(String title, double wantedSaving) {
    this.title = title;
    this.wantedSaving = wantedSaving;
  }

  /** {@return the title, for display} */
  public String title() {
    return title;
  }

  /**
   * {@return the fraction of the time, from 0 to 1, that a compactor should save if requests are
   * expensive}
   */
  public double wantedSaving() {
    return wantedSaving;
  }

  /** Returns the file that FLASH writes; null for the others. */
  FlashFile flashFile() {
    return switch (this) {
      case CHECKPOINT -> FlashFile.CHECKPOINT;
      case CENTRED_PLOTFILE -> FlashFile.CENTRED_PLOTFILE;
      case CORNER_PLOTFILE -> FlashFile.CORNER_PLOTFILE;
      case ROWS, OVERLAP, STEAL -> null;
    };
  }
}
