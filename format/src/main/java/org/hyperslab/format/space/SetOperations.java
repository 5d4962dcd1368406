package org.hyperslab.format.space;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * Computes set operations on all kinds of selections: those that need no tree directly, all others
 * with {@link SpanAlgebra}.
 */
final class SetOperations {

  private SetOperations() {}

  static Selection or(Selection a, Selection b) {
    requireSameRank(a, b);
    if (b instanceof NoneSelection || a instanceof AllSelection) {
      return a;
    }
    if (a instanceof NoneSelection || b instanceof AllSelection) {
      return b;
    }
    if (a.isUnlimited() || b.isUnlimited()) {
      if (a.equals(b)) {
        return a;
      }
      throw needsExtent("or", a.isUnlimited() ? a : b);
    }
    if (b instanceof SpanTree tree && tree.isPending()) {
      if (!(a instanceof SpanTree other && other.isPending())) {
        return SpanTree.pendingUnion(b, a);
      }
      tree.tree();
    }
    return SpanTree.pendingUnion(a, b);
  }

  static Selection union(List<? extends Selection> selections) {
    Selection first = NoneSelection.INSTANCE;
    List<Selection> operands = new ArrayList<>(selections.size());
    for (Selection selection : selections) {
      requireSameRank(first, selection);
      if (selection instanceof NoneSelection) {
        continue;
      }
      if (selection instanceof AllSelection) {
        return selection;
      }
      if (selection.isUnlimited()) {
        throw needsExtent("union", selection);
      }
      first = selection;
      operands.add(selection);
    }
    return operands.size() < 2 ? first : union(first.rank(), operands, SpanBudget.standard());
  }

  /**
   * Returns the union, within a budget, of selections of one rank, none of which is all or
   * unlimited.
   */
  static Selection union(int rank, List<? extends Selection> operands, SpanBudget budget) {
    return wrap(rank, unite(rank, operands, budget));
  }

  private static SpanNode unite(int rank, List<? extends Selection> selections, SpanBudget budget) {
    UnionLog log = new UnionLog(rank);
    int boxes = 0;
    int others = 0;
    for (Selection selection : selections) {
      append(selection, log, boxes, others);
      if (isBox(selection)) {
        boxes++;
      } else {
        others++;
      }
    }
    return log.unite(boxes, others, budget);
  }

  /** Returns whether an operand of a union is stored as plain numbers. */
  static boolean isBox(Selection operand) {
    return operand instanceof RegularHyperslab regular && regular.isBox() && regular.rank() > 0;
  }

  /** Appends an operand to a union, as {@link UnionLog#append} does. */
  static long append(Selection operand, UnionLog log, int knownBoxes, int knownOthers) {
    if (isBox(operand)) {
      RegularHyperslab box = (RegularHyperslab) operand;
      return log.appendBox(box::start, box::block, knownBoxes, knownOthers);
    }
    SpanNode node = operand instanceof PointSelection ? SpanNode.EMPTY : operand.tree(null);
    return log.append(() -> operand.tree(null), node, knownBoxes, knownOthers);
  }

  static Selection and(Selection a, Selection b) {
    requireSameRank(a, b);
    if (a instanceof NoneSelection || b instanceof AllSelection) {
      return a;
    }
    if (b instanceof NoneSelection || a instanceof AllSelection) {
      return b;
    }
    return limited(SpanAlgebra.Operation.AND, "and", a, b);
  }

  static Selection xor(Selection a, Selection b) {
    requireSameRank(a, b);
    if (a instanceof NoneSelection) {
      return b;
    }
    if (b instanceof NoneSelection) {
      return a;
    }
    if (a.equals(b)) {
      return NoneSelection.INSTANCE;
    }
    if (isOpen(a) || isOpen(b)) {
      throw needsExtent("xor", isOpen(a) ? a : b);
    }
    return limited(SpanAlgebra.Operation.XOR, "xor", a, b);
  }

  static Selection andNot(Selection a, Selection b) {
    requireSameRank(a, b);
    if (b instanceof AllSelection || a.equals(b)) {
      return NoneSelection.INSTANCE;
    }
    if (a instanceof NoneSelection || b instanceof NoneSelection) {
      return a;
    }
    if (isOpen(a)) {
      throw needsExtent("andNot", a);
    }
    return limited(SpanAlgebra.Operation.AND_NOT, "andNot", a, b);
  }

  /**
   * Computes an operation whose result lies in the bounds of a limited operand, or which requires
   * both operands to be limited.
   */
  private static Selection limited(
      SpanAlgebra.Operation operation, String name, Selection a, Selection b) {
    if (isOpen(a) && isOpen(b)) {
      if (a.equals(b)) {
        return a;
      }
      throw needsExtent(name, a);
    }
    long[] extent = null;
    if (isOpen(a) || isOpen(b)) {
      SpanNode closed = (isOpen(a) ? b : a).tree(null);
      extent = new long[a.rank()];
      for (int i = 0; i < extent.length; i++) {
        extent[i] = closed.bounds[2 * i + 1];
      }
    }
    return wrap(a.rank(), SpanAlgebra.apply(operation, a.tree(extent), b.tree(extent)));
  }

  private static boolean isOpen(Selection selection) {
    return selection.isUnlimited() || selection instanceof AllSelection;
  }

  private static InvalidUseException needsExtent(String operation, Selection selection) {
    return new InvalidUseException(
        operation
            + " of selections: actual="
            + selection
            + ", expected=a limited selection; clip it to an extent first");
  }

  private static void requireSameRank(Selection a, Selection b) {
    if (a.rank() != Selection.ANY_RANK) {
      b.requireRank(a.rank());
    }
  }

  /** Returns the selection of a tree: none, a regular hyperslab, or a span tree. */
  static Selection wrap(int rank, SpanNode node) {
    if (node == SpanNode.EMPTY) {
      return NoneSelection.INSTANCE;
    }
    return node.isRegular() ? regular(rank, node) : new SpanTree(rank, node);
  }

  /** Returns the regular hyperslab of a tree with one entry per node. */
  static RegularHyperslab regular(int rank, SpanNode node) {
    long[] start = new long[rank];
    long[] stride = new long[rank];
    long[] count = new long[rank];
    long[] block = new long[rank];
    Arrays.fill(stride, 1);
    SpanNode below = node;
    for (int i = 0; i < rank; i++) {
      start[i] = below.start(0);
      stride[i] = below.stride(0);
      count[i] = below.repeats(0);
      block[i] = below.block(0);
      below = below.down(0);
    }
    return (RegularHyperslab) RegularHyperslab.of(start, stride, count, block);
  }

  /** Returns whether a tree lies inside an extent of its rank. */
  static boolean isWithin(SpanNode node, long[] extent) {
    for (int i = 0; node != SpanNode.EMPTY && i < extent.length; i++) {
      if (node.bounds[2 * i + 1] > extent[i]) {
        return false;
      }
    }
    return true;
  }
}
