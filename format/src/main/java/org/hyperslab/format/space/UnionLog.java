package org.hyperslab.format.space;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The operands of a union that is put off: boxes as plain numbers, and other selections.
 *
 * <p>Several selections share a log, each knowing how many of its operands are its own; what was
 * written never changes, and only the selection that knows of all operands may append. So a union
 * that grows one box at a time costs the box's numbers and no more.
 *
 * <p>Array: a box is {@code rank} low indices and then {@code rank} ends, exclusive.
 *
 * <p>Thread rule: any thread; guarded by its own lock.
 */
final class UnionLog {

  private final int rank;
  private long[] boxes;
  private int boxCount;
  private final List<Selection> others = new ArrayList<>(2);

  UnionLog(int rank) {
    this.rank = rank;
    this.boxes = new long[8 * rank];
  }

  /**
   * Appends an operand if nothing was appended that the caller does not know of.
   *
   * @param knownBoxes the boxes that the caller knows of
   * @param knownOthers the other operands that it knows of
   */
  synchronized boolean append(Selection operand, int knownBoxes, int knownOthers) {
    if (boxCount != knownBoxes || others.size() != knownOthers) {
      return false;
    }
    if (!isBox(operand)) {
      others.add(operand);
      return true;
    }
    int at = 2 * rank * boxCount;
    if (at == boxes.length) {
      boxes = Arrays.copyOf(boxes, Math.multiplyExact(at, 2));
    }
    RegularHyperslab box = (RegularHyperslab) operand;
    for (int d = 0; d < rank; d++) {
      boxes[at + d] = box.start(d);
      boxes[at + rank + d] = box.start(d) + box.block(d);
    }
    boxCount++;
    return true;
  }

  /** Whether an operand is logged as plain numbers. */
  static boolean isBox(Selection operand) {
    return operand instanceof RegularHyperslab regular && regular.isBox() && regular.rank() > 0;
  }

  /** The union of the first operands. */
  SpanNode unite(int firstBoxes, int firstOthers) {
    return unite(firstBoxes, firstOthers, SpanBudget.standard());
  }

  /** The union of the first operands within a budget. */
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
