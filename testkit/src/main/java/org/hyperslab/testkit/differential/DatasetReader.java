package org.hyperslab.testkit.differential;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.differential.ModelObject.ModelDataset;

/**
 * A reader that supports part of the format. A dataset that it refuses is skipped; a dataset that
 * it reads must be right.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DatasetReader {

  private final Session session;
  private int read;

  DatasetReader(Session session) {
    this.session = session;
  }

  /** Returns the number of datasets read. */
  int readCount() {
    return read;
  }

  /** Returns the first difference between what it reads of a file and the model, if any. */
  Optional<String> problem(Path file, Model model) {
    try (H5File open = session.open(file, OpenOptions.READ)) {
      for (Map.Entry<ModelObject, String> each : model.paths().entrySet()) {
        if (each.getKey() instanceof ModelDataset dataset && isComparable(dataset)) {
          Optional<String> found = problem(open, each.getValue(), dataset);
          if (found.isPresent()) {
            return found;
          }
        }
      }
    } catch (HyperslabException refusal) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  /**
   * Returns whether a dataset can be compared. References are shown as paths, which need objects by
   * address. jHDF changes the bits of some NaNs, reads no UTF-8 in strings marked as ASCII, and
   * reads bytes at another address for missing chunks, which datasets that have grown contain.
   */
  private static boolean isComparable(ModelDataset dataset) {
    boolean chunks = dataset.creation.layout().kind().equals("chunk");
    return dataset.dims != null
        && !(chunks && !dataset.most.equals(Shapes.list(dataset.dims)))
        && Shapes.count(dataset.dims) > 0
        && !dataset.isVirtual()
        && !Json.text(dataset.type.tree()).matches(".*\"(ref|float|ascii)\".*");
  }

  private Optional<String> problem(H5File file, String path, ModelDataset expected) {
    List<Object> actual;
    try (Dataset dataset = file.dataset(path)) {
      Datatype memory = dataset.type().inMemory();
      int count = Math.toIntExact(dataset.elementCount());
      DataBuffer buffer = DataBuffer.allocate(memory, count);
      dataset.readInto(
          Selection.all(), new Memory(memory, dataset.space(), Selection.all(), buffer));
      actual = new HyperslabElements(file, Map.of()).decode(memory, buffer, count);
    } catch (HyperslabException refusal) {
      return Optional.empty();
    }
    read++;
    return Json.text(actual).equals(Json.text(expected.values))
        ? Optional.empty()
        : Optional.of(
            session.connector().name()
                + " reads "
                + path
                + " as\n  actual="
                + Json.text(actual)
                + "\nexpected="
                + Json.text(expected.values));
  }
}
