package org.hyperslab.format.space;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;

/**
 * The operands of a deferred union: boxes as plain numbers, and the trees of others.
 *
 * <p>Several selections share a log, and each records how many of the operands belong to it.
 * Entries never change, and only the selection that has all operands may append. Thus a union that
 * grows one box at a time costs only the box's numbers for each step.
 *
 * <p>Array layout: a box has {@code rank} low indices and then {@code rank} ends, exclusive.
 *
 * <p>Thread rule: any thread; guarded by its own lock.
 */
final class UnionLog {

  /** The result of {@link #append} for a caller that does not have all operands. */
  static final long REFUSED = -2;

  /** The number of elements if only computing the union can determine it. */
  static final long UNKNOWN = -1;

  private final int rank;

  /**
   * The number of elements of the union while operands ascend along the first dimension, or
   * UNKNOWN.
   */
  private long count;

  /** The end, exclusive, of all operands in the first dimension. */
  private long end;

  private long[] boxes;
  private int boxCount;
  private final List<Supplier<SpanNode>> others = new ArrayList<>(2);

  UnionLog(int rank) {
    this.rank = rank;
    this.boxes = new long[8 * rank];
  }

  /**
   * Appends an operand that is no box, unless the log has operands that the caller does not have.
   *
   * @param operand gives the tree of the operand when the union is computed
   * @param known the tree; empty if only the union is to compute it
   * @param knownBoxes the number of boxes that the caller has
   * @param knownOthers the number of other operands that the caller has
   * @return the number of elements of the union, {@link #UNKNOWN}, or {@link #REFUSED}
   */
  synchronized long append(
      Supplier<SpanNode> operand, SpanNode known, int knownBoxes, int knownOthers) {
    if (boxCount != knownBoxes || others.size() != knownOthers) {
      return REFUSED;
    }
    others.add(operand);
    if (known.rank == 0) {
      count = UNKNOWN;
    } else {
      extend(known.low(), known.endExclusive(), known.count);
    }
    return count;
  }

  /**
   * Appends a box, as {@link #append} does.
   *
   * @param start the first index in each dimension
   * @param length the number of indices in each dimension
   */
  synchronized long appendBox(
      IntToLongFunction start, IntToLongFunction length, int knownBoxes, int knownOthers) {
    if (boxCount != knownBoxes || others.size() != knownOthers) {
      return REFUSED;
    }
    int at = 2 * rank * boxCount;
    if (at == boxes.length) {
      boxes = Arrays.copyOf(boxes, Math.multiplyExact(at, 2));
    }
    long volume = 1;
    for (int d = 0; d < rank; d++) {
      boxes[at + d] = start.applyAsLong(d);
      boxes[at + rank + d] = boxes[at + d] + length.applyAsLong(d);
      volume = Extents.multiplyOrOverflow(volume, length.applyAsLong(d));
    }
    boxCount++;
    extend(boxes[at], boxes[at + rank], volume);
    return count;
  }

  /** Updates the count as long as each operand lies after those before it. */
  private void extend(long low, long operandEnd, long elements) {
    count = low < end ? UNKNOWN : Extents.addOrOverflow(count, elements);
    end = Math.max(end, operandEnd);
  }

  /** Returns the union of the first operands. */
  SpanNode unite(int firstBoxes, int firstOthers) {
    return unite(firstBoxes, firstOthers, SpanBudget.standard());
  }

  /** Returns the union of the first operands within a budget. */
  SpanNode unite(int firstBoxes, int firstOthers, SpanBudget budget) {
    long[] numbers;
    List<Supplier<SpanNode>> operands;
    synchronized (this) {
      numbers = boxes;
      operands = List.copyOf(others.subList(0, firstOthers));
    }
    List<SpanNode> nodes = new ArrayList<>(firstOthers + 1);
    for (Supplier<SpanNode> operand : operands) {
      nodes.add(operand.get());
    }
    if (firstBoxes > 0) {
      nodes.add(BoxUnion.of(rank, numbers, firstBoxes, budget));
    }
    return SpanUnion.ofNodes(nodes, budget);
  }
}
