package org.hyperslab;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;

/**
 * Reads parts of several datasets of one file together, into memory of the caller.
 *
 * <pre>{@code
 * file.multiRead().read(density, values).read(velocity.slice("0:10"), rows).run();
 * }</pre>
 *
 * <p>It may be run again.
 *
 * <p>All values are checked before any element moves: shapes, ranges, types and selections follow
 * the rules of single reads ({@link Dataset}), and a refusal names the dataset. If storage, a
 * server or a rank fails while elements move, the call fails, and which of the other parts have
 * been carried out is undefined, and so is the memory.
 *
 * <p>In a parallel job, {@link TransferOptions#COLLECTIVE} makes it one access of all ranks. All
 * ranks then name the same datasets in the same order; a rank without elements of a dataset passes
 * {@link Selection#none()}.
 *
 * <p>Thread rule: confined to one thread. Source of the behaviour: H5Dread_multi in H5D.c.
 */
public final class MultiRead {

  private final MultiParts<Filling, DatasetOperation.Read> parts;

  MultiRead(OpenFile file) {
    this.parts = new MultiParts<>(file);
  }

  /**
   * Collects the work that follows the transfer: {@code filled} completes when the elements have
   * been read, and each of {@code ended} when a part has been converted into the caller's memory.
   */
  private static final class Filling {
    final CompletableFuture<Void> filled = new CompletableFuture<>();
    final List<CompletableFuture<Void>> ended = new ArrayList<>();

    /**
     * Returns the read that a part of a dataset needs; {@code part} gives it to the function that
     * it is passed.
     */
    DatasetOperation.Read of(Dataset dataset, Part part) {
      DatasetOperation.Read[] made = new DatasetOperation.Read[1];
      CompletableFuture<Void> converted =
          part.into(read -> {
            made[0] = read;
            return filled;
          });
      ended.add(H5Object.named(converted, dataset::place));
      return made[0];
    }
  }

  /** A part of the transfer, which passes its read to a function. */
  @FunctionalInterface
  private interface Part {
    CompletableFuture<Void> into(Function<DatasetOperation.Read, CompletableFuture<Void>> reader);
  }

  /**
   * Adds all elements of a dataset.
   *
   * @param dataset a dataset of the file
   * @param target receives the values: an array, a buffer, a segment or a {@link Memory}
   * @return this
   */
  public MultiRead read(Dataset dataset, Object target) {
    return read(dataset, Selection.all(), target);
  }

  /**
   * Adds the selected elements of a dataset.
   *
   * @param dataset a dataset of the file
   * @param selection the elements that are meant
   * @param target receives the values, in the selection's shape or flat
   * @return this
   */
  public MultiRead read(Dataset dataset, Selection selection, Object target) {
    parts.add(
        dataset,
        target,
        (options, filling) ->
            filling.of(
                dataset,
                reader -> dataset.transfers().readInto(selection, target, options, reader)));
    return this;
  }

  /**
   * Adds a slice, or fields of it.
   *
   * @param slice a part of a dataset of the file
   * @param target receives the values, in the slice's shape or flat
   * @return this
   */
  public MultiRead read(Slice slice, Object target) {
    Arguments.require(slice, "slice", "a Slice of a dataset");
    DatasetTransfers transfers = slice.dataset().transfers();
    parts.add(
        slice.dataset(),
        target,
        (options, filling) ->
            filling.of(
                slice.dataset(),
                reader ->
                    slice.readInto(
                        target,
                        memory -> transfers.readInto(slice.selection(), memory, options, reader))));
    return this;
  }

  /**
   * Sets how the elements are moved, all of them.
   *
   * @param options collective or not, and hints
   * @return this
   */
  public MultiRead options(TransferOptions options) {
    parts.options(options);
    return this;
  }

  /**
   * Reads all parts and waits until that is done. Without parts it does nothing.
   *
   * @throws org.hyperslab.error.InvalidUseException if a shape or a selection does not fit; or if a
   *     number is out of its Java type's range: then the memory's contents are undefined
   * @throws org.hyperslab.error.HyperslabException if reading fails
   */
  public void run() {
    Filling filling = new Filling();
    CompletableFuture<Void> read = submit(filling);
    try {
      // Converted by this thread, because the memory may be confined to it.
      parts.await(read);
      filling.filled.complete(null);
    } catch (RuntimeException | Error failure) {
      filling.filled.completeExceptionally(failure);
      throw failure;
    }
    parts.await(ended(filling));
  }

  /**
   * Reads all parts, without waiting.
   *
   * @return a future that completes when all memory is filled, or with the failure
   */
  public CompletableFuture<Void> runAsync() {
    Filling filling = new Filling();
    return parts.started(() -> submitted(filling));
  }

  private CompletableFuture<Void> submitted(Filling filling) {
    return submit(filling)
        .handle((done, failure) -> {
          if (failure == null) {
            filling.filled.complete(null);
          } else {
            filling.filled.completeExceptionally(Connectors.causeOf(failure));
          }
          return filling;
        })
        .thenCompose(MultiRead::ended);
  }

  private CompletableFuture<Void> submit(Filling filling) {
    try {
      List<DatasetOperation.Read> reads = parts.make(filling);
      return reads.isEmpty()
          ? CompletableFuture.completedFuture(null)
          : parts.file().submit(new DatasetOperation.ReadMulti(reads));
    } catch (RuntimeException | Error failure) {
      filling.filled.completeExceptionally(failure); // gives pooled memory back
      throw failure;
    }
  }

  private static CompletableFuture<Void> ended(Filling filling) {
    return CompletableFuture.allOf(filling.ended.toArray(CompletableFuture<?>[]::new));
  }
}
