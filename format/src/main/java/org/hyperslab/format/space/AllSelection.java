package org.hyperslab.format.space;

/**
 * Selects every element of the extent to which it is applied.
 *
 * <p>Thread rule: immutable.
 */
public final class AllSelection extends Selection {

  static final AllSelection INSTANCE = new AllSelection();

  private AllSelection() {}

  @Override
  public int rank() {
    return ANY_RANK;
  }

  @Override
  public boolean isRegular() {
    return true;
  }

  @Override
  SpanNode tree(long[] extent) {
    SpanNode node = SpanNode.UNIT;
    for (int i = extent.length - 1; i >= 0; i--) {
      SpanBuilder builder = new SpanBuilder(extent.length - i);
      builder.span(0, extent[i], node);
      node = builder.build();
    }
    return node;
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
    return Extents.volume(extent);
  }

  @Override
  public boolean contains(long... coordinates) {
    return true;
  }

  @Override
  public void requireWithin(long[] extent) {
    Extents.volume(extent);
  }

  @Override
  public String toString() {
    return "all";
  }
}
