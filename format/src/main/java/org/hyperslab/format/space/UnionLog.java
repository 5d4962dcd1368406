package org.hyperslab.format.space;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The operands of a deferred union: boxes as plain numbers, and other selections.
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
  private final List<Selection> others = new ArrayList<>(2);

  UnionLog(int rank) {
    this.rank = rank;
    this.boxes = new long[8 * rank];
  }

  /**
   * Appends an operand, unless the log has operands that the caller does not have.
   *
   * @param knownBoxes the number of boxes that the caller has
   * @param knownOthers the number of other operands that the caller has
   * @return the number of elements of the union, {@link #UNKNOWN}, or {@link #REFUSED}
   */
  synchronized long append(Selection operand, int knownBoxes, int knownOthers) {
    if (boxCount != knownBoxes || others.size() != knownOthers) {
      return REFUSED;
    }
    if (isBox(operand)) {
      appendBox((RegularHyperslab) operand);
    } else {
      others.add(operand);
      SpanNode node = operand instanceof PointSelection ? SpanNode.EMPTY : operand.tree(null);
      if (node.rank == 0) {
        count = UNKNOWN;
      } else {
        extend(node.low(), node.endExclusive(), node.count);
      }
    }
    return count;
  }

  private void appendBox(RegularHyperslab box) {
    int at = 2 * rank * boxCount;
    if (at == boxes.length) {
      boxes = Arrays.copyOf(boxes, Math.multiplyExact(at, 2));
    }
    long volume = 1;
    for (int d = 0; d < rank; d++) {
      boxes[at + d] = box.start(d);
      boxes[at + rank + d] = box.start(d) + box.block(d);
      volume = Extents.multiplyOrOverflow(volume, box.block(d));
    }
    boxCount++;
    extend(box.start(0), box.start(0) + box.block(0), volume);
  }

  /** Updates the count as long as each operand lies after those before it. */
  private void extend(long low, long operandEnd, long elements) {
    count = low < end ? UNKNOWN : Extents.addOrOverflow(count, elements);
    end = Math.max(end, operandEnd);
  }

  /** Returns whether an operand is stored as plain numbers. */
  static boolean isBox(Selection operand) {
    return operand instanceof RegularHyperslab regular && regular.isBox() && regular.rank() > 0;
  }

  /** Returns the union of the first operands. */
  SpanNode unite(int firstBoxes, int firstOthers) {
    return unite(firstBoxes, firstOthers, SpanBudget.standard());
  }

  /** Returns the union of the first operands within a budget. */
  SpanNode unite(int firstBoxes, int firstOthers, SpanBudget budget) {
    long[] numbers;
    List<Selection> selections;
    synchronized (this) {
      numbers = boxes;
      selections = List.copyOf(others.subList(0, firstOthers));
    }
    List<SpanNode> nodes = new ArrayList<>(firstOthers + 1);
    for (Selection selection : selections) {
      nodes.add(selection.tree(null));
    }
    if (firstBoxes > 0) {
      nodes.add(BoxUnion.of(rank, numbers, firstBoxes, budget));
    }
    return SpanUnion.ofNodes(nodes, budget);
  }
}
