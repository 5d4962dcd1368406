package org.hyperslab.vol;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.vol.DatasetOperation.Multi;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * Checks transfers of several datasets, carries them out part by part for connectors that have no
 * combined operation, and identifies the part that failed.
 *
 * <p>Thread rule: no state.
 */
public final class MultiTransfers {

  private static final Pattern PART = Pattern.compile("; part (\\d{1,9}) of \\d{1,9}");

  private MultiTransfers() {}

  /**
   * Submits the parts one after the other, in their order, without waiting for any of them; none
   * after one that has already failed.
   *
   * @param operation the reads or writes
   * @param submit carries out one part
   * @return completes when all parts that were submitted have ended, with the failure of the first
   *     that failed
   */
  public static CompletableFuture<Void> submit(
      Multi operation, Function<DatasetOperation<Void>, CompletionStage<Void>> submit) {
    TrackedFuture<Void> result = new TrackedFuture<>();
    List<? extends DatasetOperation<Void>> parts = operation.parts();
    @Nullable Throwable[] failures = new Throwable[parts.size()];
    AtomicInteger left = new AtomicInteger(parts.size() + 1);
    for (int i = 0; i < parts.size(); i++) {
      int part = i;
      CompletableFuture<Void> future = submitted(parts.get(i), submit);
      if (future instanceof TrackedFuture<Void> tracked) {
        tracked.partOf(result);
      }
      boolean failed = future.isCompletedExceptionally();
      TrackedFuture.watch(
          future,
          (done, failure) -> {
            failures[part] = failure;
            ended(operation, failures, left, result);
          });
      if (failed) {
        left.addAndGet(part + 1 - parts.size());
        break;
      }
    }
    ended(operation, failures, left, result);
    return result;
  }

  /**
   * Submits the parts as {@link #submit} does, after fetching the properties of all datasets and
   * checking every part, so that no element moves if one is wrong.
   *
   * @param operation the reads or writes
   * @param describe fetches the properties of a dataset
   * @param submit carries out one part
   * @return completes as the stage of {@link #submit} does, or with the error of the check
   */
  public static CompletableFuture<Void> checked(
      Multi operation,
      Function<DatasetOperation.Describe, CompletionStage<DatasetInfo>> describe,
      Function<DatasetOperation<Void>, CompletionStage<Void>> submit) {
    List<CompletableFuture<DatasetInfo>> asked =
        operation.parts().stream()
            .map(part -> describe.apply(new DatasetOperation.Describe(part.subject())))
            .map(CompletionStage::toCompletableFuture)
            .toList();
    for (int i = 0; i < asked.size(); i++) {
      try {
        DatasetInfo info = asked.get(i).join();
        requireFits(operation, i, info.type(), info.space());
      } catch (CompletionException | HyperslabException wrong) {
        Throwable cause = Connectors.causeOf(wrong);
        return CompletableFuture.failedFuture(failed(operation, i, cause));
      }
    }
    return submit(operation, submit);
  }

  /** Throws the failure of that part; parts before it may still be in progress. */
  private static CompletableFuture<Void> submitted(
      DatasetOperation<Void> part, Function<DatasetOperation<Void>, CompletionStage<Void>> submit) {
    try {
      return submit.apply(part).toCompletableFuture();
    } catch (RuntimeException thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
  }

  private static void ended(
      Multi operation,
      @Nullable Throwable[] failures,
      AtomicInteger left,
      TrackedFuture<Void> result) {
    if (left.decrementAndGet() > 0) {
      return;
    }
    for (int i = 0; i < failures.length; i++) {
      if (failures[i] != null) {
        result.follow(null, failed(operation, i, Connectors.causeOf(failures[i])));
        return;
      }
    }
    result.follow(null, null);
  }

  /**
   * {@return how the elements of a part move}
   *
   * @param part a read or a write
   */
  public static Transfer transfer(DatasetOperation<Void> part) {
    return part instanceof DatasetOperation.Write write
        ? write.transfer()
        : ((DatasetOperation.Read) part).transfer();
  }

  /**
   * {@return the memory of a part}
   *
   * @param part a read or a write
   */
  public static DataBuffer buffer(DatasetOperation<Void> part) {
    return part instanceof DatasetOperation.Write write
        ? write.source()
        : ((DatasetOperation.Read) part).target();
  }

  /**
   * Checks a part against its dataset: selections, buffer, and whether the types convert.
   *
   * @param operation the reads or writes
   * @param part the index of the part, from 0
   * @param stored the type of the dataset's elements
   * @param extent the dataset's extent now
   * @throws HyperslabException if they do not match; it names the part
   */
  public static void requireFits(Multi operation, int part, Datatype stored, Dataspace extent) {
    DatasetOperation<Void> one = operation.parts().get(part);
    Transfer transfer = transfer(one);
    located(
        operation,
        part,
        () -> {
          transfer.requireFits(extent, buffer(one));
          if (operation.edits()) {
            Converter.between(transfer.memoryType(), stored);
          } else {
            Converter.between(stored, transfer.memoryType());
          }
        });
  }

  /**
   * {@return the failure of a part, with the index of the part}
   *
   * @param operation the reads or writes
   * @param part the index of the part, from 0
   * @param failure what the part failed with
   */
  public static Throwable failed(Multi operation, int part, Throwable failure) {
    return failure instanceof HyperslabException typed && part(typed).isEmpty()
        ? with(typed, "; part " + (part + 1) + " of " + operation.parts().size())
        : failure;
  }

  /**
   * Makes a call for one part and adds the index of the part to its failure.
   *
   * @param operation the reads or writes
   * @param part the index of the part, from 0
   * @param call what is done
   * @throws HyperslabException as thrown by the call, with the index of the part
   */
  public static void located(Multi operation, int part, Runnable call) {
    try {
      call.run();
    } catch (HyperslabException failure) {
      throw (HyperslabException) failed(operation, part, failure);
    }
  }

  /**
   * {@return the index of the part, from 0, that a transfer of several datasets failed in; empty if
   * the failure does not say}
   *
   * @param failure what the transfer failed with
   */
  public static OptionalInt part(HyperslabException failure) {
    Matcher found = PART.matcher(String.valueOf(failure.getMessage()));
    return found.find()
        ? OptionalInt.of(Integer.parseInt(found.group(1)) - 1)
        : OptionalInt.empty();
  }

  /**
   * {@return the failure with more text}
   *
   * @param failure what went wrong
   * @param more what is added to its text
   */
  public static HyperslabException with(HyperslabException failure, String more) {
    return failure.withMessage(failure.getMessage() + more);
  }
}
