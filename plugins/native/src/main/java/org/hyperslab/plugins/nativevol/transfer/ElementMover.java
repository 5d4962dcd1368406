package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.memory.StridedCopy.Steps;

/**
 * Moves elements from one segment to another, copying or converting them.
 *
 * <p>Thread rule: confined to one thread; {@link #fork} makes one for another thread.
 */
public interface ElementMover {

  /** {@return bytes of an element where it comes from} */
  int sourceSize();

  /** {@return bytes of an element where it goes} */
  int targetSize();

  /**
   * {@return whether elements are only copied, so that bytes may also move without passing here}
   */
  boolean copies();

  /**
   * {@return whether a target element keeps part of what it was, so that it must be there before it
   * is moved to: a compound type of which only some members come}
   */
  boolean needsBackground();

  /** {@return whether several threads may move at once, each with a fork} */
  boolean parallel();

  /**
   * {@return whether moving gives back what target elements referred to: what was moved must then
   * reach the file, even if moving the rest is refused}
   */
  default boolean frees() {
    return false;
  }

  /** {@return a mover that does the same, for another thread} */
  ElementMover fork();

  /**
   * Moves {@code repeats} runs of {@code runLength} elements each.
   *
   * @param source where they are; run k begins at byte {@code from.offset() + k * from.stride()}
   * @param from the steps in the source
   * @param target where they go, likewise
   * @param to the steps in the target
   * @param runLength the number of elements that lie side by side
   * @param repeats the number of runs
   */
  void move(
      MemorySegment source,
      Steps from,
      MemorySegment target,
      Steps to,
      long runLength,
      long repeats);
}
