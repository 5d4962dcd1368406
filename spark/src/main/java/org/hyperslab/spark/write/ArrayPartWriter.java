package org.hyperslab.spark.write;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Selection;

/**
 * The writer of one task: puts rows together to chunks, and stores them, filtered, in a file of its
 * own beside the output. Rows of a chunk follow each other.
 *
 * <p>Thread rule: one thread.
 */
final class ArrayPartWriter implements DataWriter<InternalRow> {

  private final ArrayPlan plan;
  private final Path path;
  private final DataType[] types;
  private final List<byte[]> values = new ArrayList<>();
  private final List<byte[]> empty = new ArrayList<>();
  private final List<Dataset> datasets = new ArrayList<>();
  private final BitSet filled = new BitSet();
  private H5File file;
  private long chunk = -1;

  /**
   * What a task has written.
   *
   * @param part its file; null if it had no rows
   */
  record Written(String part) implements WriterCommitMessage {}

  ArrayPartWriter(ArrayPlan plan, StructType schema, int partition, long task) {
    this.plan = plan;
    this.path = Path.of(plan.folder(), "part-" + partition + "-" + task + ".h5");
    this.types =
        Arrays.stream(schema.fields()).map(field -> field.dataType()).toArray(DataType[]::new);
  }

  private void begin() {
    file = Hdf5.create(path);
    for (int i = 0; i < plan.variables().size(); i++) {
      StoredColumn variable = plan.variables().get(i);
      datasets.add(
          file.datasetBuilder("v" + i)
              .type(variable.type())
              .shape(plan.shape())
              .options(plan.options(variable))
              .create());
      byte[] fill = new byte[Math.multiplyExact(plan.chunkElements(), variable.kind().bytes())];
      for (int element = 0; element < plan.chunkElements(); element++) {
        variable.putFill(fill, element);
      }
      empty.add(fill);
      values.add(fill.clone());
    }
  }

  @Override
  public void write(InternalRow row) {
    if (file == null) {
      begin();
    }
    long number = row.getLong(0);
    if (number != chunk) {
      store();
      chunk = number;
    }
    int element = row.getInt(1);
    if (filled.get(element)) {
      throw new InvalidUseException(
          "rows: actual=two for one element, expected=one, chunk="
              + Arrays.toString(plan.origin(chunk))
              + ", element="
              + element);
    }
    filled.set(element);
    for (int i = 0; i < values.size(); i++) {
      plan.variables().get(i).put(row, i + 2, types[i + 2], values.get(i), element);
    }
  }

  private void store() {
    if (chunk < 0) {
      return;
    }
    long[] origin = plan.origin(chunk);
    long[] count = plan.chunk().clone();
    for (int d = 0; d < count.length; d++) {
      count[d] = Math.min(count[d], plan.shape()[d] - origin[d]);
    }
    Selection inFile = Selection.box(origin, count);
    Selection inMemory = Selection.box(new long[count.length], count);
    for (int i = 0; i < values.size(); i++) {
      Memory memory =
          Memory.of(
                  MemorySegment.ofArray(values.get(i)),
                  plan.variables().get(i).type(),
                  plan.chunk())
              .select(inMemory);
      datasets.get(i).write(inFile, memory);
      System.arraycopy(empty.get(i), 0, values.get(i), 0, values.get(i).length);
    }
    filled.clear();
    chunk = -1;
  }

  @Override
  public WriterCommitMessage commit() {
    store();
    if (file == null) {
      return new Written(null);
    }
    file.close();
    return new Written(path.toString());
  }

  @Override
  public void abort() throws IOException {
    close();
    Files.deleteIfExists(path);
  }

  @Override
  public void close() {
    if (file != null && !file.isClosed()) {
      file.close();
    }
  }
}
