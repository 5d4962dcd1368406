package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.hyperslab.format.space.Selection;

/** A selection of elements of a dataspace, in the model's form. */
sealed interface SelectionSpec {

  /** Returns the tree that the script of the C library accepts. */
  List<Object> tree();

  /**
   * Returns the row-major indexes of the elements, in the order of transfer; null if one is
   * outside.
   */
  long[] within(long[] dims);

  /** Returns the same selection of the public API. */
  Selection selection();

  /** All elements of the extent. */
  record All() implements SelectionSpec {
    @Override
    public List<Object> tree() {
      return List.of("all");
    }

    @Override
    public long[] within(long[] dims) {
      long[] all = new long[Math.toIntExact(Shapes.count(dims))];
      for (int i = 0; i < all.length; i++) {
        all[i] = i;
      }
      return all;
    }

    @Override
    public Selection selection() {
      return Selection.all();
    }
  }

  /** Coordinates in any order. */
  record Points(List<List<Long>> coordinates) implements SelectionSpec {
    @Override
    public List<Object> tree() {
      return List.of("points", coordinates);
    }

    @Override
    public long[] within(long[] dims) {
      long[] found = new long[coordinates.size()];
      for (int i = 0; i < found.length; i++) {
        List<Long> point = coordinates.get(i);
        found[i] = point.size() == dims.length ? Shapes.number(dims, point) : -1;
        if (found[i] < 0) {
          return null;
        }
      }
      return found;
    }

    @Override
    public Selection selection() {
      return Selection.points(
          coordinates.getFirst().size(),
          coordinates.stream().flatMap(List::stream).mapToLong(Long::longValue).toArray());
    }
  }

  /** The union of regular hyperslabs. */
  record Union(List<Slab> slabs) implements SelectionSpec {
    @Override
    public List<Object> tree() {
      List<Object> result = new ArrayList<>();
      for (Slab slab : slabs) {
        result.add(List.of(slab.start, slab.stride, slab.count, slab.block));
      }
      return List.of("hyper", result);
    }

    @Override
    public long[] within(long[] dims) {
      SortedSet<Long> found = new TreeSet<>();
      for (Slab slab : slabs) {
        if (slab.start.size() != dims.length || !slab.addTo(found, dims, new ArrayList<>())) {
          return null;
        }
      }
      return found.stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public Selection selection() {
      Selection all = null;
      for (Slab slab : slabs) {
        all = all == null ? slab.selection() : all.or(slab.selection());
      }
      return all;
    }

    /** Returns whether each slab begins after the last row of the one before it. */
    boolean ascends() {
      for (int i = 1; i < slabs.size(); i++) {
        if (slabs.get(i).start.getFirst() < slabs.get(i - 1).endRow()) {
          return false;
        }
      }
      return true;
    }
  }

  /** A regular hyperslab: four numbers in each dimension. */
  record Slab(List<Long> start, List<Long> stride, List<Long> count, List<Long> block) {

    private long endRow() {
      return start.getFirst() + (count.getFirst() - 1) * stride.getFirst() + block.getFirst();
    }

    private boolean addTo(SortedSet<Long> found, long[] dims, List<Long> prefix) {
      int d = prefix.size();
      if (d == dims.length) {
        return found.add(Shapes.number(dims, prefix)) || true;
      }
      for (long i = 0; i < count.get(d); i++) {
        for (long j = 0; j < block.get(d); j++) {
          long at = start.get(d) + i * stride.get(d) + j;
          List<Long> longer = new ArrayList<>(prefix);
          longer.add(at);
          if (at >= dims[d] || !addTo(found, dims, longer)) {
            return false;
          }
        }
      }
      return true;
    }

    private Selection selection() {
      return Selection.hyperslab(
          Shapes.array(start), Shapes.array(stride), Shapes.array(count), Shapes.array(block));
    }
  }
}
