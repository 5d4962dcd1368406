package org.hyperslab.model;

/** The guarantee of a completed flush or close. */
public enum Durability {
  /** Data survives a power failure: writes are forced to storage in the required order. */
  POWER_CUT,
  /**
   * Data survives the death of the process: writes are issued in order, and the operating system
   * decides when to store them.
   */
  PROCESS
}
