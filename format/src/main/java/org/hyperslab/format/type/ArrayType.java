package org.hyperslab.format.type;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * A fixed number of elements of one type, in row-major order (class 10).
 *
 * @param dimensions 1 to {@value #RANK_LIMIT} lengths, each at least 1, slowest first
 * @param base the type of one element
 */
public record ArrayType(List<Integer> dimensions, Datatype base) implements Datatype {

  /** The greatest number of dimensions. */
  public static final int RANK_LIMIT = 32;

  /** Requires that the whole array is smaller than 2 GiB. */
  public ArrayType {
    dimensions = List.copyOf(dimensions);
    TypeChecks.present("array base", base);
    if (dimensions.isEmpty() || dimensions.size() > RANK_LIMIT) {
      throw new InvalidUseException(
          "array rank: actual=" + dimensions.size() + ", expected=1.." + RANK_LIMIT);
    }
    long bytes = base.size();
    for (int length : dimensions) {
      if (length < 1) {
        throw new InvalidUseException("array dimension: actual=" + length + ", expected>=1");
      }
      bytes *= length;
      if (bytes > Integer.MAX_VALUE) {
        throw new InvalidUseException(
            "array size: actual>=" + bytes + " bytes, expected<=" + Integer.MAX_VALUE);
      }
    }
  }

  /** {@return the number of elements of the base type in one array} */
  public int elementCount() {
    int count = 1;
    for (int length : dimensions) {
      count *= length;
    }
    return count;
  }

  @Override
  public int size() {
    return elementCount() * base.size();
  }

  @Override
  public int classNumber() {
    return 10;
  }

  @Override
  public boolean hasOutOfLineParts() {
    return base.hasOutOfLineParts();
  }

  @Override
  public String describe() {
    return "array" + dimensions + "{" + base.describe() + "}";
  }

  /**
   * Returns the description, followed by what it omits where that is unusual: equal texts are those
   * of equal types.
   */
  @Override
  public String toString() {
    return "array" + dimensions + "{" + base + "}";
  }
}
