package org.hyperslab.spark.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.format.space.Selection;
import org.hyperslab.spark.table.Axis;
import org.hyperslab.spark.table.OpenSource;
import org.hyperslab.spark.table.SourceOptions;
import org.hyperslab.spark.table.TableModel;
import org.hyperslab.spark.table.TablePart;

/**
 * What the conditions of a query leave of each file of a table. No elements of variables are read;
 * coordinates are, once for each file and dimension that a condition is about.
 *
 * <p>Thread rule: one thread.
 */
final class ScanPlan {

  private final TableModel model;
  private final List<TablePart> files;
  private final List<Map<Integer, AxisValues>> coordinates = new ArrayList<>();

  ScanPlan(TableModel model) {
    this.model = model;
    this.files = model.parts();
    files.forEach(_ -> coordinates.add(new HashMap<>()));
  }

  List<TablePart> files() {
    return files;
  }

  /** Returns the coordinates of a dimension of a file. */
  AxisValues coordinates(int file, int axis) {
    return coordinates.get(file).computeIfAbsent(axis, _ -> read(files.get(file), axis));
  }

  private AxisValues read(TablePart file, int axis) {
    try (OpenSource opened = OpenSource.open(file.file(), model.options().properties())) {
      opened.requireUnchanged(file.stamp());
      return AxisValues.of(opened, file.axes().get(axis).coordinate(), model.options().decode());
    }
  }

  /** Returns the indices of each dimension of a file for which all conditions hold. */
  IndexSet[] selected(int file, List<AxisCondition> conditions) {
    List<Axis> axes = files.get(file).axes();
    IndexSet[] selected =
        axes.stream().map(axis -> IndexSet.range(0, axis.length())).toArray(IndexSet[]::new);
    for (AxisCondition condition : conditions) {
      int axis = condition.axis();
      AxisValues values = condition.onCoordinates() ? coordinates(file, axis) : null;
      selected[axis] = selected[axis].and(condition.holds(axes.get(axis).length(), values));
    }
    return selected;
  }

  /** Returns what conditions leave of all files. */
  List<ScanPart> parts(List<AxisCondition> conditions) {
    return IntStream.range(0, files.size()).mapToObj(i -> part(i, conditions)).toList();
  }

  private ScanPart part(int number, List<AxisCondition> conditions) {
    TablePart file = files.get(number);
    IndexSet[] selected = selected(number, conditions);
    if (file.sparse() == null) {
      boolean ofChunks =
          model.options().layout() == SourceOptions.RowLayout.CHUNKS
              || model.options().skipDamaged();
      return new ScanPart(UnitGrid.of(file, selected, ofChunks), null);
    }
    TablePart.Sparse sparse = file.sparse();
    int major = sparse.major();
    IndexSet minor = selected[1 - major];
    boolean isWhole = minor.count() == file.axes().get(1 - major).length();
    IndexSet stored = stored(file, selected[major]);
    TablePart lying =
        new TablePart(
            file.file(),
            file.stamp(),
            List.of(new Axis("stored", sparse.stored(), null)),
            file.chunk(),
            file.isChunked(),
            file.summarized(),
            sparse);
    return new ScanPart(UnitGrid.of(lying, new IndexSet[] {stored}, false), isWhole ? null : minor);
  }

  /** Returns the stored elements of some rows of CSR, or columns of CSC. */
  private IndexSet stored(TablePart file, IndexSet major) {
    TablePart.Sparse sparse = file.sparse();
    if (major.count() == file.axes().get(sparse.major()).length()) {
      return IndexSet.range(0, sparse.stored());
    }
    IndexSet.Ranges found = new IndexSet.Ranges();
    try (OpenSource opened = OpenSource.open(file.file(), model.options().properties());
        Dataset pointers = opened.file().dataset(sparse.group() + "/indptr")) {
      opened.requireUnchanged(file.stamp());
      for (int i = 0; i < major.rangeCount(); i++) {
        long first = major.rangeFirst(i);
        long end = major.rangeEnd(i);
        found.add(
            pointers.readLongs(Selection.box(new long[] {first}, new long[] {1}))[0],
            pointers.readLongs(Selection.box(new long[] {end}, new long[] {1}))[0]);
      }
    }
    return found.toSet();
  }
}
