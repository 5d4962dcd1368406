package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.memory.StridedCopy.Steps;

/**
 * Moves elements from one segment to another, copying or converting them.
 *
 * <p>Thread rule: confined to one thread; {@link #fork} makes one for another thread.
 */
public interface ElementMover {

  /** Bytes of an element where it comes from. */
  int sourceSize();

  /** Bytes of an element where it goes. */
  int targetSize();

  /** Whether elements are only copied, so that bytes may also move without passing here. */
  boolean copies();

  /**
   * Whether a target element keeps part of what it was, so that it must be there before it is moved
   * to: a compound type of which only some members come.
   */
  boolean needsBackground();

  /** Whether several threads may move at once, each with a fork. */
  boolean parallel();

  /**
   * Whether moving gives back what target elements referred to: what was moved must then reach the
   * file, even if moving the rest is refused.
   */
  default boolean frees() {
    return false;
  }

  /** A mover that does the same, for another thread. */
  ElementMover fork();

  /**
   * Moves {@code repeats} runs of {@code runLength} elements each.
   *
   * @param source where they are; run k begins at byte {@code from.offset() + k * from.stride()}
   * @param from the steps in the source
   * @param target where they go, likewise
   * @param to the steps in the target
   */
  void move(
      MemorySegment source,
      Steps from,
      MemorySegment target,
      Steps to,
      long runLength,
      long repeats);
}
