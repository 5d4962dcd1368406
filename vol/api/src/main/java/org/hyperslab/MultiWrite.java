package org.hyperslab;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.DatasetOperation;

/**
 * Writes parts of several datasets of one file together.
 *
 * <pre>{@code
 * file.multiWrite().write(density, values).write(velocity.slice("0:10"), rows).run();
 * }</pre>
 *
 * <p>The result is as if the parts were written in the order in which they were added. Arrays and
 * buffers are read when the call is run, not when they are added. It may be run again, with new
 * values in the same arrays.
 *
 * <p>All values are checked before any element moves: shapes, ranges, types and selections follow
 * the rules of single writes ({@link Dataset}), and a refusal names the dataset. If storage, a
 * server or a rank fails while elements move, the call fails, and which of the other parts have
 * been carried out is undefined.
 *
 * <p>In a parallel job, {@link TransferOptions#COLLECTIVE} makes it one access of all ranks. All
 * ranks then name the same datasets in the same order; a rank without elements of a dataset passes
 * {@link Selection#none()}.
 *
 * <p>Thread rule: confined to one thread. Source of the behaviour: H5Dwrite_multi in H5D.c.
 */
public final class MultiWrite {

  private final MultiParts<Void, DatasetOperation.Write> parts;

  MultiWrite(OpenFile file) {
    this.parts = new MultiParts<>(file);
  }

  /**
   * Adds all elements of a dataset.
   *
   * @param dataset a dataset of the file
   * @param source the values: an array, a scalar, a buffer, a segment or a {@link Memory}
   * @return this
   */
  public MultiWrite write(Dataset dataset, Object source) {
    return write(dataset, Selection.all(), source);
  }

  /**
   * Adds the selected elements of a dataset.
   *
   * @param dataset a dataset of the file
   * @param selection the elements that are meant
   * @param source the values, in the selection's shape or flat
   * @return this
   */
  public MultiWrite write(Dataset dataset, Selection selection, Object source) {
    parts.add(
        dataset,
        source,
        (options, nothing) -> dataset.transfers().writing(selection, source, options));
    return this;
  }

  /**
   * Adds a slice, or fields of it.
   *
   * @param slice a part of a dataset of the file
   * @param source the values, in the slice's shape or flat
   * @return this
   */
  public MultiWrite write(Slice slice, Object source) {
    Arguments.require(slice, "slice", "a Slice of a dataset");
    Dataset dataset = slice.dataset();
    parts.add(
        dataset,
        source,
        (options, nothing) ->
            dataset.transfers().writing(slice.selection(), slice.toWrite(source), options));
    return this;
  }

  /**
   * Sets how the elements are moved, all of them.
   *
   * @param options collective or not, and hints
   * @return this
   */
  public MultiWrite options(TransferOptions options) {
    parts.options(options);
    return this;
  }

  /**
   * Writes all parts and waits until that is done. Without parts it does nothing.
   *
   * @throws org.hyperslab.error.InvalidUseException if a shape, a value or a selection does not
   *     fit; then nothing has been written
   * @throws org.hyperslab.error.HyperslabException if writing fails
   */
  public void run() {
    parts.await(submit());
  }

  /**
   * Writes all parts, without waiting.
   *
   * @return a future that completes when all parts are written, or with the failure
   */
  public CompletableFuture<Void> runAsync() {
    return parts.file().edit(this::submit, parts::named);
  }

  private CompletableFuture<Void> submit() {
    List<DatasetOperation.Write> writes = parts.make(null);
    return writes.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : parts.file().submit(new DatasetOperation.WriteMulti(writes));
  }
}
