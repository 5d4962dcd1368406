package org.hyperslab.examples.flashio;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.TransferOptions;

/**
 * Writes one file as {@link FlashWriter} does, but submits all requests before waiting for any,
 * like ranks that pass their data to staging servers. The elements are prepared before: variable i
 * is i everywhere, so those of all ranks are equal. The property {@code client} of a request names
 * its rank.
 *
 * <p>Thread rule: confined to one thread.
 */
final class FlashStaging implements AutoCloseable {

  private final FlashMesh mesh;
  private final FlashFile kind;
  private final Arena arena = Arena.ofShared();
  private final Map<String, MemorySegment> elements = new HashMap<>();
  private final List<CompletableFuture<Void>> calls = new ArrayList<>();

  /** Prepares the elements. */
  FlashStaging(FlashMesh mesh, FlashFile kind) {
    this.mesh = mesh;
    this.kind = kind;
    int most = 0;
    for (int rank = 0; rank < Math.min(3, mesh.ranks()); rank++) {
      most = Math.max(most, mesh.blocks(rank));
    }
    int values = most * kind.edge() * kind.edge() * kind.edge();
    for (String name : kind.variables()) {
      int value = FlashMesh.VARIABLES.indexOf(name) + 1;
      elements.put(name, filled(valueType(), values, value));
    }
    for (FlashField field : FlashField.tree(kind)) {
      int count = most * field.perBlock().stream().reduce(1, Math::multiplyExact);
      elements.put(field.name(), filled(field.type(), count, field.value()));
    }
  }

  private MemorySegment filled(Datatype type, int count, double value) {
    MemorySegment segment = arena.allocate((long) count * type.size(), 64);
    for (int i = 0; i < count; i++) {
      if (type.equals(Datatypes.F64LE)) {
        segment.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
      } else if (type.equals(Datatypes.F32LE)) {
        segment.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) value);
      } else {
        segment.setAtIndex(ValueLayout.JAVA_INT, i, (int) value);
      }
    }
    return segment;
  }

  private Datatype valueType() {
    return kind.isDoublePrecision() ? Datatypes.F64LE : Datatypes.F32LE;
  }

  /** Returns the number of requests for raw data. */
  long requests() {
    long perRank = (long) FlashField.tree(kind).size() + kind.variables().size();
    return FlashHeader.of(kind, mesh).size() + perRank * mesh.ranks();
  }

  /** Writes everything into a new file. Returns when all writes have been applied. */
  void write(H5File file) {
    for (FlashHeader.Entry entry : FlashHeader.of(kind, mesh)) {
      Dataset dataset = create(file, entry.name(), entry.type(), entry.space());
      calls.add(dataset.writeAsync(entry.elements()));
    }
    for (FlashField field : FlashField.tree(kind)) {
      Dataset dataset = create(file, field.name(), field.type(), field.space(mesh));
      long[] perBlock = field.perBlock().stream().mapToLong(Integer::longValue).toArray();
      writeRanks(dataset, field.name(), field.type(), perBlock);
    }
    long edge = kind.edge();
    for (String variable : kind.variables()) {
      Dataset dataset =
          create(
              file, variable, valueType(), Dataspace.simple(mesh.totalBlocks(), edge, edge, edge));
      writeRanks(dataset, variable, valueType(), edge, edge, edge);
    }
    calls.forEach(CompletableFuture::join);
  }

  private static Dataset create(H5File file, String name, Datatype type, Dataspace space) {
    return file.root().datasetBuilder(name).type(type).space(space).createAsync();
  }

  private void writeRanks(Dataset dataset, String name, Datatype type, long... perBlock) {
    for (int rank = 0; rank < mesh.ranks(); rank++) {
      long[] start = new long[1 + perBlock.length];
      start[0] = mesh.firstBlock(rank);
      long[] shape = new long[1 + perBlock.length];
      shape[0] = mesh.blocks(rank);
      System.arraycopy(perBlock, 0, shape, 1, perBlock.length);
      long count = Arrays.stream(shape).reduce(1, Math::multiplyExact);
      Memory memory = Memory.of(elements.get(name).asSlice(0, count * type.size()), type, shape);
      TransferOptions options =
          TransferOptions.DEFAULT.withProperty("client", Integer.toString(rank));
      calls.add(dataset.writeAsync(Selection.box(start, shape), memory, options));
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
