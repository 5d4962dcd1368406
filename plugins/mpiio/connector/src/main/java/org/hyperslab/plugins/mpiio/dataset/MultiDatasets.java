package org.hyperslab.plugins.mpiio.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.plugins.mpiio.dataset.OpenHandles.Opened;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.MultiTransfers;

/** The parts of a transfer of several datasets. */
public final class MultiDatasets {

  private MultiDatasets() {}

  /** Returns the datasets of all parts, which must be open, for editing if they are written. */
  public static List<ParallelDataset> datasets(DatasetOperation.Multi multi, OpenHandles handles) {
    List<ParallelDataset> datasets = new ArrayList<>();
    each(
        multi,
        part -> {
          Opened opened =
              multi.edits()
                  ? handles.requireWritable(part.subject())
                  : handles.requireDataset(part.subject());
          datasets.add(opened.dataset());
        });
    return datasets;
  }

  /** Requires of each part that its selections lie within its dataset. */
  static void requireFits(DatasetOperation.Multi multi, List<ParallelDataset> datasets) {
    for (int i = 0; i < datasets.size(); i++) {
      DatasetInfo info = datasets.get(i).describe();
      MultiTransfers.requireFits(multi, i, info.type(), info.space());
    }
  }

  /** Calls an action for each part; a failure names the part. */
  public static void each(DatasetOperation.Multi multi, Consumer<DatasetOperation<Void>> action) {
    for (int i = 0; i < multi.parts().size(); i++) {
      DatasetOperation<Void> part = multi.parts().get(i);
      MultiTransfers.located(multi, i, () -> action.accept(part));
    }
  }
}
