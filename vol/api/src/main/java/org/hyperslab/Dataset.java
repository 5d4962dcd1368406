package org.hyperslab;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.DatatypeCodec;
import org.hyperslab.format.type.Reference;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.Condition;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.PageRequest;
import org.hyperslab.model.RawChunk;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;
import org.jspecify.annotations.Nullable;

/**
 * An open dataset: an array of elements of one datatype.
 *
 * <p>Elements move between a selection of the dataset and memory. Memory is a Java array, a {@link
 * java.lang.foreign.MemorySegment}, a NIO buffer, a scalar, or a {@link Memory}, which says type,
 * shape and selection exactly. Flat arrays hold the selected elements in row-major order; nested
 * arrays have the shape of what is selected. Flat arrays of numbers, segments and buffers are used
 * in place, without a copy. Elements are converted between the type in memory and the stored one.
 *
 * <p>Numbers of every Java type, in arrays, buffers and records, follow one rule: a number that is
 * out of range, such as 300 for a byte or NaN for an int, is an error, and nothing is written.
 * {@link #clamped()} takes the nearest number instead, as the C library does. Numbers never wrap
 * around. Conversion to integers truncates fractions; conversion to a shorter floating-point type
 * rounds. Enumerations and bitfields are integers, bitfields unsigned ones, and are not written
 * from floating-point numbers; Strings and Java enums correspond to the names of enumeration
 * members. A {@link Memory}, a segment and a ByteBuffer name the type in memory, and are converted
 * as the C library converts.
 *
 * <p>A buffer is used from its position to its limit, in its {@code order()}: a ByteBuffer holds
 * elements of the stored type in memory form, with every number in that order; others hold numbers
 * of their Java type. A read-only one can be written from, and is an error to read into.
 *
 * <p>A read of a whole dataset that another thread extends returns the elements that existed when
 * the read began.
 *
 * <p>Asynchronous calls do not throw: their futures have every failure, also those that are found
 * before anything is transferred, such as another shape, a number out of range, null or a closed
 * dataset. Until a call has completed, the caller must not access the memory of a read or change
 * the memory of a write.
 *
 * <p>Errors common to all: {@link InvalidUseException} if ranks, extents, counts or types do not
 * match (the message has both), or the dataset is closed.
 */
public final class Dataset extends H5Object {

  /** The properties that never change: type, options, and the extent if it is fixed. */
  private record Facts(Datatype type, @Nullable DatasetOptions options, Dataspace space) {

    /** Whether the extent may change; that of a virtual dataset may also become smaller. */
    boolean moves() {
      return space.isExtendible()
          || (options != null && options.layout() instanceof Layout.Virtual);
    }
  }

  /** The newest version of datatype messages that files of any bounds may have. */
  private static final int NEWEST_KNOWN_TO_ALL = 3;

  /** The message text that names what to pass in place of a null selection. */
  static final String SELECTION = "a Selection; Selection.all() is every element";

  private volatile @Nullable Facts facts;
  private volatile @Nullable StepColumn column;
  private volatile Map<String, String> transferProperties = Map.of();

  Dataset(OpenFile file, Handle handle, String path, CompletableFuture<ObjectInfo> opened) {
    super(file, handle, path, opened, true);
  }

  /** Creates the view of a new dataset, whose type and options are known. */
  Dataset(
      OpenFile file,
      Handle handle,
      String path,
      CompletableFuture<ObjectInfo> opened,
      DatasetOperation.Spec spec) {
    super(file, handle, path, opened, true);
    boolean fixed =
        isStoredAsGiven(spec.type()) && !(spec.options().layout() instanceof Layout.Virtual);
    this.facts = fixed ? new Facts(spec.type(), null, spec.space()) : null;
  }

  /** Returns whether files store elements of a type unchanged under any version bounds. */
  private static boolean isStoredAsGiven(Datatype type) {
    return DatatypeCodec.requiredVersion(type) <= NEWEST_KNOWN_TO_ALL;
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.DATASET;
  }

  // --- what it is ---

  /**
   * {@return the current properties: type, extent, options, storage} Counts the stored bytes and
   * chunks, for which a chunked dataset's whole index is read; {@link #type}, {@link #space} and
   * {@link #options} do not.
   */
  public DatasetInfo datasetInfo() {
    return described(true);
  }

  private DatasetInfo described(boolean counted) {
    DatasetInfo info = call(new DatasetOperation.Describe(handle(), counted, true));
    facts = new Facts(info.type(), info.options(), info.space());
    return info;
  }

  /** {@return the type of its elements as stored} */
  public Datatype type() {
    checkOpen();
    Facts known = facts;
    return known == null ? described(false).type() : known.type;
  }

  /** {@return the options with which it was created, as far as the file records them} */
  public DatasetOptions options() {
    checkOpen();
    Facts known = facts;
    return known == null || known.options == null ? described(false).options() : known.options;
  }

  /** {@return its extent now} */
  public Dataspace space() {
    checkOpen();
    Facts known = facts;
    return known == null || known.moves() ? described(false).space() : known.space;
  }

  /** {@return its shape now, in elements, slowest dimension first; empty for a scalar} */
  public long[] shape() {
    return space().dims();
  }

  /** {@return how many dimensions it has; 0 for a scalar} */
  public int rank() {
    checkOpen();
    Facts known = facts;
    return known == null ? described(false).space().rank() : known.space.rank();
  }

  /** {@return how many elements it has now} */
  public long elementCount() {
    return space().elementCount();
  }

  DatasetTransfers transfers() {
    return new DatasetTransfers(this);
  }

  /**
   * Sets properties of all later transfers through this object, for which others take the
   * properties of {@link TransferOptions}. They are hints, by names that the connector documents,
   * and are not stored in the file. A transfer's own property of the same name takes precedence; a
   * {@link Transfer} and a transfer of several datasets have none but their own.
   *
   * @param properties the properties; they replace those set before
   */
  public void setTransferProperties(Map<String, String> properties) {
    transferProperties = Map.copyOf(properties);
  }

  /** Returns the options of a transfer of this dataset. */
  TransferOptions options(TransferOptions given) {
    return Arguments.require(given, "options", "TransferOptions").orElse(transferProperties);
  }

  // --- writing ---

  /**
   * Writes all elements. The source has the dataset's shape or is flat; a scalar, or an array of
   * fewer dimensions or with dimensions of length 1, is repeated as NumPy does: {@code write(0.0)}
   * sets every element, an array as long as a row every row.
   *
   * @param source the values: an array, a scalar, a buffer, a segment or a {@link Memory}
   * @throws InvalidUseException if the shape is another, or a number is out of the stored type's
   *     range
   */
  public void write(Object source) {
    write(Selection.all(), source);
  }

  /**
   * Writes the selected elements. The source has the selection's shape or is flat, or is repeated
   * as by {@link #write(Object)}.
   *
   * @param selection the elements that are meant
   * @param source the values: an array, a scalar, a buffer, a segment or a {@link Memory}
   */
  public void write(Selection selection, Object source) {
    write(selection, source, TransferOptions.DEFAULT);
  }

  /**
   * Like {@link #write(Selection, Object)}, with options such as a collective transfer.
   *
   * @param selection the elements that are meant
   * @param source the values: an array, a scalar, a buffer, a segment or a {@link Memory}
   * @param options how the elements are moved
   */
  public void write(Selection selection, Object source, TransferOptions options) {
    located(() -> {
      transfers().writeNow(selection, source, options);
      return null;
    });
  }

  /**
   * Like {@link #write(Object)}, without waiting.
   *
   * @param source the values: an array, a scalar, a buffer, a segment or a {@link Memory}
   * @return a future that completes when the operation is done, or with its failure
   */
  public CompletableFuture<Void> writeAsync(Object source) {
    return writeAsync(Selection.all(), source);
  }

  /**
   * Like {@link #write(Selection, Object)}, without waiting.
   *
   * @param selection the elements that are meant
   * @param source the values: an array, a scalar, a buffer, a segment or a {@link Memory}
   * @return a future that completes when the operation is done, or with its failure
   */
  public CompletableFuture<Void> writeAsync(Selection selection, Object source) {
    return writeAsync(selection, source, TransferOptions.DEFAULT);
  }

  /**
   * Transfers the selected elements without waiting, with options such as a collective transfer.
   *
   * @param selection the elements that are meant
   * @param source the values: an array, a scalar, a buffer, a segment or a {@link Memory}
   * @param options how the elements are moved
   * @return a future that completes when the operation is done, or with its failure
   */
  public CompletableFuture<Void> writeAsync(
      Selection selection, Object source, TransferOptions options) {
    return edited(() -> transfers().write(selection, source, options));
  }

  // --- reading ---

  /**
   * {@return every element as the Java value that suits type and shape best; a scalar without
   * array; null for a null dataspace} Other datasets are nested arrays, as many dimensions as the
   * dataset has: of the primitive type that holds every stored value (unsigned integers take the
   * next larger one, those of 64 bits BigInteger; enumerations are the integers of their base, or
   * boolean), of String, of {@link org.hyperslab.format.type.Reference}, or of maps for compound
   * elements.
   *
   * <p>Elements that were never written have the fill value. Without one, numbers are 0, strings of
   * variable length and references are null, and sequences of variable length are empty.
   */
  public Object read() {
    return read(Selection.all(), Object.class);
  }

  /**
   * {@return every element as a Java type: a flat or nested array such as {@code double[].class} or
   * {@code String[][].class}, of records for compound elements; a scalar's class such as {@code
   * Integer.class} where there is one element}
   *
   * @param <T> the type of the value
   * @param javaType the class of the result
   */
  public <T> T read(Class<T> javaType) {
    return read(Selection.all(), javaType);
  }

  /**
   * {@return the selected elements as a Java type; see {@link #read(Class)}}
   *
   * @param <T> the type of the value
   * @param selection the elements that are meant
   * @param javaType the class of the result
   */
  public <T> T read(Selection selection, Class<T> javaType) {
    return located(() -> transfers().read(selection, javaType));
  }

  /**
   * Reads every element into memory of the caller: an array of the same shape, or flat, a segment,
   * a buffer or a Memory.
   *
   * @param target receives the values: an array, a buffer, a segment or a {@link Memory}
   * @throws InvalidUseException if the shape is another, the memory is read-only, or a number is
   *     out of the Java type's range; then the memory's contents are undefined
   */
  public void readInto(Object target) {
    readInto(Selection.all(), target);
  }

  /**
   * Reads the selected elements into memory of the caller, which must have the same number of
   * elements.
   *
   * @param selection the elements that are meant
   * @param target receives the values: an array, a buffer, a segment or a {@link Memory}
   */
  public void readInto(Selection selection, Object target) {
    readInto(selection, target, TransferOptions.DEFAULT);
  }

  /**
   * Like {@link #readInto(Selection, Object)}, with options such as a collective transfer.
   *
   * @param selection the elements that are meant
   * @param target receives the values: an array, a buffer, a segment or a {@link Memory}
   * @param options how the elements are moved
   */
  public void readInto(Selection selection, Object target, TransferOptions options) {
    located(() -> Calls.await(transfers().readInto(selection, target, options)));
  }

  /**
   * Like {@link #readInto(Selection, Object)}, without waiting.
   *
   * @param selection the elements that are meant
   * @param target receives the values: an array, a buffer, a segment or a {@link Memory}
   * @return a future that completes when the operation is done, or with its failure
   */
  public CompletableFuture<Void> readIntoAsync(Selection selection, Object target) {
    return readIntoAsync(selection, target, TransferOptions.DEFAULT);
  }

  /**
   * Transfers the selected elements without waiting, with options such as a collective transfer.
   *
   * @param selection the elements that are meant
   * @param target receives the values: an array, a buffer, a segment or a {@link Memory}
   * @param options how the elements are moved
   * @return a future that completes when the operation is done, or with its failure
   */
  public CompletableFuture<Void> readIntoAsync(
      Selection selection, Object target, TransferOptions options) {
    return started(() -> transfers().readInto(selection, target, options));
  }

  /**
   * Like {@link #read(Class)}, without waiting.
   *
   * @param <T> the type of the value
   * @param javaType the class of the result
   * @return a future of the result, or of the failure
   */
  public <T> CompletableFuture<T> readAsync(Class<T> javaType) {
    return readAsync(Selection.all(), javaType);
  }

  /**
   * Like {@link #read(Selection, Class)}, without waiting for the elements.
   *
   * @param <T> the type of the value
   * @param selection the elements that are meant
   * @param javaType the class of the result
   * @return a future of the result, or of the failure
   */
  public <T> CompletableFuture<T> readAsync(Selection selection, Class<T> javaType) {
    @SuppressWarnings("unchecked") // as in read
    CompletableFuture<T> value =
        (CompletableFuture<T>)
            started(() -> transfers().readAsync(selection, Values.boxed(javaType)));
    return value;
  }

  /** {@return the only element as double, such as that of a scalar dataset} */
  public double readDouble() {
    return read(double.class);
  }

  /** {@return the only element as long} */
  public long readLong() {
    return read(long.class);
  }

  /** {@return the only element as int} */
  public int readInt() {
    return read(int.class);
  }

  /**
   * {@return the only element as boolean}
   *
   * @throws InvalidUseException if it is a number other than 0 and 1
   */
  public boolean readBoolean() {
    return read(boolean.class);
  }

  /** {@return the only element as a string; null if that is null} */
  public String readString() {
    return read(String.class);
  }

  /** {@return every element as double, converted, in row-major order} */
  public double[] readDoubles() {
    return read(double[].class);
  }

  /**
   * {@return the selected elements as double, converted, in order}
   *
   * @param selection the elements that are meant
   */
  public double[] readDoubles(Selection selection) {
    return read(selection, double[].class);
  }

  /** {@return every element as float, converted, in row-major order} */
  public float[] readFloats() {
    return read(float[].class);
  }

  /** {@return every element as long, converted, in row-major order} */
  public long[] readLongs() {
    return read(long[].class);
  }

  /**
   * {@return the selected elements as long, converted, in order}
   *
   * @param selection the elements that are meant
   */
  public long[] readLongs(Selection selection) {
    return read(selection, long[].class);
  }

  /** {@return every element as int, converted, in row-major order} */
  public int[] readInts() {
    return read(int[].class);
  }

  /**
   * {@return the selected elements as int, converted, in order}
   *
   * @param selection the elements that are meant
   */
  public int[] readInts(Selection selection) {
    return read(selection, int[].class);
  }

  /** {@return every element as short, converted, in row-major order} */
  public short[] readShorts() {
    return read(short[].class);
  }

  /** {@return every element as byte, converted, in row-major order} */
  public byte[] readBytes() {
    return read(byte[].class);
  }

  /** {@return every string, in row-major order} */
  public String[] readStrings() {
    return read(String[].class);
  }

  // --- parts ---

  /**
   * {@return the part that a slice in NumPy's notation selects, such as {@code "0:10, ::-1, -1,
   * ..."} or {@code "[0, 3, 7], :"}} Each dimension has an index, or start:end:step with the end
   * excluded, or a list of indices; negative numbers count from the end; an omitted dimension is
   * taken whole. A range that reaches beyond the extent ends with it, as in NumPy. A dimension with
   * a single index is dropped from the shape. Ranges with a negative step and lists give elements
   * in their own order.
   *
   * @param text the text
   * @throws InvalidUseException if the text is wrong, or a single index is outside the extent
   */
  public Slice slice(String text) {
    Arguments.require(text, "slice", "a text such as \"0:10, ::2\"");
    return located(() -> Slice.parse(this, text));
  }

  /**
   * {@return the box of {@code count} elements from {@code start} in each dimension}
   *
   * @param start the coordinates of the first element
   * @param count the number of elements in each dimension
   * @throws InvalidUseException if the arrays differ in length, or hold negative numbers
   */
  public Slice box(long[] start, long[] count) {
    return located(() -> Slice.box(this, start, count));
  }

  /**
   * {@return whole rows: the indices {@code first} to {@code endExclusive - 1} of dimension 0}
   *
   * @param first the first row, counted from 0
   * @param endExclusive the row after the last
   * @throws InvalidUseException if {@code first} is negative or above {@code endExclusive}, or the
   *     dataset is a scalar
   */
  public Slice rows(long first, long endExclusive) {
    return located(() -> Slice.rows(this, first, endExclusive));
  }

  /**
   * {@return all elements whose index in one dimension is one of a list, in the order of the list:
   * {@code take(0, 5, 2, -1)} is rows 5, 2 and the last; as {@code numpy.take}}
   *
   * @param dimension the dimension, from 0
   * @param indices the indices, each once; negative ones count from the end
   * @throws InvalidUseException if an index is outside the extent, or is there twice
   */
  public Slice take(int dimension, long... indices) {
    return located(() -> Slice.take(this, dimension, indices));
  }

  /**
   * {@return the elements that a mask marks, in one dimension, in row-major order; as {@code
   * d[mask]} of h5py}
   *
   * @param mask an array of booleans of the dataset's shape, nested or flat
   * @throws InvalidUseException if it is of another type or shape
   */
  public Slice mask(Object mask) {
    return located(() -> Slice.mask(this, mask));
  }

  /**
   * {@return all elements whose index in one dimension is marked; as {@code numpy.compress}}
   *
   * @param dimension the dimension, from 0
   * @param mask for every index of the dimension whether it is selected
   * @throws InvalidUseException if there are more or fewer
   */
  public Slice mask(int dimension, boolean[] mask) {
    return located(() -> Slice.mask(this, dimension, mask));
  }

  /**
   * {@return the rows one after another, read some at a time: the parts of the dataset with one
   * index of dimension 0, such as {@code rows(double[].class)} of a matrix and {@code
   * rows(Particle.class)} of records in one dimension} The rows are those that exist now.
   *
   * @param <T> the type of a row
   * @param rowType the class of a row: an array of one dimension less than the dataset, or of one
   *     dimension; the class of an element if the dataset has one dimension
   * @throws InvalidUseException if the dataset is a scalar, or the class does not fit
   */
  public <T> Stream<T> rows(Class<T> rowType) {
    return located(() -> parts().rows(rowType, this::readRows));
  }

  /**
   * {@return the parts of the dataset that its chunks hold, in row-major order, whether or not they
   * are stored; those at the edge end with the extent} A program that goes through a dataset so
   * decodes each chunk once. {@link #chunks} lists what is stored.
   *
   * @throws InvalidUseException if the dataset is not chunked
   */
  public Stream<Slice> chunkSlices() {
    return located(() -> parts().chunks().map(this::slice));
  }

  /** Returns its parts, of which each fits in memory. */
  DatasetParts parts() {
    return new DatasetParts(shape(), options().layout(), type().memorySize());
  }

  private <T> T readRows(long first, long endExclusive, Class<T> type) {
    return rows(first, endExclusive).read(type);
  }

  private Slice slice(DatasetParts.Box box) {
    return new Slice(this, Selection.box(box.start(), box.count()), Dataspace.simple(box.count()));
  }

  /**
   * {@return one field of every element of a compound type, read and written alone: {@code
   * dataset.field("x").readDoubles()}; see {@link Slice#field}}
   *
   * @param name the name of the compound member
   */
  public Slice field(String name) {
    return select(Selection.all()).field(name);
  }

  /**
   * {@return some fields of every element of a compound type, as records; see {@link Slice#fields}}
   *
   * @param names the names of compound members
   */
  public Slice fields(String... names) {
    return select(Selection.all()).fields(names);
  }

  /** {@return every element, with numbers out of range clamped; see {@link Slice#clamped}} */
  public Slice clamped() {
    return select(Selection.all()).clamped();
  }

  /**
   * {@return the part of the dataset that a selection selects}
   *
   * @param selection the elements that are meant
   */
  public Slice select(Selection selection) {
    Arguments.require(selection, "selection", SELECTION);
    Dataspace extent = space();
    return new Slice(this, Slice.fixed(selection, extent), Slice.shapeOf(selection, extent));
  }

  // --- questions ---

  /**
   * {@return the elements that meet a condition} Blocks of which statistics tell that no element
   * meets it, or that all do, are not read; the others are, by several threads. A connector that
   * keeps the elements elsewhere, such as a staging server, answers there. In a parallel job all
   * ranks make the call together, and each reads the elements.
   *
   * @param condition the condition
   * @throws InvalidUseException if it names a field that does not exist, or whose type cannot be
   *     compared with its constant
   * @throws org.hyperslab.error.LimitExceededException if the elements are too many separate runs
   * @since 0.2
   */
  public Selection where(Condition condition) {
    return await(whereAsync(condition));
  }

  /**
   * Like {@link #where}, without waiting if the connector does not wait.
   *
   * @param condition the condition
   * @return a future of the elements, or of the failure
   * @since 0.2
   */
  public CompletableFuture<Selection> whereAsync(Condition condition) {
    return started(() ->
        matches(condition, true).thenApply(found -> found.selection().orElseGet(Selection::none)));
  }

  /**
   * {@return the number of elements that meet a condition; found as by {@link #where}}
   *
   * @param condition the condition
   * @throws InvalidUseException as by {@link #where}
   * @since 0.2
   */
  public long count(Condition condition) {
    return await(countAsync(condition));
  }

  /**
   * Like {@link #count}, without waiting if the connector does not wait.
   *
   * @param condition the condition
   * @return a future of the number, or of the failure
   * @since 0.2
   */
  public CompletableFuture<Long> countAsync(Condition condition) {
    return started(() -> matches(condition, false).thenApply(DatasetOperation.Matches::count));
  }

  private CompletableFuture<DatasetOperation.Matches> matches(Condition condition, boolean places) {
    Arguments.require(condition, "condition", "a Condition, such as Condition.value().above(3)");
    return submit(new DatasetOperation.Select(handle(), condition, places));
  }

  /**
   * {@return minimum, maximum, sum and mean of the numbers, and how many are NaN or the fill value}
   * Blocks of which statistics tell them are not read.
   *
   * @throws InvalidUseException if the elements are no numbers
   * @since 0.2
   */
  public ValueSummary summary() {
    return await(summaryAsync(Condition.value()));
  }

  /**
   * {@return as {@link #summary()}, of the numbers in a member of compound elements}
   *
   * @param field the member, as by {@link Condition#field}
   * @throws InvalidUseException if there is no such member, or it has no numbers
   * @since 0.2
   */
  public ValueSummary summary(Condition.Field field) {
    return await(summaryAsync(field));
  }

  /**
   * Like {@link #summary(Condition.Field)}, without waiting if the connector does not wait.
   *
   * @param field the member, or {@link Condition#value} for the elements themselves
   * @return a future of the summary, or of the failure
   * @since 0.2
   */
  public CompletableFuture<ValueSummary> summaryAsync(Condition.Field field) {
    return started(() -> {
      Arguments.require(field, "field", "a Condition.Field, such as Condition.value()");
      return submit(new DatasetOperation.Summarize(handle(), field));
    });
  }

  /**
   * {@return the least number, NaN excepted; empty if there is none} Of the class Long, BigInteger
   * if it is greater, or Double.
   *
   * @since 0.2
   */
  public Optional<Number> minimum() {
    return summary().minimum();
  }

  /**
   * {@return the greatest number, NaN excepted; empty if there is none} Of the class Long,
   * BigInteger if it is greater, or Double.
   *
   * @since 0.2
   */
  public Optional<Number> maximum() {
    return summary().maximum();
  }

  /**
   * {@return the sum of the numbers, NaN excepted} Of the class Long, BigInteger if it is greater,
   * or Double.
   *
   * @since 0.2
   */
  public Number sum() {
    return summary().sum();
  }

  /**
   * {@return the mean of the numbers, NaN excepted; empty if there is none}
   *
   * @since 0.2
   */
  public OptionalDouble mean() {
    return summary().mean();
  }

  // --- extent and chunks ---

  /**
   * Changes the extent atomically. Elements that are cut off are lost; new elements read as the
   * fill value. Of several concurrent calls the last one wins; use {@link #append} to add to the
   * extent.
   *
   * @param dims the lengths, slowest dimension first
   * @throws InvalidUseException if the dataset is not chunked, or an extent exceeds its maximum
   */
  public void setExtent(long... dims) {
    StepWriter steps = file().steps();
    if (steps == null) {
      await(submit(extent(dims)));
      return;
    }
    StepColumn growing = steps.column(token().address(), path());
    DatasetOperation.SetExtent operation = extent(dims);
    located(() -> {
      steps.setExtent(growing, operation);
      return null;
    });
  }

  /**
   * Like {@link #setExtent}, without waiting.
   *
   * @param dims the lengths, slowest dimension first
   * @return a future that completes when the operation is done, or with its failure
   */
  public CompletableFuture<Void> setExtentAsync(long... dims) {
    return edited(() -> {
      if (file().steps() == null) {
        return submit(extent(dims));
      }
      setExtent(dims);
      return CompletableFuture.completedFuture(null);
    });
  }

  private DatasetOperation.SetExtent extent(long[] dims) {
    return new DatasetOperation.SetExtent(handle(), boxed(dims));
  }

  /**
   * Extends dimension 0 by the rows of a value and writes them there. The value's other dimensions
   * are the dataset's; a value of one dimension less is one row.
   *
   * <p>Threads, and clients of a staging server, may append concurrently: each call reserves its
   * rows atomically, and its rows are contiguous. The order of concurrent calls is not defined.
   * Until a call returns, its rows may read as the fill value; if the write fails they remain so,
   * because other rows may already follow them. In a parallel job all ranks make the call together
   * and append the same rows once; the values are not compared.
   *
   * <p>In a file with {@linkplain H5File#startSteps steps}, rows are appended within a step. They
   * are copied, or written before the call returns, and readers see them when the step is
   * published.
   *
   * @param rows the values of the new rows
   * @throws InvalidUseException if the rows are not of the dataset's other dimensions, or its
   *     extent cannot grow by them
   */
  public void append(Object rows) {
    StepWriter steps = file().steps();
    if (steps != null) {
      appendInStep(steps, rows);
      return;
    }
    DatasetInfo grown = transfers().append(rows);
    facts = new Facts(grown.type(), grown.options(), grown.space());
  }

  private void appendInStep(StepWriter steps, Object rows) {
    checkOpen();
    StepColumn known = column;
    if (known == null) {
      known = steps.column(token().address(), path());
      column = known;
    }
    StepColumn of = known;
    located(() -> {
      steps.append(of, rows);
      return null;
    });
  }

  /** {@return the chunks that are allocated, in row-major order, fetched page by page} */
  public Stream<ChunkInfo> chunks() {
    return Listing.stream(
        PageRequest.first(IterationIndex.NAME),
        (a, b) -> Listing.compareCoordinates(a.offset(), b.offset()),
        page -> call(new DatasetOperation.ListChunks(handle(), page)));
  }

  /**
   * {@return the chunk whose first element is at {@code offset}, as stored, that is, filtered}
   *
   * @param offset the coordinates of the chunk's first element
   * @throws org.hyperslab.error.NotFoundException if it is not allocated
   */
  public RawChunk readChunk(long... offset) {
    return call(new DatasetOperation.ReadChunk(handle(), boxed(offset)));
  }

  /**
   * Stores a chunk as given. The caller has applied the filters.
   *
   * @param chunk the chunk's bytes, filtered, and its filter mask
   * @param offset the coordinates of the chunk's first element
   */
  public void writeChunk(RawChunk chunk, long... offset) {
    call(new DatasetOperation.WriteChunk(handle(), boxed(offset), chunk));
  }

  /**
   * {@return the committed type that it shares, if it does}
   *
   * @throws CorruptFileException if another kind of object is where the type should be
   */
  public Optional<CommittedType> committedType() {
    return described(false).committedType().map(this::openCommittedType);
  }

  private CommittedType openCommittedType(ObjectToken token) {
    H5Object found = byToken(this, token);
    if (found instanceof CommittedType type) {
      return type;
    }
    ObjectKind kind = found.kind();
    found.close();
    throw new CorruptFileException(
        file().name(),
        "shared datatype",
        token.address(),
        "object actual=" + kind + ", expected=" + ObjectKind.COMMITTED_TYPE);
  }

  // --- references ---

  /**
   * {@return a reference to selected elements, as a value that datasets and attributes of this file
   * can hold}
   *
   * @param selection the elements that are meant
   * @throws InvalidUseException if the dataset is behind an external link, in another file, or the
   *     selection leaves its extent
   */
  public Reference.ToRegion regionReference(Selection selection) {
    requireOwnFile();
    Dataspace space = space();
    selection.requireWithin(space.dims());
    return new Reference.ToRegion(
        token().address(), space.rank(), RegionCodec.encode(selection, space.rank()));
  }

  /**
   * {@return the part of this dataset that a region reference selects}
   *
   * @param reference the reference
   * @throws InvalidUseException if the reference is to another object
   * @throws CorruptFileException if its bytes are no selection of this rank
   */
  public Slice region(Reference.ToRegion reference) {
    if (reference.token() != token().address()) {
      throw new InvalidUseException(
          "region reference: actual=to object "
              + reference.token()
              + ", expected=to object "
              + token().address()
              + ", at="
              + path()
              + "; open its target with H5File.dereference");
    }
    return select(RegionCodec.decode(reference.selection(), rank(), file().name()));
  }

  private static List<Long> boxed(long[] values) {
    return Arrays.stream(Arguments.require(values, "coordinates", "an array")).boxed().toList();
  }

  /**
   * Returns its path, type, extent and file. Properties that are not known are read, but no
   * elements. Does not wait for a pending opening, and does not throw.
   */
  @Override
  public String toString() {
    return isClosed() || !isOpened() ? super.toString() : described();
  }

  private String described() {
    Facts known = facts;
    try {
      if (known == null || known.moves()) {
        DatasetInfo info = described(false);
        known = new Facts(info.type(), info.options(), info.space());
      }
    } catch (RuntimeException unknown) {
      return super.toString(); // closed meanwhile, or storage fails: the next use reports it
    }
    return "Dataset["
        + path()
        + ": "
        + known.type.describe()
        + " "
        + known.space
        + " in "
        + file().name()
        + "]";
  }
}
