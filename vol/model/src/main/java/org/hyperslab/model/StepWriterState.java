package org.hyperslab.model;

/** What is known of the program that writes a file in steps. */
public enum StepWriterState {
  /** It may publish further steps. */
  WRITING,
  /** It has closed the file: no step follows. */
  ENDED,
  /** Its process has ended without closing the file: no step follows. */
  LOST
}
