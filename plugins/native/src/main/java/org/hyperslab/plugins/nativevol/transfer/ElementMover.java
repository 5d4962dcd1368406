package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.memory.StridedCopy.Steps;

/**
 * Moves elements from one segment to another, copying or converting them.
 *
 * <p>Thread rule: confined to one thread; {@link #fork} returns one for another thread.
 */
public interface ElementMover {

  /** {@return the size of a source element in bytes} */
  int sourceSize();

  /** {@return the size of a target element in bytes} */
  int targetSize();

  /**
   * {@return whether elements are only copied, so that their bytes may also be moved without this
   * mover}
   */
  boolean copies();

  /**
   * {@return whether a target element keeps part of its old content, so that it must be loaded
   * before the move: a compound type of which only some members are moved}
   */
  boolean needsBackground();

  /** {@return whether several threads may move at once, each with a fork} */
  boolean parallel();

  /**
   * {@return whether moving frees the heap objects that target elements referred to} Moved elements
   * must then reach the file even if moving the rest fails.
   */
  default boolean frees() {
    return false;
  }

  /** {@return a mover that does the same, for another thread} */
  ElementMover fork();

  /**
   * Moves {@code repeats} runs of {@code runLength} elements each.
   *
   * @param source the source elements; run k begins at byte {@code from.offset() + k *
   *     from.stride()}
   * @param from the start and the stride in the source
   * @param target the target elements, laid out likewise
   * @param to the start and the stride in the target
   * @param runLength the number of adjacent elements in a run
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
