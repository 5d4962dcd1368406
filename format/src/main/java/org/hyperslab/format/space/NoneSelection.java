package org.hyperslab.format.space;

/**
 * Selects no elements.
 *
 * <p>Thread rule: immutable.
 */
final class NoneSelection extends Selection {

  static final NoneSelection INSTANCE = new NoneSelection();

  private NoneSelection() {}

  @Override
  public int rank() {
    return ANY_RANK;
  }

  @Override
  public boolean isRegular() {
    return false;
  }

  @Override
  SpanNode tree(long[] extent) {
    return SpanNode.EMPTY;
  }

  @Override
  public Selection clip(long[] extent) {
    return this;
  }

  @Override
  public Selection offset(long[] by) {
    return this;
  }

  @Override
  public long elementCount(long[] extent) {
    return 0;
  }

  @Override
  public boolean contains(long... coordinates) {
    return false;
  }

  @Override
  public String toString() {
    return "none";
  }
}
