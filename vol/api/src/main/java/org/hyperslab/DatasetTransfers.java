package org.hyperslab;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Turns Java values into transfers of a dataset's elements, and back.
 *
 * <p>Thread rule: any thread.
 */
final class DatasetTransfers {

  /** The most bytes that a repeated scalar is expanded to at a time. */
  private static final long MOST_REPEATED_BYTES = 16L << 20;

  private final Dataset dataset;

  DatasetTransfers(Dataset dataset) {
    this.dataset = dataset;
  }

  /**
   * Writes the selected elements. A scalar for all elements of a large dataset is repeated, and
   * written, for some rows at a time; ranks of a parallel job write all at once.
   */
  void writeNow(Selection selection, Object source, TransferOptions options) {
    if (isScalarForMuch(selection, source)) {
      dataset
          .parts()
          .someRows()
          .map(rows -> dataset.rows(rows.first(), rows.endExclusive()).selection())
          .forEach(rows -> Calls.await(write(rows, source, options)));
    } else {
      Calls.await(write(selection, source, options));
    }
  }

  private boolean isScalarForMuch(Selection selection, Object source) {
    if (selection != Selection.all()
        || source == null
        || source.getClass().isArray()
        || !Broadcast.isRepeatable(source)
        || dataset.together() == TransferOptions.COLLECTIVE
        || dataset.rank() == 0) {
      return false;
    }
    long rest = MOST_REPEATED_BYTES / Math.max(1, dataset.type().memorySize());
    for (long length : dataset.shape()) {
      rest /= Math.max(1, length);
    }
    return rest == 0 && memoryOf(source).space().elementCount() == 1;
  }

  /** Submits a write of the selected elements. */
  CompletableFuture<Void> write(Selection selection, Object source, TransferOptions options) {
    return dataset.submit(writing(selection, source, dataset.options(options)));
  }

  /**
   * Returns the operation that writes the selected elements, after the checks that need no
   * connector.
   */
  DatasetOperation.Write writing(Selection selection, Object source, TransferOptions options) {
    dataset.checkOpen();
    Arguments.require(selection, "selection", Dataset.SELECTION);
    Memory memory = repeated(selection, source, memoryOf(source));
    checkShape(selection, source, memory);
    return new DatasetOperation.Write(
        dataset.handle(), memory.transfer(selection, options), memory.data());
  }

  /** Reads the selected elements as a Java type. */
  <T> T read(Selection selection, Class<T> javaType) {
    Arguments.require(selection, "selection", Dataset.SELECTION);
    Class<?> boxed = Values.boxed(javaType);
    Dataspace extent = dataset.space();
    Selection fixed = Slice.fixed(selection, extent);
    @SuppressWarnings("unchecked") // int.class is a Class<Integer>: boxed is T's own class
    T value =
        (T)
            Values.read(
                Values.Request.of(dataset.type(), Slice.shapeOf(selection, extent)),
                boxed,
                memory -> dataset.readInto(fixed, memory));
    return value;
  }

  /** Submits a read of the selected elements into memory of the caller. */
  CompletableFuture<Void> readInto(Selection selection, Object target, TransferOptions options) {
    return readInto(selection, target, dataset.options(options), dataset::submit);
  }

  /**
   * Reads the selected elements into memory of the caller, with a function that submits the read.
   */
  CompletableFuture<Void> readInto(
      Selection selection,
      Object target,
      TransferOptions options,
      Function<DatasetOperation.Read, CompletableFuture<Void>> reader) {
    dataset.checkOpen();
    Arguments.require(selection, "selection", Dataset.SELECTION);
    if (target instanceof Memory memory) {
      return reader.apply(reading(selection, memory, options));
    }
    if (!Values.needsShape(target, dataset.type())) {
      return Values.readInto(
          target,
          Values.Request.of(dataset.type(), Dataspace.scalar()),
          memory -> reader.apply(reading(selection, memory, options)));
    }
    Dataspace extent = dataset.space();
    Selection fixed = Slice.fixed(selection, extent);
    return Values.readInto(
        target,
        Values.Request.of(dataset.type(), Slice.shapeOf(selection, extent)),
        memory -> reader.apply(reading(fixed, memory, options)));
  }

  private DatasetOperation.Read reading(
      Selection selection, Memory memory, TransferOptions options) {
    memory.requireWritable();
    return new DatasetOperation.Read(
        dataset.handle(), memory.transfer(selection, options), memory.data());
  }

  /** Submits a read of the selected elements as a Java type. */
  CompletableFuture<Object> readAsync(Selection selection, Class<?> javaType) {
    Arguments.require(selection, "selection", Dataset.SELECTION);
    Dataspace extent = dataset.space();
    Selection fixed = Slice.fixed(selection, extent);
    return Values.readAsync(
        Values.Request.of(dataset.type(), Slice.shapeOf(selection, extent)),
        javaType,
        memory -> dataset.submit(reading(fixed, memory, defaults())));
  }

  /**
   * Extends dimension 0 by the rows of a value, writes them, and returns the new properties of the
   * dataset.
   */
  DatasetInfo append(Object rows) {
    Memory memory = dataset.located(() -> memoryOf(rows));
    long[] count =
        dataset.located(() -> JavaArrays.appended(memory.space().dims(), dataset.shape()));
    DatasetInfo grown = dataset.call(new DatasetOperation.Extend(dataset.handle(), count[0]));
    long[] start = new long[count.length];
    start[0] = grown.space().dims()[0] - count[0];
    TransferOptions together = dataset.options(dataset.together());
    Transfer transfer = memory.transfer(Selection.box(start, count), together);
    dataset.call(new DatasetOperation.Write(dataset.handle(), transfer, memory.data()));
    return grown;
  }

  private TransferOptions defaults() {
    return dataset.options(TransferOptions.DEFAULT);
  }

  private Memory memoryOf(Object source) {
    return source instanceof Memory given
        ? given.requireAccessible()
        : Memory.of(source, dataset.type());
  }

  /**
   * Repeats a scalar or rows to fill the selected elements. The extent, which may have to be asked
   * for, is not looked at where nothing can be repeated.
   */
  private Memory repeated(Selection selection, Object source, Memory memory) {
    if (!Broadcast.isRepeatable(source)) {
      return memory;
    }
    if (selection instanceof RegularHyperslab slab) {
      return slab.isUnlimited() ? memory : Broadcast.to(Slice.shapeOf(slab).dims(), memory);
    }
    boolean rows = selection == Selection.all() && dataset.rank() > 1;
    return rows || memory.space().elementCount() == 1
        ? Broadcast.to(Slice.shapeOf(selection, dataset.space()).dims(), memory)
        : memory;
  }

  /** Checks the shape of a nested array; a Memory names its elements itself. */
  private void checkShape(Selection selection, Object source, Memory memory) {
    long[] given = memory.space().dims();
    boolean said = source instanceof Memory && (!memory.isWhole() || selection != Selection.all());
    boolean growing = selection instanceof RegularHyperslab slab && slab.isUnlimited();
    if (given.length < 2 || said || growing) {
      return;
    }
    JavaArrays.requireShape(
        dataset.path(), given, Slice.shapeOf(selection, dataset.space()).dims());
  }
}
