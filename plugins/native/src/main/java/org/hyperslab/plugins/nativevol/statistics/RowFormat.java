package org.hyperslab.plugins.nativevol.statistics;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.model.ValueSummary;

/**
 * A row of stored statistics, of 64-bit integers:
 *
 * <pre>
 * 0              1            rank          rank + 1
 * +--------------+-----+------+-------------+---------------------------------------------+ ...
 * | index of the block        | count       | of each field: 7 numbers                    |
 * +--------------+-----+------+-------------+---------------------------------------------+ ...
 *
 * of each field:  kind | fill count | NaN count | minimum | maximum | sum, high | sum, low
 * kind: 0 nothing is known; 1 integers; 2 doubles, by their bits; +4: there is no minimum and maximum
 *       +8: minimum and maximum are unsigned
 * </pre>
 *
 * <p>A count of -1 says that nothing is known of the block. Thread rule: stateless.
 */
final class RowFormat {

  /** How many numbers a field has. */
  static final int FIELD = 7;

  private static final int INTEGERS = 1;
  private static final int DOUBLES = 2;
  private static final int EMPTY = 4;
  private static final int UNSIGNED = 8;

  private RowFormat() {}

  static int width(int rank, int fields) {
    return rank + 1 + FIELD * fields;
  }

  /** Returns a row; without summaries, one that says that nothing is known. */
  static void put(long[] row, BlockKey block, List<ValueSummary> summaries) {
    long[] index = block.index();
    System.arraycopy(index, 0, row, 0, index.length);
    row[index.length] = summaries.isEmpty() ? -1 : summaries.getFirst().count();
    int at = index.length + 1;
    for (ValueSummary summary : summaries) {
      boolean doubles = summary.sum() instanceof Double;
      boolean empty = summary.minimum().isEmpty();
      boolean unsigned = summary.maximum().orElse(0L) instanceof BigInteger;
      row[at] = (doubles ? DOUBLES : INTEGERS) | (empty ? EMPTY : 0) | (unsigned ? UNSIGNED : 0);
      row[at + 1] = summary.fillCount();
      row[at + 2] = summary.nanCount();
      row[at + 3] = bits(summary.minimum().orElse(0L), doubles);
      row[at + 4] = bits(summary.maximum().orElse(0L), doubles);
      if (!doubles) {
        row[at + 5] = new BigInteger(summary.sum().toString()).shiftRight(Long.SIZE).longValue();
      }
      row[at + 6] = bits(summary.sum(), doubles);
      at += FIELD;
    }
  }

  private static long bits(Number number, boolean doubles) {
    return doubles ? Double.doubleToRawLongBits(number.doubleValue()) : number.longValue();
  }

  /**
   * Returns the summaries of a row, or an empty list if nothing is known or the row contradicts
   * itself.
   */
  static List<ValueSummary> summaries(long[] row, int rank, int fields) {
    long count = row[rank];
    List<ValueSummary> summaries = new ArrayList<>(fields);
    for (int i = 0; i < fields && count >= 0; i++) {
      int at = rank + 1 + FIELD * i;
      Optional<ValueSummary> summary = summary(row, at, count);
      if (summary.isEmpty()) {
        return List.of();
      }
      summaries.add(summary.get());
    }
    return summaries;
  }

  private static Optional<ValueSummary> summary(long[] row, int at, long count) {
    long kind = row[at];
    boolean doubles = (kind & DOUBLES) != 0;
    boolean empty = (kind & EMPTY) != 0;
    boolean unsigned = (kind & UNSIGNED) != 0;
    boolean known =
        (kind & ~(INTEGERS | DOUBLES | EMPTY | UNSIGNED)) == 0
            && doubles != ((kind & INTEGERS) != 0);
    boolean counted =
        row[at + 1] >= 0
            && row[at + 1] <= count
            && row[at + 2] >= 0
            && row[at + 2] <= count
            && empty == (row[at + 2] == count);
    if (!known || !counted) {
      return Optional.empty();
    }
    Number sum =
        doubles
            ? (Number) Double.longBitsToDouble(row[at + 6])
            : ValueSummary.whole(
                BigInteger.valueOf(row[at + 5])
                    .shiftLeft(Long.SIZE)
                    .add(new BigInteger(Long.toUnsignedString(row[at + 6]))));
    return Optional.of(
        new ValueSummary(
            count,
            row[at + 1],
            row[at + 2],
            empty ? Optional.empty() : Optional.of(number(row[at + 3], doubles, unsigned)),
            empty ? Optional.empty() : Optional.of(number(row[at + 4], doubles, unsigned)),
            sum,
            0));
  }

  private static Number number(long bits, boolean doubles, boolean unsigned) {
    if (doubles) {
      return Double.longBitsToDouble(bits);
    }
    return unsigned && bits < 0 ? new BigInteger(Long.toUnsignedString(bits)) : (Number) bits;
  }
}
