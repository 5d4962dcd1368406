package org.hyperslab.spark.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.Dataset;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.spark.table.OpenSource;
import org.hyperslab.spark.table.Reading;
import org.hyperslab.spark.table.TableColumn;

/**
 * The elements of datasets as batches of rows: each unit is read at once and handed on in batches.
 *
 * <p>Thread rule: one thread.
 */
final class ElementBatches extends TableBatches {

  private final Map<Integer, UnitAxis> axes = new LinkedHashMap<>();
  private final List<VariableColumns> variables = new ArrayList<>();
  private int openedFile = -1;
  private int next;
  private int end;

  /** The columns that come from one dataset. */
  private static final class VariableColumns {
    private final int variable;
    private final List<Integer> columns = new ArrayList<>();
    private StructType fields = new StructType();
    private Dataset dataset;
    private Reading reading;

    private VariableColumns(int variable) {
      this.variable = variable;
    }
  }

  ElementBatches(UnitSequence units, ScanTask task) {
    super(units, task);
    Map<Integer, VariableColumns> byVariable = new LinkedHashMap<>();
    StructField[] fields = task.schema().fields();
    for (int i = 0; i < fields.length; i++) {
      switch (task.columns().get(i)) {
        case TableColumn.Value value -> {
          VariableColumns columns =
              byVariable.computeIfAbsent(value.variable(), VariableColumns::new);
          columns.columns.add(i);
          if (value.field() != null) {
            columns.fields =
                columns.fields.add(value.field(), fields[i].dataType(), fields[i].nullable());
          }
        }
        case TableColumn.FileName _ -> {}
        case TableColumn column ->
            axes.put(i, new UnitAxis(column, fields[i].dataType(), task.decode()));
      }
    }
    variables.addAll(byVariable.values());
  }

  @Override
  public boolean next() {
    while (next >= end) {
      if (!units.next()) {
        return false;
      }
      load();
    }
    int rows = Math.min(BatchVectors.ROWS, end - next);
    vectors.reset(units.opened().name());
    for (Map.Entry<Integer, UnitAxis> axis : axes.entrySet()) {
      axis.getValue().fill(next, rows, vectors.vector(axis.getKey()));
    }
    for (VariableColumns each : variables) {
      for (int i = 0; i < each.columns.size(); i++) {
        int column = each.columns.get(i);
        if (each.fields.isEmpty()) {
          each.reading.fill(next, rows, vectors.vector(column), 0);
        } else {
          each.reading.fillField(i, next, rows, vectors.vector(column), 0);
        }
      }
    }
    next += rows;
    batch = vectors.batch(rows);
    return true;
  }

  /** Reads a unit. */
  private void load() {
    IndexSet[] indices = units.indices();
    long all = 1;
    for (IndexSet each : indices) {
      all = Math.multiplyExact(all, each.count());
    }
    next = units.skip();
    end = next + units.take(all);
    String variable = "";
    try {
      open();
      axes.values().forEach(axis -> axis.load(units));
      Selection selection = units.part().units().selection(indices);
      for (VariableColumns each : variables) {
        variable = each.dataset.path();
        each.reading.read(selection, Math.toIntExact(all));
      }
    } catch (HyperslabException failure) {
      units.failed(failure, variable, damagedChunk(variable));
      end = next;
    }
  }

  /** Returns the first element of the first chunk of the unit that cannot be read. */
  private long[] damagedChunk(String variable) {
    for (VariableColumns each : variables) {
      if (each.dataset == null || !each.dataset.path().equals(variable)) {
        continue;
      }
      for (IndexSet[] chunk : units.chunks()) {
        try {
          long count = 1;
          for (IndexSet indices : chunk) {
            count *= indices.count();
          }
          each.reading.read(units.part().units().selection(chunk), Math.toIntExact(count));
        } catch (HyperslabException damaged) {
          return Arrays.stream(chunk).mapToLong(IndexSet::first).toArray();
        }
      }
    }
    return units.origin();
  }

  private void open() {
    if (openedFile == units.file()) {
      return;
    }
    closeDatasets();
    OpenSource opened = units.opened();
    for (VariableColumns each : variables) {
      String path = task.variables().get(each.variable).path();
      each.dataset = opened.file().dataset(path);
      each.reading =
          each.fields.isEmpty()
              ? whole(each, opened)
              : Reading.fields(each.dataset, each.fields, opened.name());
    }
    openedFile = units.file();
  }

  /** Returns the reading of a column, whose struct may lack fields that the query does not need. */
  private Reading whole(VariableColumns each, OpenSource opened) {
    Reading reading = Reading.whole(each.dataset, task.decode(), opened.name());
    StructField field = task.schema().fields()[each.columns.getFirst()];
    boolean isPruned =
        field.dataType() instanceof StructType wanted
            && !wanted.sameType(reading.filler().sparkType());
    return isPruned
        ? Reading.fields(each.dataset, (StructType) field.dataType(), opened.name())
        : reading;
  }

  @Override
  void closeDatasets() {
    for (VariableColumns each : variables) {
      if (each.dataset != null) {
        each.dataset.close();
        each.dataset = null;
      }
    }
    openedFile = -1;
  }
}
