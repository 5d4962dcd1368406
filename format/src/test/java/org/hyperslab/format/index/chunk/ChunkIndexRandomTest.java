package org.hyperslab.format.index.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexKind;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Compares random insertions, replacements and removals in every kind of index with a map. After
 * each batch the index is encoded, discarded and decoded. Replay with -Dhyperslab.seed=N.
 */
final class ChunkIndexRandomTest {

  private static final int BATCHES = 12;
  private static final int EDITS = 150;

  private final long seed = Seeds.draw();

  @TestFactory
  Stream<DynamicTest> behavesAsAMap() {
    List<DynamicTest> tests = new ArrayList<>();
    for (int rank : new int[] {1, 2, 3, 4, 5, 32}) {
      for (boolean filtered : new boolean[] {false, true}) {
        for (int version : new int[] {4, 5}) {
          addKinds(tests, rank, filtered, version);
        }
      }
    }
    return tests.stream();
  }

  private void addKinds(List<DynamicTest> tests, int rank, boolean filtered, int version) {
    add(tests, ChunkIndexKind.BTREE_V1, rank, filtered, version);
    add(tests, ChunkIndexKind.FIXED_ARRAY, rank, filtered, version);
    add(tests, ChunkIndexKind.EXTENSIBLE_ARRAY, rank, filtered, version);
    if (rank > 1) {
      add(tests, ChunkIndexKind.BTREE_V2, rank, filtered, version);
    }
  }

  private void add(
      List<DynamicTest> tests, ChunkIndexKind kind, int rank, boolean filtered, int version) {
    String name =
        kind
            + " rank "
            + rank
            + (filtered ? " filtered" : "")
            + " layout "
            + version
            + " seed "
            + seed;
    tests.add(
        DynamicTest.dynamicTest(
            name, () -> new Run(kind, rank, filtered, version, new Random(seed)).run()));
  }

  /** One index, its model, and what edits them. */
  private static final class Run {
    private final Random random;
    private final ChunkGrid grid;
    private final ChunkIndexSpec spec;
    private final int[] order;
    private final TreeMap<List<Long>, ChunkLocation> model = new TreeMap<>(this::compare);
    private MemoryMetadataSpace space;
    private ChunkIndex index;
    private long nextAddress = 1L << 20;

    Run(ChunkIndexKind kind, int rank, boolean filtered, int version, Random random) {
      this.random = random;
      int offsetBytes = random.nextInt(4) == 0 ? 4 : 8;
      space = new MemoryMetadataSpace(new FileGeometry("random", offsetBytes, 8));
      grid = grid(kind, rank, filtered, version);
      spec = spec(kind);
      order = order();
      index = ChunkIndex.open(space, grid, spec, FileGeometry.UNDEFINED);
    }

    private ChunkGrid grid(ChunkIndexKind kind, int rank, boolean filtered, int version) {
      long[] dims = new long[rank];
      long[] maxDims = new long[rank];
      long[] chunk = new long[rank];
      int unlimited = random.nextInt(rank);
      for (int d = 0; d < rank; d++) {
        chunk[d] = rank > 5 ? 1 + random.nextInt(2) : 1 + random.nextInt(7);
        long chunks = rank > 5 ? 1 + random.nextInt(2) : 1 + random.nextInt(4000 / pow(rank));
        maxDims[d] = Math.max(1, chunks * chunk[d] - random.nextInt((int) chunk[d]));
        dims[d] = random.nextLong(maxDims[d] + 1);
      }
      if (rank > 5) {
        for (int d = 8; d < rank; d++) {
          maxDims[d] = 1;
          dims[d] = 1;
        }
      }
      switch (kind) {
        case BTREE_V1, EXTENSIBLE_ARRAY -> maxDims[unlimited] = ChunkGrid.UNLIMITED;
        case BTREE_V2 -> {
          maxDims[unlimited] = ChunkGrid.UNLIMITED;
          maxDims[(unlimited + 1) % rank] = ChunkGrid.UNLIMITED;
        }
        case FIXED_ARRAY, SINGLE, IMPLICIT -> {}
      }
      int element = 1 + random.nextInt(16);
      int layout = kind == ChunkIndexKind.BTREE_V1 ? 3 : version;
      return new ChunkGrid(dims, maxDims, chunk, element, filtered, layout);
    }

    private static int pow(int rank) {
      return new int[] {0, 1, 60, 250, 500, 800}[rank];
    }

    private ChunkIndexSpec spec(ChunkIndexKind kind) {
      if (random.nextBoolean()) {
        return ChunkIndexSpec.standard(kind);
      }
      return switch (kind) {
        case BTREE_V1 -> new ChunkIndexSpec.BTreeV1(2 + random.nextInt(5));
        case FIXED_ARRAY -> new ChunkIndexSpec.FixedArray(1 + random.nextInt(6));
        case EXTENSIBLE_ARRAY ->
            new ChunkIndexSpec.ExtensibleArray(
                32, random.nextInt(8), 2 << random.nextInt(2), 1 << random.nextInt(3), 5);
        case BTREE_V2 -> new ChunkIndexSpec.BTreeV2(grid.rank() > 5 ? 4096 : 512, 100, 40);
        case SINGLE, IMPLICIT -> ChunkIndexSpec.standard(kind);
      };
    }

    private int[] order() {
      int unlimited = -1;
      for (int d = 0; d < grid.rank(); d++) {
        if (grid.maxDims()[d] == ChunkGrid.UNLIMITED) {
          unlimited = d;
        }
      }
      int front = spec.kind() == ChunkIndexKind.EXTENSIBLE_ARRAY ? unlimited : 0;
      int[] order = new int[grid.rank()];
      order[0] = front;
      int next = 1;
      for (int d = 0; d < grid.rank(); d++) {
        if (d != front) {
          order[next++] = d;
        }
      }
      return order;
    }

    private int compare(List<Long> a, List<Long> b) {
      for (int d : order) {
        int result = Long.compare(a.get(d), b.get(d));
        if (result != 0) {
          return result;
        }
      }
      return 0;
    }

    void run() {
      for (int batch = 0; batch < BATCHES; batch++) {
        int mode = random.nextInt(4);
        for (int i = 0; i < EDITS; i++) {
          edit(mode);
        }
        checkAll();
        reload();
        checkAll();
      }
      if (random.nextBoolean()) {
        for (List<Long> key : List.copyOf(model.keySet())) {
          assertThat(index.remove(array(key))).isEqualTo(model.remove(key));
        }
        checkAll();
        put(coordinates(), location());
        checkAll();
      }
      index.delete();
      assertThat(space.allocatedBytes()).isZero();
      assertThat(index.rootAddress()).isEqualTo(FileGeometry.UNDEFINED);
      assertThat(index.find(coordinates())).isEqualTo(ChunkLocation.NONE);
    }

    private void edit(int mode) {
      boolean remove = random.nextInt(10) < (mode == 3 ? 7 : 2) && !model.isEmpty();
      if (remove) {
        long[] scaled = random.nextInt(5) == 0 ? coordinates() : known();
        ChunkLocation was = model.remove(list(scaled));
        assertThat(index.remove(scaled)).isEqualTo(was == null ? ChunkLocation.NONE : was);
      } else if (mode == 1 && !model.isEmpty()) {
        put(successor(), location());
      } else {
        put(random.nextInt(4) == 0 && !model.isEmpty() ? known() : coordinates(), location());
      }
      long[] probe = coordinates();
      assertThat(index.find(probe)).isEqualTo(model.getOrDefault(list(probe), ChunkLocation.NONE));
    }

    private void put(long[] scaled, ChunkLocation location) {
      long before = index.rootAddress();
      boolean changed = index.put(scaled, location);
      assertThat(changed).isEqualTo(before != index.rootAddress());
      model.put(list(scaled), location);
      assertThat(index.find(scaled)).isEqualTo(location);
    }

    private long[] coordinates() {
      long[] scaled = new long[grid.rank()];
      for (int d = 0; d < scaled.length; d++) {
        long count = grid.maxDims()[d] == ChunkGrid.UNLIMITED ? 50 : grid.maximumChunks(d);
        scaled[d] = random.nextLong(count);
      }
      return scaled;
    }

    private long[] known() {
      List<Long> probe = list(coordinates());
      List<Long> key = model.ceilingKey(probe);
      return array(key == null ? model.lastKey() : key);
    }

    /** The chunk after the last in index order. */
    private long[] successor() {
      long[] scaled = array(model.lastKey());
      for (int i = order.length - 1; i >= 0; i--) {
        int d = order[i];
        if (scaled[d] + 1 < grid.maximumChunks(d)) {
          scaled[d]++;
          return scaled;
        }
        scaled[d] = 0;
      }
      return coordinates();
    }

    private ChunkLocation location() {
      long address = nextAddress;
      nextAddress += 4096;
      return grid.filtered()
          ? new ChunkLocation(address, random.nextLong(grid.chunkBytes() + 10), random.nextInt())
          : new ChunkLocation(address, grid.chunkBytes(), 0);
    }

    private void reload() {
      if (random.nextBoolean()) {
        space.evict();
      } else {
        MemoryMetadataSpace next = new MemoryMetadataSpace(space.geometry(), space.toByteArray());
        if (random.nextInt(3) == 0) {
          assertThat(count(ChunkIndex.open(next, grid, spec, index.rootAddress())))
              .isEqualTo(model.size());
        }
        space.evict();
      }
      index = ChunkIndex.open(space, grid, spec, index.rootAddress());
    }

    private static int count(ChunkIndex index) {
      int[] count = new int[1];
      index.forEach((scaled, location) -> {
        count[0]++;
        return true;
      });
      return count[0];
    }

    private void checkAll() {
      List<Map.Entry<List<Long>, ChunkLocation>> visited = new ArrayList<>();
      index.forEach((scaled, location) -> {
        visited.add(Map.entry(list(scaled), location));
        return true;
      });
      if (!visited.equals(List.copyOf(model.entrySet()))) {
        assertThat(visited).as("seed printed in the name").hasSameSizeAs(model.entrySet());
        assertThat(visited).isEqualTo(List.copyOf(model.entrySet()));
      }
      for (Map.Entry<List<Long>, ChunkLocation> entry : model.entrySet()) {
        assertThat(index.find(array(entry.getKey()))).isEqualTo(entry.getValue());
      }
      assertThat(index.metadataBytes()).isEqualTo(space.allocatedBytes());
    }

    private static List<Long> list(long[] scaled) {
      return Arrays.stream(scaled).boxed().toList();
    }

    private static long[] array(List<Long> key) {
      return key.stream().mapToLong(Long::longValue).toArray();
    }
  }
}
