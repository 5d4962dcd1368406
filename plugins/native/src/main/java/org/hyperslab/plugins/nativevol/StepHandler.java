package org.hyperslab.plugins.nativevol;

import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.plugins.nativevol.step.StepLedger;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.StepOperation;

/**
 * Carries out operations on steps, and keeps writes out of published ones.
 *
 * <p>Thread rule: any thread.
 */
final class StepHandler {

  private final HandleTable handles;

  StepHandler(HandleTable handles) {
    this.handles = handles;
  }

  /** Carries out an operation and returns its result, or null if it has none. */
  Object execute(StepOperation<?> operation) {
    OpenObject object = handles.require(operation.file());
    StepLedger steps = object.objects().steps();
    if (operation.edits()) {
      Locator.requireWritable(object);
    }
    return switch (operation) {
      case StepOperation.Start start -> steps.start(start);
      case StepOperation.Publish publish -> steps.publish(publish);
      case StepOperation.Next next -> steps.next(next);
      case StepOperation.Leave leave -> {
        steps.leave(leave.file().id(), leave.follower());
        yield null;
      }
    };
  }

  /** Requires that no published step has the elements that a transfer writes. */
  static void requireUnpublished(OpenObject dataset, Transfer transfer) {
    StepLedger steps = dataset.objects().steps();
    if (steps.isStarted()) {
      Dataspace space =
          dataset
              .objects()
              .file()
              .read(() -> dataset.objects().datasets().at(dataset.address()).description().space());
      steps.requireUnpublished(dataset.address(), firstRow(transfer.fileSelection(), space));
    }
  }

  private static long firstRow(Selection selection, Dataspace space) {
    long[] dims = space.dims();
    return dims.length == 0 || selection.elementCount(dims) == 0
        ? Long.MAX_VALUE
        : selection.bounds(dims).low(0);
  }

  /** Requires that a dataset grows by steps, if they are started. */
  static void requireGrowing(OpenObject dataset) {
    dataset.objects().steps().requireUnpublished(dataset.address(), Long.MAX_VALUE);
  }
}
