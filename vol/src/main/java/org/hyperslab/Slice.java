package org.hyperslab;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;

/**
 * A part of a dataset, to be read or written.
 *
 * <p>Thread rule: any thread.
 */
public final class Slice {

  private final Dataset dataset;
  private final Selection selection;
  private final long[] shape;

  Slice(Dataset dataset, Selection selection, long[] shape) {
    this.dataset = dataset;
    this.selection = selection;
    this.shape = shape;
  }

  /** The dataset of which it is a part. */
  public Dataset dataset() {
    return dataset;
  }

  /** The elements that it means. */
  public Selection selection() {
    return selection;
  }

  /** Its shape, slowest dimension first, without the dimensions of a single index. */
  public long[] shape() {
    return shape.clone();
  }

  /** How many elements it means. */
  public long elementCount() {
    return Dataspace.simple(shape).elementCount();
  }

  /** Its elements as a Java type of its shape, or flat; see {@link Dataset#read(Class)}. */
  public <T> T read(Class<T> javaType) {
    @SuppressWarnings("unchecked") // int.class is a Class<Integer>: boxed is T's own class
    T value =
        (T)
            Values.read(
                dataset.type(),
                Dataspace.simple(shape),
                Values.boxed(javaType),
                memory -> dataset.readInto(selection, memory));
    return value;
  }

  /** Its elements as the Java value that suits best; see {@link Dataset#read()}. */
  public Object read() {
    return read(Object.class);
  }

  /** Its elements as double, converted, in row-major order. */
  public double[] readDoubles() {
    return read(double[].class);
  }

  /** Its elements as int, converted, in row-major order. */
  public int[] readInts() {
    return read(int[].class);
  }

  /** Its elements as long, converted, in row-major order. */
  public long[] readLongs() {
    return read(long[].class);
  }

  /** Writes its elements from memory of its shape, or flat; see {@link Dataset#write(Object)}. */
  public void write(Object source) {
    dataset.write(selection, source);
  }

  /** The dataset's path and the shape. */
  @Override
  public String toString() {
    return dataset.path() + Arrays.toString(shape);
  }

  /**
   * The shape of what is read by a selection: the extent's own for all, the counts of a regular
   * hyperslab, otherwise one dimension.
   */
  static Dataspace shapeOf(Selection selection, Dataspace extent) {
    if (selection == Selection.all()) {
      return extent.kind() == Dataspace.Kind.SIMPLE ? Dataspace.simple(extent.dims()) : extent;
    }
    if (selection instanceof RegularHyperslab slab && !slab.isUnlimited()) {
      long[] dims = new long[slab.rank()];
      for (int i = 0; i < dims.length; i++) {
        dims[i] = Math.multiplyExact(slab.count(i), slab.block(i));
      }
      return Dataspace.simple(dims);
    }
    return Dataspace.simple(selection.elementCount(extent.dims()));
  }

  static Slice parse(Dataset dataset, String text) {
    SliceParser parsed = new SliceParser(text, dataset.shape()).parse();
    return new Slice(dataset, parsed.selection(), parsed.shape());
  }

  static InvalidUseException problem(String text, String actual, String expected) {
    return new InvalidUseException(
        "slice: actual=" + actual + ", expected=" + expected + ", at=\"" + text + "\"");
  }
}
