package org.hyperslab;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.MultiTransfers;
import org.jspecify.annotations.Nullable;

/**
 * Collects the parts of a transfer of several datasets and converts them to operations when the
 * transfer runs.
 *
 * <p>Thread rule: confined to one thread.
 *
 * @param <C> the collector of the memory of the parts
 * @param <P> the operations that the parts become
 */
final class MultiParts<C, P> {

  private final OpenFile file;
  private final List<Part<C, P>> parts = new ArrayList<>();
  private TransferOptions options = TransferOptions.DEFAULT;

  private record Part<C, P>(Dataset dataset, BiFunction<TransferOptions, C, P> maker) {}

  MultiParts(OpenFile file) {
    this.file = file;
  }

  OpenFile file() {
    return file;
  }

  TransferOptions options() {
    return options;
  }

  void options(TransferOptions newOptions) {
    options = Arguments.require(newOptions, "options", "TransferOptions");
  }

  /** Adds a part, whose memory must already exist. */
  void add(Dataset dataset, Object memory, BiFunction<TransferOptions, C, P> maker) {
    Arguments.require(dataset, "dataset", "an open Dataset");
    dataset.located(() -> Arguments.require(memory, "memory", "an array, a buffer or a Memory"));
    if (dataset.file() != file) {
      throw new InvalidUseException(
          "transfer of several datasets: actual="
              + dataset.place()
              + ", expected=a dataset opened through this H5File of "
              + file.name());
    }
    parts.add(new Part<>(dataset, maker));
  }

  /** Converts all parts to operations; the error names the dataset. */
  List<P> make(@Nullable C context) {
    if (parts.isEmpty() && options.collective()) {
      throw new InvalidUseException(
          "collective transfer of several datasets: actual=none, expected=the same datasets on "
              + "every rank; pass Selection.none() where a rank transfers no elements");
    }
    List<P> made = new ArrayList<>();
    for (Part<C, P> part : parts) {
      made.add(part.dataset.located(() -> part.maker.apply(options, context)));
    }
    return made;
  }

  /** Waits for the transfer; a failure names the dataset in which it failed, if that is known. */
  void await(CompletableFuture<?> call) {
    try {
      Calls.await(call);
    } catch (HyperslabException failure) {
      throw named(failure);
    }
  }

  /**
   * Starts the transfer. Its future has every failure, which names the dataset in which it
   * occurred, if that is known.
   */
  <R> CompletableFuture<R> started(Supplier<CompletableFuture<R>> call) {
    return named(H5Object.caught(call));
  }

  /** Derives a future whose failure names the dataset in which it occurred, if that is known. */
  <R> CompletableFuture<R> named(CompletableFuture<R> call) {
    List<Part<C, P>> now = List.copyOf(parts);
    return H5Object.renamed(
        call,
        failure ->
            Connectors.causeOf(failure) instanceof HyperslabException typed
                ? named(typed, now)
                : failure);
  }

  private HyperslabException named(HyperslabException failure) {
    return named(failure, parts);
  }

  private static <C, P> HyperslabException named(
      HyperslabException failure, List<Part<C, P>> parts) {
    OptionalInt part = MultiTransfers.part(failure);
    if (part.isEmpty() || part.getAsInt() < 0 || part.getAsInt() >= parts.size()) {
      return failure;
    }
    String place = parts.get(part.getAsInt()).dataset.place();
    return String.valueOf(failure.getMessage()).contains(place)
        ? failure
        : MultiTransfers.with(failure, "; " + place);
  }
}
