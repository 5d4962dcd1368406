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
import org.hyperslab.MultiWrite;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;

/**
 * Writes one file: all datasets are created first, by all ranks together as in the original; then
 * each rank writes its rows of blocks, all at once or in turn.
 *
 * <p>No call waits for the one before, so a connector that forwards operations may have a whole
 * checkpoint in flight, up to {@link #MAX_BYTES} of values. A rank's rows of all datasets are
 * written by one call, or by one for each dataset.
 */
final class FlashWriter {

  /**
   * The number of variables extracted from the guarded array in one pass: all, so that it is read
   * once.
   */
  private static final int TOGETHER = FlashMesh.VARIABLES.size();

  /** The greatest number of bytes in flight; beyond that, the oldest write is waited for. */
  private static final long MAX_BYTES = 128L << 20;

  private final FlashMesh mesh;
  private final FlashPart part;
  private final FlashBlocks blocks;
  private final FlashFile kind;
  private final FlashProgress progress;
  private final String task;
  private final boolean together;
  private final Map<String, Dataset> datasets = new HashMap<>();
  private final List<CompletableFuture<?>> calls = new ArrayList<>();
  private final Deque<Lent> lent = new ArrayDeque<>();
  private long lentBytes;
  private long doneBytes;

  /** Values that a pending write still reads, and their size. */
  private record Lent(Object values, long bytes, CompletableFuture<Void> write) {}

  /**
   * Creates a writer of one file.
   *
   * @param together whether a rank's rows of all datasets are written by one call
   */
  FlashWriter(
      FlashPart part,
      FlashBlocks blocks,
      FlashFile kind,
      FlashProgress progress,
      boolean together) {
    this.together = together;
    this.mesh = part.mesh();
    this.part = part;
    this.blocks = blocks;
    this.kind = kind;
    this.progress = progress;
    this.task = "writing " + kind.fileName();
  }

  /** Submits all writes into a new file, without waiting for them. */
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
      writeRank(file, rank);
    }
  }

  private Dataset create(H5File file, String name, Datatype type, Dataspace space) {
    Dataset dataset = file.root().datasetBuilder(name).type(type).space(space).createAsync();
    calls.add(dataset.opened());
    datasets.put(name, dataset);
    return dataset;
  }

  /**
   * Waits until everything is written.
   *
   * @throws org.hyperslab.error.HyperslabException the failure of the first call that failed
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

  private void writeRank(H5File file, int rank) {
    blocks.become(rank);
    List<RowsOf> rows = new ArrayList<>();
    for (FlashField field : FlashField.tree(kind)) {
      Dataset dataset = datasets.get(field.name());
      rows.add(new RowsOf(dataset, field.rows(mesh, rank), field.elements(mesh, rank)));
    }
    List<String> names = kind.variables();
    for (int first = 0; first < names.size(); first += TOGETHER) {
      List<String> some = names.subList(first, Math.min(names.size(), first + TOGETHER));
      Object[] values = take(some);
      for (int i = 0; i < values.length; i++) {
        rows.add(new RowsOf(datasets.get(some.get(i)), rows(rank), values[i]));
      }
      write(file, rows);
      doneBytes += values.length * bytes(Array.getLength(values[0]));
      progress.advanced(task, doneBytes, totalBytes());
      rows.clear();
    }
  }

  /** Extracts the current rank's values of some variables from the guarded array. */
  private Object[] take(List<String> names) {
    int count = blocks.valueCount(kind);
    Object[] values = new Object[names.size()];
    Arrays.setAll(values, i -> buffer(count));
    blocks.take(kind, names.stream().mapToInt(FlashMesh.VARIABLES::indexOf).toArray(), values);
    return values;
  }

  /** A rank's rows of one dataset. */
  private record RowsOf(Dataset dataset, Selection rows, Object elements) {}

  private void write(H5File file, List<RowsOf> all) {
    if (together) {
      MultiWrite write = file.multiWrite().options(part.transfer());
      all.forEach(one -> write.write(one.dataset, one.rows, one.elements));
      CompletableFuture<Void> call = write.runAsync();
      all.forEach(one -> lend(one.elements, call));
      calls.add(call);
      return;
    }
    for (RowsOf one : all) {
      CompletableFuture<Void> call =
          one.dataset.writeAsync(one.rows, one.elements, part.transfer());
      lend(one.elements, call);
      calls.add(call);
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

  /** Returns an array that no pending write uses, or a new one within the limit. */
  private Object buffer(int values) {
    Object free = null;
    while (!lent.isEmpty()
        && free == null
        && (lent.peek().write().isDone() || lentBytes + bytes(values) > MAX_BYTES)) {
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

  /** Returns the number of bytes of this part. */
  private long totalBytes() {
    long edge = kind.edge();
    return part.blocks() * edge * edge * edge * valueType().size() * kind.variables().size();
  }
}
