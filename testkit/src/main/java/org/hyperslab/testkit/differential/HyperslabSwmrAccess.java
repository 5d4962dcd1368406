package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;

/**
 * This project's writer or reader of a file that is written and read at the same time.
 *
 * <p>Thread rule: confined to one thread.
 */
final class HyperslabSwmrAccess implements SwmrAccess {

  private final H5File file;
  private final Map<String, Dataset> open = new TreeMap<>();

  HyperslabSwmrAccess(H5File file) {
    this.file = file;
  }

  @Override
  public void edit(List<Edit> edits) {
    try {
      edits.forEach(edit -> HyperslabSide.carryOut(file, edit));
      file.flush();
    } catch (HyperslabException failure) {
      throw new Side.Refusal("writing: " + failure, failure);
    }
  }

  @Override
  public List<String> read(List<String> paths) {
    List<String> lines = new ArrayList<>();
    for (String path : paths) {
      try {
        Dataset dataset = open.computeIfAbsent(path, file::dataset);
        dataset.refresh();
        lines.add(Json.text(List.of(path, Shapes.list(dataset.shape()), values(dataset))));
      } catch (HyperslabException failure) {
        throw new Side.Refusal("reading " + path + ": " + failure, failure);
      }
    }
    return lines;
  }

  private List<Object> values(Dataset dataset) {
    Datatype memory = dataset.type().inMemory();
    int count = Math.toIntExact(dataset.elementCount());
    DataBuffer buffer = DataBuffer.allocate(memory, count);
    if (count > 0) {
      dataset.readInto(
          Selection.all(), new Memory(memory, dataset.space(), Selection.all(), buffer));
    }
    return new HyperslabElements(file, Map.of()).decode(memory, buffer, count);
  }

  @Override
  public void close() {
    open.values().forEach(Dataset::close);
    file.close();
  }
}
