package org.hyperslab.plugins.nativevol.virtual;

import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;

/**
 * Limits how many sources of virtual datasets one call opens, and how deep it follows sources that
 * are virtual themselves. Mappings of a damaged or hostile file may form a cycle, or lead to the
 * same source many times, so that the number of sources grows exponentially with the depth.
 *
 * <p>Thread rule: a call follows sources in its own thread.
 */
final class VirtualNesting {

  /** The greatest depth; a greater depth is taken for a cycle. */
  static final int MAXIMUM_DEPTH = 16;

  /** The greatest number of sources that one call looks for, some of which may be missing. */
  static final int MAXIMUM_SOURCES = 1 << 22;

  /** The greatest number of sources of sources that one call opens. */
  static final int MAXIMUM_INNER_SOURCES = 1 << 18;

  private static final ScopedValue<VirtualNesting> CURRENT = ScopedValue.newInstance();

  /** Counts the sources of one call. */
  private static final class Count {
    private int all;
    private int inner;
  }

  private final int depth;
  private final Count count;

  private VirtualNesting(int depth, Count count) {
    this.depth = depth;
    this.count = count;
  }

  /**
   * Calls an action that follows the sources of a virtual dataset.
   *
   * @param file the name of the file of the dataset
   * @param action the action
   * @return its result
   * @throws InvalidUseException if the depth exceeds {@link #MAXIMUM_DEPTH}
   */
  static <T> T follow(String file, Supplier<T> action) {
    VirtualNesting around = CURRENT.isBound() ? CURRENT.get() : new VirtualNesting(0, new Count());
    if (around.depth == MAXIMUM_DEPTH) {
      throw new InvalidUseException(
          "virtual dataset: actual=more than "
              + MAXIMUM_DEPTH
              + " nested virtual datasets, perhaps in a cycle, at="
              + file);
    }
    VirtualNesting inside = new VirtualNesting(around.depth + 1, around.count);
    return ScopedValue.where(CURRENT, inside).call(action::get);
  }

  /**
   * Counts a source that is looked for.
   *
   * @param file the name of the file of the virtual dataset
   * @throws InvalidUseException if one call looks for too many
   */
  static void countSource(String file) {
    if (!CURRENT.isBound()) {
      return;
    }
    VirtualNesting now = CURRENT.get();
    if (++now.count.all > MAXIMUM_SOURCES) {
      throw tooMany(MAXIMUM_SOURCES + " sources", file);
    }
    if (now.depth > 1 && ++now.count.inner > MAXIMUM_INNER_SOURCES) {
      throw tooMany(MAXIMUM_INNER_SOURCES + " sources of sources that are virtual", file);
    }
  }

  private static InvalidUseException tooMany(String number, String file) {
    return new InvalidUseException(
        "virtual dataset: actual=more than "
            + number
            + " in one call, expected=fewer; select fewer elements, or map the inner sources"
            + " directly, at="
            + file);
  }
}
