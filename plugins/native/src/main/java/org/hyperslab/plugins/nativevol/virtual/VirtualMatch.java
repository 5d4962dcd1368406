package org.hyperslab.plugins.nativevol.virtual;

import java.util.Arrays;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;

/**
 * The elements of one mapping of a virtual dataset that exist on both sides. A source may have an
 * extent other than the mapping states, in any dimension: missing elements are left out, and read
 * as fill values.
 *
 * @param virtual the selected elements of the virtual dataset, within its extent
 * @param source the corresponding elements of the source, within its extent, in the same order
 */
record VirtualMatch(Selection virtual, Selection source) {

  /**
   * Matches both sides of a mapping. Unlimited sides are first cut to the same number of elements.
   *
   * @return the match; empty if no element exists on both sides
   * @throws InvalidUseException if the sides select different numbers of elements, or if the source
   *     has another rank
   */
  static Optional<VirtualMatch> of(
      Selection virtual, long[] virtualExtent, Selection source, long[] sourceExtent) {
    requireRank(source, sourceExtent);
    if (virtual.elementCount(virtualExtent) == 0 || source.elementCount(sourceExtent) == 0) {
      return Optional.empty();
    }
    Selection ours = finite(virtual, virtualExtent);
    Selection theirs = finite(source, sourceExtent);
    if (virtual.isUnlimited() || source.isUnlimited()) {
      long elements = Math.min(available(ours, virtualExtent), available(theirs, sourceExtent));
      if (elements == 0) {
        return Optional.empty();
      }
      ours = cut(ours, elements);
      theirs = cut(theirs, elements);
    }
    return within(ours, virtualExtent, theirs, sourceExtent);
  }

  private static void requireRank(Selection source, long[] extent) {
    if (source.rank() != Selection.ANY_RANK && source.rank() != extent.length) {
      throw new InvalidUseException(
          "rank of a virtual dataset's source: actual="
              + extent.length
              + ", expected="
              + source.rank()
              + " as in the mapping");
    }
  }

  /** Returns a selection with a rank: a selection of all becomes one of the whole extent. */
  private static Selection finite(Selection selection, long[] extent) {
    return selection.rank() == Selection.ANY_RANK && extent.length > 0 ? box(extent) : selection;
  }

  /**
   * Returns the number of elements of a side, counting only whole indices of its unlimited
   * dimension.
   */
  private static long available(Selection side, long[] extent) {
    if (!(side instanceof RegularHyperslab regular) || !regular.isUnlimited()) {
      return side.elementCount(enclosing(side, extent));
    }
    int dimension = regular.unlimitedDimension();
    long indices = regular.indicesWithin(dimension, extent[dimension]);
    long each = perIndex(regular);
    return each != 0 && indices > Long.MAX_VALUE / each ? Long.MAX_VALUE : indices * each;
  }

  private static long perIndex(RegularHyperslab unlimited) {
    long elements = 1;
    for (int d = 0; d < unlimited.rank(); d++) {
      if (d != unlimited.unlimitedDimension()) {
        elements = Math.multiplyExact(elements, unlimited.indicesWithin(d, Long.MAX_VALUE));
      }
    }
    return elements;
  }

  /** Cuts an unlimited side to a number of elements; returns a limited one unchanged. */
  private static Selection cut(Selection side, long elements) {
    if (!(side instanceof RegularHyperslab regular) || !regular.isUnlimited()) {
      return side;
    }
    int dimension = regular.unlimitedDimension();
    long[] extent = new long[regular.rank()];
    for (int d = 0; d < extent.length; d++) {
      long indices =
          d == dimension ? elements / perIndex(regular) : regular.indicesWithin(d, Long.MAX_VALUE);
      extent[d] = regular.extentFor(d, indices);
    }
    return regular.clip(extent);
  }

  private static Optional<VirtualMatch> within(
      Selection virtual, long[] virtualExtent, Selection source, long[] sourceExtent) {
    long[] ours = enclosing(virtual, virtualExtent);
    long[] theirs = enclosing(source, sourceExtent);
    requireSameCount(virtual.elementCount(ours), source.elementCount(theirs));
    Selection inVirtual = virtual;
    Selection inSource = source;
    if (!Arrays.equals(ours, virtualExtent)) {
      inSource = virtual.projectIntersection(ours, source, theirs, box(virtualExtent));
      inVirtual = virtual.clip(virtualExtent);
    }
    if (!Arrays.equals(theirs, sourceExtent)) {
      inVirtual = inSource.projectIntersection(theirs, inVirtual, virtualExtent, box(sourceExtent));
      inSource = inSource.clip(sourceExtent);
    }
    return inVirtual.elementCount(virtualExtent) == 0
        ? Optional.empty()
        : Optional.of(new VirtualMatch(inVirtual, inSource));
  }

  private static void requireSameCount(long virtual, long source) {
    if (virtual != source) {
      throw new InvalidUseException(
          "virtual mapping: actual="
              + virtual
              + " elements of the virtual dataset, expected="
              + source
              + " as in the source");
    }
  }

  private static Selection box(long[] extent) {
    return Selection.box(new long[extent.length], extent);
  }

  /** Returns the smallest extent that contains a limited selection and another extent. */
  private static long[] enclosing(Selection selection, long[] extent) {
    long[] endless = new long[extent.length];
    Arrays.fill(endless, Long.MAX_VALUE);
    long[] enclosing = extent.clone();
    if (selection.elementCount(endless) == 0) {
      return enclosing;
    }
    Selection.Bounds bounds = selection.bounds(endless);
    for (int d = 0; d < enclosing.length; d++) {
      enclosing[d] = Math.max(enclosing[d], bounds.high(d) + 1);
    }
    return enclosing;
  }
}
