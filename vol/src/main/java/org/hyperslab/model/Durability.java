package org.hyperslab.model;

/** What a completed flush or close promises. */
public enum Durability {
  /** It survives a power cut: storage is told to make it durable, in the right order. */
  POWER_CUT,
  /**
   * It survives the death of the process: the order is kept, the operating system writes when it
   * likes.
   */
  PROCESS
}
