package org.hyperslab.vol.query;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.model.Condition;
import org.hyperslab.model.ValueSummary;
import org.jspecify.annotations.Nullable;

/** A condition made for the elements of a dataset. Thread rule: immutable; any thread. */
interface ElementTest {

  /** What is known of some elements. */
  enum Verdict {
    /** None of them meets the condition. */
    NONE,
    /** Some may, some may not. */
    SOME,
    /** All of them meet it. */
    ALL;

    Verdict not() {
      return switch (this) {
        case NONE -> ALL;
        case SOME -> SOME;
        case ALL -> NONE;
      };
    }
  }

  /**
   * Elements that have been read.
   *
   * @param segment their bytes
   * @param stride the size of one
   * @param heap what is out of line
   * @param count how many
   */
  record Elements(MemorySegment segment, long stride, VlenHeap heap, int count) {}

  /**
   * Marks the elements that meet the condition.
   *
   * @param elements the elements
   * @param marks a bit for each element, 64 in a word; bits behind the last are undefined
   */
  void test(Elements elements, long[] marks);

  /**
   * Returns what summaries of the fields tell of some elements.
   *
   * @param summaries the summary of a field, or null if it is not known
   */
  Verdict judge(Function<Condition.Field, @Nullable ValueSummary> summaries);
}
