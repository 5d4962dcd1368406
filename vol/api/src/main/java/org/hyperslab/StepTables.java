package org.hyperslab;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.vol.StepTable;

/**
 * Creates and reads the objects of the table of steps, whose layout {@link StepTable} describes.
 *
 * <p>Thread rule: stateless.
 */
final class StepTables {

  /** The size of a chunk of the table in bytes, about. */
  private static final int CHUNK_BYTES = 1 << 16;

  private StepTables() {}

  /** Returns the paths of the datasets of a file's table; empty if it has no table. */
  static Optional<List<String>> datasets(Group root) {
    if (!root.exists(StepTable.GROUP)) {
      return Optional.empty();
    }
    try (Group group = root.group(StepTable.GROUP)) {
      return Optional.of(List.of(group.attribute(StepTable.DATASETS).read(String[].class)));
    } catch (NotFoundException other) {
      return Optional.empty();
    }
  }

  /**
   * Returns the datasets that steps append to; creates the table of a file that has none.
   *
   * @param wanted the datasets that are asked for; empty for all that can grow
   */
  static List<String> require(Group root, List<String> wanted) {
    Optional<List<String>> known = datasets(root);
    if (known.isPresent()) {
      if (!wanted.isEmpty() && !wanted.equals(known.get())) {
        throw new InvalidUseException(
            "datasets of steps: actual="
                + wanted
                + ", expected="
                + known.get()
                + ", as in the table of the file, at="
                + root.file().name());
      }
      return known.get();
    }
    List<String> datasets = wanted.isEmpty() ? growing(root) : wanted;
    if (datasets.isEmpty() || datasets.size() > StepTable.MOST_DATASETS) {
      throw new InvalidUseException(
          "datasets of steps: actual="
              + datasets.size()
              + " that can grow without limit along dimension 0, expected=1 to "
              + StepTable.MOST_DATASETS
              + ", at="
              + root.file().name());
    }
    create(root, datasets);
    return datasets;
  }

  private static List<String> growing(Group root) {
    List<String> found = new ArrayList<>();
    root.visit((path, object) -> {
      if (object instanceof Dataset dataset
          && !("/" + path).startsWith(StepTable.GROUP + "/")
          && dataset.rank() > 0
          && dataset.space().maxDims()[0] == Dataspace.UNLIMITED
          && dataset.options().layout() instanceof Layout.Chunked) {
        found.add("/" + path);
      }
      return true;
    });
    return found;
  }

  private static void create(Group root, List<String> datasets) {
    long columns = datasets.size();
    try (Group group = root.createGroup(StepTable.GROUP)) {
      group.setAttribute(StepTable.DATASETS, datasets.toArray(String[]::new));
    }
    long rows = Math.max(1, CHUNK_BYTES / (Long.BYTES * columns));
    root.datasetBuilder(StepTable.ROWS)
        .type(Datatypes.I64LE)
        .shape(0, columns)
        .maxShape(Dataspace.UNLIMITED, columns)
        .options(DatasetOptions.chunked(rows, columns).build())
        .create()
        .close();
    root.datasetBuilder(StepTable.STATE)
        .type(Datatypes.I64LE)
        .shape(StepTable.STATE_LENGTH)
        .options(DatasetOptions.builder().allocationTime(AllocationTime.EARLY).build())
        .create()
        .close();
  }
}
