package org.hyperslab;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.TransferOptions;
import org.jspecify.annotations.Nullable;

/**
 * A part of a dataset, to be read or written.
 *
 * <p>Thread rule: any thread.
 */
public final class Slice {

  private final Dataset dataset;
  private final Selection selection;
  private final Dataspace space;
  private final @Nullable ElementView part;

  /** The order of the elements, if it is not that of the dataset; otherwise null. */
  private final @Nullable ElementOrder order;

  /**
   * Creates a slice.
   *
   * @param dataset the dataset
   * @param selection the elements that are meant
   * @param space their shape; the null space if the dataset has none
   */
  Slice(Dataset dataset, Selection selection, Dataspace space) {
    this(dataset, selection, space, null, null);
  }

  private Slice(
      Dataset dataset,
      Selection selection,
      Dataspace space,
      @Nullable ElementView part,
      @Nullable ElementOrder order) {
    this.dataset = dataset;
    this.selection = selection;
    this.space = space;
    this.part = part;
    this.order = order;
  }

  /** Returns the same elements, of which another part is meant. */
  private Slice of(ElementView newPart) {
    return new Slice(dataset, selection, space, newPart, order);
  }

  /** Returns the selected part of each element; a dataset's type is fetched when needed. */
  private ElementView part() {
    return part == null ? ElementView.whole(dataset.type()) : part;
  }

  /**
   * {@return one field of these elements of a compound type, read and written alone: its values as
   * they are, such as {@code slice.field("x").readDoubles()}} Other fields keep their values. A
   * field of a field is {@code field("a").field("b")}.
   *
   * @param name the name of the compound member
   * @throws InvalidUseException if the type is no compound, or has no member of that name
   */
  public Slice field(String name) {
    return dataset.located(() -> of(part().field(name)));
  }

  /**
   * {@return some fields of these elements of a compound type, read and written as records or maps
   * that have these components} Other fields keep what they have.
   *
   * @param names the names of compound members
   * @throws InvalidUseException if the type is no compound, or has no member of such a name
   */
  public Slice fields(String... names) {
    Arguments.require(names, "fields", "names of members");
    return dataset.located(() -> of(part().fields(Arrays.asList(names))));
  }

  /**
   * {@return these elements, read and written as Java values with numbers out of range clamped: as
   * in the C library, to the nearest representable number, or to infinity in a float} By default
   * such numbers are refused; see {@link Dataset}.
   */
  public Slice clamped() {
    return of(part().clamped());
  }

  /** {@return the type of the selected part: that of the dataset's elements, or of the field} */
  public Datatype type() {
    return part().type();
  }

  /** {@return the dataset of which it is a part} */
  public Dataset dataset() {
    return dataset;
  }

  /** {@return the selected elements; they do not say in which order the slice gives them} */
  public Selection selection() {
    return selection;
  }

  /** {@return its shape, slowest dimension first, without the dimensions of a single index} */
  public long[] shape() {
    return space.dims();
  }

  /** {@return the number of selected elements} */
  public long elementCount() {
    return space.elementCount();
  }

  /**
   * {@return its elements as a Java type of its shape, or flat; see {@link Dataset#read(Class)}}
   *
   * @param <T> the type of the value
   * @param javaType the class of the result
   */
  public <T> T read(Class<T> javaType) {
    @SuppressWarnings("unchecked") // int.class is a Class<Integer>: boxed is T's own class
    T value = (T) dataset.located(() -> readAs(Values.boxed(javaType)));
    return value;
  }

  private Object readAs(Class<?> javaType) {
    ElementView what = part();
    return Values.read(
        request(what),
        javaType,
        memory -> {
          dataset.readInto(selection, what.transferred(memory));
          if (order != null) {
            order.afterRead(memory);
          }
        });
  }

  private Values.Request request(ElementView what) {
    return new Values.Request(what.type(), space, what.rule());
  }

  /**
   * Reads its elements into memory of the caller: an array of its shape, or flat, a segment, a
   * buffer or a Memory; see {@link Dataset#readInto(Object)}.
   *
   * @param target receives the values: an array, a buffer, a segment or a {@link Memory}
   */
  public void readInto(Object target) {
    dataset.located(
        () -> Calls.await(readInto(target, memory -> dataset.readIntoAsync(selection, memory))));
  }

  /**
   * Like {@link #readInto(Object)}, with options of the transfer.
   *
   * @param target receives the values: an array, a buffer, a segment or a {@link Memory}
   * @param options such as {@link TransferOptions#COLLECTIVE}
   */
  public void readInto(Object target, TransferOptions options) {
    dataset.located(() ->
        Calls.await(readInto(target, memory -> dataset.readIntoAsync(selection, memory, options))));
  }

  /**
   * Like {@link #readInto(Object)}, without waiting.
   *
   * @param target receives the values: an array, a buffer, a segment or a {@link Memory}
   * @return a future that completes when the operation is done, or with its failure
   */
  public CompletableFuture<Void> readIntoAsync(Object target) {
    return dataset.started(
        () -> readInto(target, memory -> dataset.readIntoAsync(selection, memory)));
  }

  /**
   * Like {@link #read(Class)}, without waiting for the elements.
   *
   * @param <T> the type of the value
   * @param javaType the class of the result
   * @return a future of the result, or of the failure
   */
  public <T> CompletableFuture<T> readAsync(Class<T> javaType) {
    @SuppressWarnings("unchecked") // as in read
    CompletableFuture<T> value =
        (CompletableFuture<T>) dataset.started(() -> readAsAsync(Values.boxed(javaType)));
    return value;
  }

  private CompletableFuture<Object> readAsAsync(Class<?> javaType) {
    ElementView what = part();
    return Values.readAsync(
        request(what),
        javaType,
        memory -> ordered(memory, dataset.readIntoAsync(selection, what.transferred(memory))));
  }

  /** Reads its elements into memory of the caller, by a function that fills memory. */
  CompletableFuture<Void> readInto(
      Object target, Function<Memory, CompletableFuture<Void>> reader) {
    ElementView what = part();
    return Values.readInto(
        target, request(what), memory -> ordered(memory, reader.apply(what.transferred(memory))));
  }

  /** Brings elements into the order of this slice once they have been read. */
  private CompletableFuture<Void> ordered(Memory memory, CompletableFuture<Void> read) {
    return order == null ? read : read.thenRun(() -> order.afterRead(memory));
  }

  /** {@return its elements as the Java value that suits best; see {@link Dataset#read()}} */
  public Object read() {
    return read(Object.class);
  }

  /** {@return its only element as double} */
  public double readDouble() {
    return read(double.class);
  }

  /** {@return its only element as long} */
  public long readLong() {
    return read(long.class);
  }

  /** {@return its only element as int} */
  public int readInt() {
    return read(int.class);
  }

  /**
   * {@return its only element as boolean}
   *
   * @throws InvalidUseException if it is a number other than 0 and 1
   */
  public boolean readBoolean() {
    return read(boolean.class);
  }

  /** {@return its only element as a string; null if that is null} */
  public String readString() {
    return read(String.class);
  }

  /** {@return its elements as double, converted, in row-major order} */
  public double[] readDoubles() {
    return read(double[].class);
  }

  /** {@return its elements as float, converted, in row-major order} */
  public float[] readFloats() {
    return read(float[].class);
  }

  /** {@return its elements as int, converted, in row-major order} */
  public int[] readInts() {
    return read(int[].class);
  }

  /** {@return its elements as long, converted, in row-major order} */
  public long[] readLongs() {
    return read(long[].class);
  }

  /** {@return its elements as short, converted, in row-major order} */
  public short[] readShorts() {
    return read(short[].class);
  }

  /** {@return its elements as byte, converted, in row-major order} */
  public byte[] readBytes() {
    return read(byte[].class);
  }

  /** {@return its elements as strings, in row-major order} */
  public String[] readStrings() {
    return read(String[].class);
  }

  /**
   * Writes its elements from memory of its shape, or flat; see {@link Dataset#write(Object)}. A
   * scalar or an array of fewer dimensions, or with dimensions of length 1, is repeated as NumPy
   * does: {@code slice("2:5, :").write(0)} sets all elements, an array as long as a row every row.
   *
   * @param source the values: an array, a scalar, a buffer, a segment or a {@link Memory}
   */
  public void write(Object source) {
    dataset.write(selection, dataset.located(() -> toWrite(source)));
  }

  /**
   * Like {@link #write(Object)}, with options of the transfer.
   *
   * @param source the values: an array, a scalar, a buffer, a segment or a {@link Memory}
   * @param options such as {@link TransferOptions#COLLECTIVE}
   */
  public void write(Object source, TransferOptions options) {
    dataset.write(selection, dataset.located(() -> toWrite(source)), options);
  }

  /**
   * Like {@link #write(Object)}, without waiting.
   *
   * @param source the values: an array, a scalar, a buffer, a segment or a {@link Memory}
   * @return a future that completes when the operation is done, or with its failure
   */
  public CompletableFuture<Void> writeAsync(Object source) {
    return dataset.edited(() -> dataset.writeAsync(selection, toWrite(source)));
  }

  /** Encodes values as its elements in memory. */
  Memory toWrite(Object source) {
    ElementView what = part();
    Memory memory = Memory.of(source, what.type(), what.rule());
    if (Broadcast.isRepeatable(source)) {
      memory = Broadcast.to(space.dims(), memory);
    }
    if (!(source instanceof Memory)) {
      JavaArrays.requireShape("slice", memory.space().dims(), space.dims());
    }
    return what.transferred(order == null ? memory : order.toWrite(memory));
  }

  /** Returns the dataset's path and the shape. */
  @Override
  public String toString() {
    return dataset.path() + Arrays.toString(space.dims());
  }

  /**
   * Returns the shape of what is read by a selection: the extent's own for all, no rows for none,
   * the counts of a regular hyperslab, otherwise one dimension.
   */
  static Dataspace shapeOf(Selection selection, Dataspace extent) {
    if (selection == Selection.all()) {
      return extent.kind() == Dataspace.Kind.SIMPLE ? Dataspace.simple(extent.dims()) : extent;
    }
    if (selection == Selection.none() && extent.rank() > 0) {
      long[] dims = extent.dims(); // a box without elements is this selection, whatever its rank
      dims[0] = 0;
      return Dataspace.simple(dims);
    }
    if (selection instanceof RegularHyperslab slab && !slab.isUnlimited()) {
      return shapeOf(slab);
    }
    return Dataspace.simple(selection.elementCount(extent.dims()));
  }

  /** Returns the shape of a hyperslab that is not unlimited. */
  static Dataspace shapeOf(RegularHyperslab slab) {
    long[] dims = new long[slab.rank()];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = Math.multiplyExact(slab.count(i), slab.block(i));
    }
    return Dataspace.simple(dims);
  }

  /**
   * Returns the same elements for an extent that another thread may change before the transfer: a
   * selection of all elements becomes a box of those that exist now.
   */
  static Selection fixed(Selection selection, Dataspace extent) {
    return selection == Selection.all() && extent.isExtendible()
        ? Selection.box(new long[extent.rank()], extent.dims())
        : selection;
  }

  static Slice parse(Dataset dataset, String text) {
    Dataspace extent = dataset.space();
    SliceParser parsed = new SliceParser(text, extent.dims()).parse();
    return of(dataset, extent, parsed);
  }

  /** Returns what some indices of a dimension select, in their order. */
  static Slice take(Dataset dataset, int dimension, long[] indices) {
    Arguments.require(indices, "indices", "an array");
    Dataspace extent = requireDimension(dataset, dimension);
    SliceParser all = SliceParser.ofIndices(extent.dims());
    all.take(dimension, Arrays.stream(indices).map(index -> all.index(dimension, index)).toArray());
    return of(dataset, extent, all);
  }

  /** Returns what is marked along a dimension. */
  static Slice mask(Dataset dataset, int dimension, boolean[] mask) {
    Arguments.require(mask, "mask", "an array of booleans");
    long length = requireDimension(dataset, dimension).dims()[dimension];
    if (mask.length != length) {
      throw new InvalidUseException(
          "mask: actual=" + mask.length + " elements, expected=" + length);
    }
    long[] marked = IntStream.range(0, mask.length).filter(i -> mask[i]).asLongStream().toArray();
    return take(dataset, dimension, marked);
  }

  /** Returns the elements that a mask of the dataset's shape marks, in one dimension. */
  static Slice mask(Dataset dataset, Object mask) {
    Arguments.require(mask, "mask", "an array of booleans of the dataset's shape");
    int depth = JavaArrays.depth(mask.getClass());
    if (depth == 0 || JavaArrays.below(mask.getClass(), depth) != boolean.class) {
      throw new InvalidUseException(
          "mask: actual=" + mask.getClass().getTypeName() + ", expected=an array of booleans");
    }
    long[] dims = dataset.shape();
    JavaArrays.requireShape("mask", JavaArrays.shape(mask, depth), dims);
    boolean[] flat = JavaArrays.flatten(mask, depth);
    Selection marked = Selection.mask(flat, dims);
    return new Slice(dataset, marked, Dataspace.simple(marked.elementCount(dims)));
  }

  private static Dataspace requireDimension(Dataset dataset, int dimension) {
    Dataspace extent = dataset.space();
    if (dimension < 0 || dimension >= extent.rank()) {
      throw new InvalidUseException(
          "dimension: actual="
              + dimension
              + ", expected=at least 0, below the rank "
              + extent.rank());
    }
    return extent;
  }

  private static Slice of(Dataset dataset, Dataspace extent, SliceParser parsed) {
    boolean none = extent.kind() == Dataspace.Kind.NULL;
    return new Slice(
        dataset,
        parsed.selection(),
        none ? extent : Dataspace.simple(parsed.shape()),
        null,
        parsed.order());
  }

  /** Returns a box of elements, each dimension by its first index and its length. */
  static Slice box(Dataset dataset, long[] start, long[] count) {
    Arguments.require(start, "start of a box", "an index for each dimension");
    Arguments.require(count, "count of a box", "a number of elements for each dimension");
    boolean negative =
        Arrays.stream(start).anyMatch(one -> one < 0)
            || Arrays.stream(count).anyMatch(one -> one < 0);
    if (negative || start.length != count.length) {
      throw new InvalidUseException(
          "box: actual=start "
              + Arrays.toString(start)
              + " count "
              + Arrays.toString(count)
              + ", expected=two numbers of at least 0 for each dimension");
    }
    return new Slice(dataset, Selection.box(start, count), Dataspace.simple(count));
  }

  /** Returns whole rows of a dataset. */
  static Slice rows(Dataset dataset, long first, long endExclusive) {
    long[] count = dataset.shape();
    if (count.length == 0) {
      throw new InvalidUseException(
          "rows: actual=a scalar dataset, expected=rank 1 or more; use read()");
    }
    if (first < 0 || first > endExclusive) {
      throw new InvalidUseException(
          "rows: actual="
              + first
              + " to "
              + endExclusive
              + ", expected=a first row of at least 0, and an end (excluded) that is not before"
              + " it");
    }
    long[] start = new long[count.length];
    start[0] = first;
    count[0] = endExclusive - first;
    return box(dataset, start, count);
  }
}
