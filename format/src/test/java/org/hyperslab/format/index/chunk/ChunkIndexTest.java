package org.hyperslab.format.index.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexKind;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.metadata.BlockDecoder;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ChunkIndexTest {

  private static final long U = ChunkGrid.UNLIMITED;

  private final MemoryMetadataSpace space = MemoryMetadataSpace.empty();

  private static ChunkGrid grid(ChunkIndexKind kind, boolean filtered) {
    long[] max =
        switch (kind) {
          case SINGLE -> new long[] {4, 6};
          case IMPLICIT, FIXED_ARRAY -> new long[] {100, 50};
          case EXTENSIBLE_ARRAY -> new long[] {100, U};
          case BTREE_V1, BTREE_V2 -> new long[] {U, U};
        };
    long[] dims = kind == ChunkIndexKind.SINGLE ? new long[] {4, 6} : new long[] {20, 30};
    int layout = kind == ChunkIndexKind.BTREE_V1 ? 3 : 4;
    return new ChunkGrid(dims, max, new long[] {4, 6}, 8, filtered, layout);
  }

  private ChunkIndex open(ChunkIndexKind kind, boolean filtered) {
    return ChunkIndex.open(
        space, grid(kind, filtered), ChunkIndexSpec.standard(kind), FileGeometry.UNDEFINED);
  }

  private static ChunkLocation at(long address) {
    return new ChunkLocation(address, 4 * 6 * 8, 0);
  }

  @ParameterizedTest
  @EnumSource(ChunkIndexKind.class)
  void findsNothingWithoutARoot(ChunkIndexKind kind) {
    ChunkIndex index = open(kind, false);
    assertThat(index.find(new long[2])).isEqualTo(ChunkLocation.NONE);
    assertThat(index.rootAddress()).isEqualTo(FileGeometry.UNDEFINED);
    assertThat(index.remove(new long[2])).isEqualTo(ChunkLocation.NONE);
    assertThat(index.metadataBytes()).isZero();
    index.forEach((scaled, location) -> fail());
    index.delete();
    assertThat(space.allocatedBytes()).isZero();
  }

  private static boolean fail() {
    throw new AssertionError("visited");
  }

  @ParameterizedTest
  @EnumSource(
      value = ChunkIndexKind.class,
      names = {"BTREE_V1", "FIXED_ARRAY", "EXTENSIBLE_ARRAY", "BTREE_V2"})
  void keepsAnEmptyRootAcrossReload(ChunkIndexKind kind) {
    ChunkIndex index = open(kind, true);
    assertThat(index.create()).isTrue();
    assertThat(index.create()).isFalse();
    space.evict();
    ChunkIndex again = ChunkIndex.open(space, index.grid(), index.spec(), index.rootAddress());
    assertThat(again.find(new long[2])).isEqualTo(ChunkLocation.NONE);
    again.forEach((scaled, location) -> fail());
    assertThat(again.put(new long[2], new ChunkLocation(5, 7, 1))).isFalse();
    assertThat(again.find(new long[2])).isEqualTo(new ChunkLocation(5, 7, 1));
  }

  @ParameterizedTest
  @EnumSource(ChunkIndexKind.class)
  void stopsOnRequestOfTheVisitor(ChunkIndexKind kind) {
    ChunkIndex index = open(kind, false);
    index.create();
    for (int i = 0; i < (kind == ChunkIndexKind.SINGLE ? 1 : 5); i++) {
      long[] scaled = {0, i};
      index.put(scaled, index.ownsChunkSpace() ? index.find(scaled) : at(1000 + i * 512L));
    }
    int[] visits = new int[1];
    index.forEach((scaled, location) -> ++visits[0] < 3);
    assertThat(visits[0]).isEqualTo(kind == ChunkIndexKind.SINGLE ? 1 : 3);
  }

  @ParameterizedTest
  @EnumSource(ChunkIndexKind.class)
  void refusesChunksBeyondTheMaximumExtent(ChunkIndexKind kind) {
    ChunkIndex index = open(kind, false);
    long[] tooFar = new long[] {Long.MAX_VALUE / 2, 0};
    for (long[] scaled : List.of(tooFar, new long[] {-1, 0}, new long[] {0}, new long[3])) {
      assertThatThrownBy(() -> index.put(scaled, at(64)))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("chunk coordinates: actual=" + Arrays.toString(scaled));
    }
    assertThat(space.allocatedBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = ChunkIndexKind.class,
      names = {"IMPLICIT"},
      mode = EnumSource.Mode.EXCLUDE)
  void refusesLocationsThatItCannotStore(ChunkIndexKind kind) {
    ChunkIndex plain = open(kind, false);
    for (ChunkLocation location :
        List.of(
            ChunkLocation.NONE,
            new ChunkLocation(-7, 192, 0),
            new ChunkLocation(64, 191, 0),
            new ChunkLocation(64, 192, 1))) {
      assertThatThrownBy(() -> plain.put(new long[2], location))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("chunk location: actual=");
    }
    if (kind != ChunkIndexKind.SINGLE) {
      ChunkIndex filtered = open(kind, true);
      long tooLong = 1L << (kind == ChunkIndexKind.BTREE_V1 ? 32 : 16);
      assertThatThrownBy(() -> filtered.put(new long[2], new ChunkLocation(64, tooLong, 0)))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("stored chunk size: actual=" + tooLong);
    }
    assertThat(space.allocatedBytes()).isZero();
  }

  @Test
  void storesWideSizesInLayoutVersionFive() {
    ChunkGrid grid = grid(ChunkIndexKind.FIXED_ARRAY, true);
    ChunkGrid wide = new ChunkGrid(grid.dims(), grid.maxDims(), grid.chunkDims(), 8, true, 5);
    ChunkIndex index =
        ChunkIndex.open(space, wide, new ChunkIndexSpec.FixedArray(10), FileGeometry.UNDEFINED);
    ChunkLocation large = new ChunkLocation(64, 1L << 40, 3);
    index.put(new long[] {24, 8}, large);
    space.evict();
    ChunkIndex again = ChunkIndex.open(space, wide, index.spec(), index.rootAddress());
    assertThat(again.find(new long[] {24, 8})).isEqualTo(large);
  }

  @Test
  void singleChunkReportsItsLocationInSpecAndRoot() {
    ChunkIndex index = open(ChunkIndexKind.SINGLE, true);
    assertThat(index.put(new long[2], new ChunkLocation(640, 17, 2))).isTrue();
    assertThat(index.put(new long[2], new ChunkLocation(640, 17, 2))).isFalse();
    assertThat(index.spec()).isEqualTo(new ChunkIndexSpec.Single(17, 2));
    assertThat(index.rootAddress()).isEqualTo(640);
    assertThat(index.put(new long[2], new ChunkLocation(640, 18, 2))).isTrue();
    assertThat(index.remove(new long[2])).isEqualTo(new ChunkLocation(640, 18, 2));
    assertThat(index.rootAddress()).isEqualTo(FileGeometry.UNDEFINED);
  }

  @Test
  void implicitIndexPlacesAllChunksOfTheMaximumAndVisitsThePresent() {
    ChunkIndex index = open(ChunkIndexKind.IMPLICIT, false);
    assertThat(index.ownsChunkSpace()).isTrue();
    assertThat(index.create()).isTrue();
    long root = index.rootAddress();
    assertThat(space.allocations()).containsEntry(root, 25L * 9 * 192);
    assertThat(index.find(new long[] {24, 8})).isEqualTo(at(root + (25 * 9 - 1) * 192L));
    List<String> visited = new ArrayList<>();
    index.extentChanged(new long[] {5, 7});
    index.forEach((scaled, location) -> visited.add(Arrays.toString(scaled)));
    assertThat(visited).containsExactly("[0, 0]", "[0, 1]", "[1, 0]", "[1, 1]");
    assertThatThrownBy(() -> index.put(new long[2], at(root + 192)))
        .isInstanceOf(InvalidUseException.class);
    assertThatThrownBy(() -> index.extentChanged(new long[] {101, 7}))
        .isInstanceOf(InvalidUseException.class);
    index.delete();
    assertThat(space.allocatedBytes()).isZero();
  }

  @Test
  void extensibleArrayHoldsItsLastElementAndRefusesTheNext() {
    ChunkGrid grid = new ChunkGrid(new long[1], new long[] {U}, new long[] {1}, 1, false, 4);
    ChunkIndex index =
        ChunkIndex.open(
            space,
            grid,
            ChunkIndexSpec.standard(ChunkIndexKind.EXTENSIBLE_ARRAY),
            FileGeometry.UNDEFINED);
    for (long number : new long[] {0xFFFF_FFFFL, 1L << 31, 1L << 20, 5, 0}) {
      index.put(new long[] {number}, new ChunkLocation(number + 100, 1, 0));
    }
    List<Long> visited = new ArrayList<>();
    index.forEach((scaled, location) -> visited.add(scaled[0]));
    assertThat(visited).containsExactly(0L, 5L, 1L << 20, 1L << 31, 0xFFFF_FFFFL);
    assertThat(index.find(new long[] {0xFFFF_FFFFL}).address()).isEqualTo(0xFFFF_FFFFL + 100);
    assertThat(index.find(new long[] {1L << 40})).isEqualTo(ChunkLocation.NONE);
    assertThatThrownBy(() -> index.put(new long[] {1L << 32}, new ChunkLocation(9, 1, 0)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("expected=below 4294967296");
  }

  @Test
  void fixedArrayOfBillionsKeepsOnlyWrittenPages() {
    ChunkGrid grid =
        new ChunkGrid(new long[2], new long[] {1 << 17, 1 << 17}, new long[] {1, 1}, 4, false, 4);
    ChunkIndex index =
        ChunkIndex.open(
            space,
            grid,
            ChunkIndexSpec.standard(ChunkIndexKind.FIXED_ARRAY),
            FileGeometry.UNDEFINED);
    long[] last = {(1 << 17) - 1, (1 << 17) - 1};
    index.put(last, new ChunkLocation(77, 4, 0));
    assertThat(index.find(last).address()).isEqualTo(77);
    assertThat(index.find(new long[2])).isEqualTo(ChunkLocation.NONE);
    assertThat(index.metadataBytes()).isEqualTo(space.allocatedBytes());
  }

  @Test
  void refusesGridsThatNoDatasetHas() {
    long[] one = {1};
    List<ChunkGrid> grids =
        List.of(
            new ChunkGrid(new long[0], new long[0], new long[0], 4, false, 4),
            new ChunkGrid(new long[33], new long[33], new long[33], 4, false, 4),
            new ChunkGrid(one, one, new long[] {0}, 4, false, 4),
            new ChunkGrid(one, one, one, 0, false, 4),
            new ChunkGrid(new long[] {2}, one, one, 4, false, 4),
            new ChunkGrid(new long[2], one, one, 4, false, 4),
            new ChunkGrid(
                new long[2], new long[] {U, U}, new long[] {1L << 40, 1L << 40}, 4, false, 4));
    for (ChunkGrid grid : grids) {
      assertThatThrownBy(() ->
              ChunkIndex.open(space, grid, new ChunkIndexSpec.BTreeV1(32), FileGeometry.UNDEFINED))
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void refusesAHeaderOfAnotherDataset() {
    ChunkIndex index = open(ChunkIndexKind.FIXED_ARRAY, false);
    index.put(new long[2], at(64));
    ChunkGrid filtered = grid(ChunkIndexKind.FIXED_ARRAY, true);
    space.evict();
    assertThatThrownBy(() ->
            ChunkIndex.open(space, filtered, index.spec(), index.rootAddress()).find(new long[2]))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("client actual=0, expected=1 (filtered)");
    ChunkGrid smaller =
        new ChunkGrid(new long[2], new long[] {8, 8}, new long[] {4, 6}, 8, false, 4);
    assertThatThrownBy(() ->
            ChunkIndex.open(space, smaller, index.spec(), index.rootAddress()).find(new long[2]))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("number of elements actual=225, expected=4");
  }

  @Test
  void readersFindAWritersEntriesAtOnce() throws Exception {
    for (ChunkIndexKind kind :
        List.of(
            ChunkIndexKind.BTREE_V1,
            ChunkIndexKind.EXTENSIBLE_ARRAY,
            ChunkIndexKind.FIXED_ARRAY,
            ChunkIndexKind.BTREE_V2)) {
      readAtOnce(kind);
    }
  }

  private static void readAtOnce(ChunkIndexKind kind) throws Exception {
    int rows = 90;
    int columns = 60;
    long[] max =
        switch (kind) {
          case BTREE_V1, BTREE_V2 -> new long[] {U, U};
          case EXTENSIBLE_ARRAY -> new long[] {rows, U};
          case FIXED_ARRAY, SINGLE, IMPLICIT -> new long[] {rows, columns};
        };
    int layout = kind == ChunkIndexKind.BTREE_V1 ? 3 : 4;
    ChunkGrid grid = new ChunkGrid(new long[2], max, new long[] {1, 1}, 4, false, layout);
    MemoryMetadataSpace writing = MemoryMetadataSpace.empty();
    ChunkIndex written =
        ChunkIndex.open(writing, grid, ChunkIndexSpec.standard(kind), FileGeometry.UNDEFINED);
    for (int i = 0; i < rows * columns; i++) {
      written.put(new long[] {i / columns, i % columns}, new ChunkLocation(i + 1, 4, 0));
    }
    ChunkIndex shared =
        ChunkIndex.open(
            new SharedSpace(writing.toByteArray()), grid, written.spec(), written.rootAddress());
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int stride = 7 + 6 * t;
        readers.add(
            threads.submit(() -> {
              for (int i = 0; i < 4 * rows * columns; i++) {
                int number = i * stride % (rows * columns);
                long[] scaled = {number / columns, number % columns};
                assertThat(shared.find(scaled).address()).isEqualTo(number + 1);
              }
            }));
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  /** A file's bytes for many readers. */
  private static final class SharedSpace implements MetadataSpace {
    private final byte[] bytes;
    private final ConcurrentHashMap<Long, MetadataBlock> blocks = new ConcurrentHashMap<>();

    SharedSpace(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public FileGeometry geometry() {
      return FileGeometry.standard("shared");
    }

    @Override
    public <B extends MetadataBlock> B load(
        long address, long sizeBytes, String structure, Class<B> type, BlockDecoder<B> decoder) {
      return type.cast(
          blocks.computeIfAbsent(
              address,
              at -> {
                byte[] block =
                    Arrays.copyOfRange(bytes, (int) address, Math.toIntExact(address + sizeBytes));
                return decoder.decode(new MetadataReader(geometry(), structure, block, address));
              }));
    }

    @Override
    public <B extends MetadataBlock> Optional<B> cached(
        long address, String structure, Class<B> type) {
      return Optional.ofNullable(type.cast(blocks.get(address)));
    }

    @Override
    public byte[] peek(long address, int maximumBytes, String structure) {
      throw new AssertionError("peek");
    }

    @Override
    public void insert(long address, MetadataBlock block) {
      throw new AssertionError("insert");
    }

    @Override
    public void markDirty(long address, MetadataBlock block) {
      throw new AssertionError("markDirty");
    }

    @Override
    public void discard(long address) {
      throw new AssertionError("discard");
    }

    @Override
    public long allocate(SpaceKind kind, long sizeBytes) {
      throw new AssertionError("allocate");
    }

    @Override
    public void free(SpaceKind kind, long address, long sizeBytes) {
      throw new AssertionError("free");
    }
  }
}
