package org.hyperslab.examples.flashio;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;

/**
 * Writes one file: all datasets are created first, by all ranks together as in the original; then
 * each rank writes its rows of blocks, all at once or in turn.
 *
 * <p>No call waits for the one before: a connector that ships operations elsewhere has a whole
 * checkpoint under way, as long as its values take no more than {@link #MOST_BYTES}.
 */
final class FlashWriter {

  /** Variables taken out of the guarded array in one pass: with all of them it is read once. */
  private static final int TOGETHER = FlashMesh.VARIABLES.size();

  /** Bytes of values under way; beyond that the oldest write is waited for. */
  private static final long MOST_BYTES = 128L << 20;

  private final FlashMesh mesh;
  private final FlashPart part;
  private final FlashBlocks blocks;
  private final FlashFile kind;
  private final FlashProgress progress;
  private final String task;
  private final Map<String, Dataset> datasets = new HashMap<>();
  private final List<CompletableFuture<?>> calls = new ArrayList<>();
  private final Deque<Lent> lent = new ArrayDeque<>();
  private long lentBytes;
  private long doneBytes;

  /** Values that a write under way still reads, and what they take. */
  private record Lent(Object values, long bytes, CompletableFuture<Void> write) {}

  FlashWriter(FlashPart part, FlashBlocks blocks, FlashFile kind, FlashProgress progress) {
    this.mesh = part.mesh();
    this.part = part;
    this.blocks = blocks;
    this.kind = kind;
    this.progress = progress;
    this.task = "writing " + kind.fileName();
  }

  /** Has everything written into a file just created, without waiting for it. */
  void write(H5File file) {
    for (FlashHeader.Entry entry : FlashHeader.of(kind, mesh)) {
      Dataset dataset = create(file, entry.name(), entry.type(), entry.space());
      if (part.first() == 0) {
        calls.add(dataset.writeAsync(entry.elements()));
      }
    }
    for (FlashField field : FlashField.tree(kind)) {
      create(file, field.name(), field.type(), field.space(mesh));
    }
    for (String variable : kind.variables()) {
      create(file, variable, valueType(), valueSpace());
    }
    for (int rank = part.first(); rank < part.end(); rank++) {
      writeRank(rank);
    }
  }

  private Dataset create(H5File file, String name, Datatype type, Dataspace space) {
    Dataset dataset = file.root().createDatasetAsync(name, type, space, DatasetOptions.DEFAULT);
    calls.add(dataset.opened());
    datasets.put(name, dataset);
    return dataset;
  }

  /**
   * Waits until everything is written.
   *
   * @throws org.hyperslab.error.HyperslabException what the first call failed with that failed
   */
  void await() {
    for (CompletableFuture<?> call : calls) {
      try {
        call.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException failure ? failure : e;
      }
    }
    calls.clear();
  }

  private void writeRank(int rank) {
    blocks.become(rank);
    for (FlashField field : FlashField.tree(kind)) {
      calls.add(
          datasets
              .get(field.name())
              .writeAsync(field.rows(mesh, rank), field.elements(mesh, rank), part.transfer()));
    }
    List<String> names = kind.variables();
    for (int first = 0; first < names.size(); first += TOGETHER) {
      writeVariables(rank, names.subList(first, Math.min(names.size(), first + TOGETHER)));
    }
  }

  private void writeVariables(int rank, List<String> names) {
    int values = blocks.valueCount(kind);
    Object[] elements = new Object[names.size()];
    Arrays.setAll(elements, i -> buffer(values));
    blocks.take(kind, names.stream().mapToInt(FlashMesh.VARIABLES::indexOf).toArray(), elements);
    for (int i = 0; i < elements.length; i++) {
      var write = datasets.get(names.get(i)).writeAsync(rows(rank), elements[i], part.transfer());
      calls.add(write);
      lend(elements[i], write);
      doneBytes += bytes(values);
      progress.advanced(task, doneBytes, totalBytes());
    }
  }

  private long bytes(int values) {
    return (long) values * valueType().size();
  }

  private void lend(Object elements, CompletableFuture<Void> write) {
    long bytes = bytes(Array.getLength(elements));
    lent.add(new Lent(elements, bytes, write));
    lentBytes += bytes;
  }

  /** An array that nobody reads any more, or a new one if there may be more of them. */
  private Object buffer(int values) {
    Object free = null;
    while (!lent.isEmpty()
        && free == null
        && (lent.peek().write().isDone() || lentBytes + bytes(values) > MOST_BYTES)) {
      Lent oldest = lent.remove();
      oldest.write().handle((done, failure) -> null).join();
      lentBytes -= oldest.bytes();
      free = Array.getLength(oldest.values()) == values ? oldest.values() : null;
    }
    if (free != null) {
      return free;
    }
    return kind.isDoublePrecision() ? new double[values] : new float[values];
  }

  private Datatype valueType() {
    return kind.isDoublePrecision() ? Datatypes.F64LE : Datatypes.F32LE;
  }

  private Dataspace valueSpace() {
    int edge = kind.edge();
    return Dataspace.simple(mesh.totalBlocks(), edge, edge, edge);
  }

  private Selection rows(int rank) {
    int edge = kind.edge();
    return Selection.box(
        new long[] {mesh.firstBlock(rank), 0, 0, 0},
        new long[] {mesh.blocks(rank), edge, edge, edge});
  }

  /** Of this part. */
  private long totalBytes() {
    long edge = kind.edge();
    return part.blocks() * edge * edge * edge * valueType().size() * kind.variables().size();
  }
}
