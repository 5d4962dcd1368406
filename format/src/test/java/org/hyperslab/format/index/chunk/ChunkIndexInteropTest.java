package org.hyperslab.format.index.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexKind;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and edits files of the HDF5 library, and has it read and edit them again. */
final class ChunkIndexInteropTest {

  private static final Path SMALL = ChunkFile.resource("chunk_files.py").getParent();

  private static final int EDITS = Effort.times(400, 3000);

  private final long seed = Seeds.draw();

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "single,SINGLE",
    "single_gzip,SINGLE",
    "implicit,IMPLICIT",
    "fixed,FIXED_ARRAY",
    "fixed_gzip,FIXED_ARRAY",
    "fixed_paged,FIXED_ARRAY",
    "extensible_1d,EXTENSIBLE_ARRAY",
    "extensible_1d_gzip,EXTENSIBLE_ARRAY",
    "extensible_front,EXTENSIBLE_ARRAY",
    "extensible_back,EXTENSIBLE_ARRAY",
    "extensible_middle_gzip,EXTENSIBLE_ARRAY",
    "btree2,BTREE_V2",
    "btree2_gzip,BTREE_V2",
    "btree1_1d,BTREE_V1",
    "btree1_2d_gzip,BTREE_V1",
    "btree1_k2,BTREE_V1",
    "v5_fixed_gzip,FIXED_ARRAY",
    "v5_extensible_1d_gzip,EXTENSIBLE_ARRAY",
    "v5_btree2_gzip,BTREE_V2"
  })
  void readsWhatTheLibraryWrote(String name, ChunkIndexKind kind) throws IOException {
    ChunkFile file = ChunkFile.open(SMALL, name);
    assertThat(file.index().spec().kind()).isEqualTo(kind);
    assertThat(file.layout().version())
        .isEqualTo(name.startsWith("v5") ? 5 : kind == ChunkIndexKind.BTREE_V1 ? 3 : 4);
    requireAgreement(file, ChunkFile.describe(SMALL, name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed_sparse", "extensible_gzip", "btree2_large", "btree1_large"})
  void readsLargeIndexes(String name) throws Exception {
    requireRead(name);
  }

  @Campaign
  @ParameterizedTest
  @ValueSource(strings = {"fixed_70000", "extensible_100000", "extensible_sparse"})
  void readsTheLargestIndexes(String name) throws Exception {
    requireRead(name);
  }

  private void requireRead(String name) throws Exception {
    ChunkFile.script("make", directory.toString(), name);
    requireAgreement(ChunkFile.open(directory, name), ChunkFile.describe(directory, name));
  }

  private static void requireAgreement(ChunkFile file, ChunkFile.Description told) {
    List<ChunkFile.Told> chunks = file.chunks();
    assertThat(chunks).hasSize(told.count());
    for (ChunkFile.Told chunk : chunks) {
      file.requireData(chunk.scaled(), chunk.location());
      assertThat(file.index().find(chunk.scaled())).isEqualTo(chunk.location());
    }
    for (ChunkFile.Told chunk : told.chunks()) {
      assertThat(file.index().find(chunk.scaled())).isEqualTo(chunk.location());
    }
    int step = told.chunks().isEmpty() ? 1 : Math.max(1, told.count() / 100);
    for (int i = 0; i < told.chunks().size(); i++) {
      assertThat(chunks.get(i * step).scaled()).isEqualTo(told.chunks().get(i).scaled());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "single_gzip",
        "implicit",
        "fixed",
        "fixed_gzip",
        "fixed_paged",
        "extensible_1d",
        "extensible_1d_gzip",
        "extensible_front",
        "extensible_back",
        "extensible_middle_gzip",
        "btree2",
        "btree2_gzip",
        "btree1_1d",
        "btree1_2d_gzip",
        "btree1_k2"
      })
  void handsBackFilesThatTheLibraryReadsAndEdits(String name) throws Exception {
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    ChunkFile file = ChunkFile.open(SMALL, name);
    grow(file, random);
    TreeMap<String, long[]> present = new TreeMap<>();
    for (ChunkFile.Told chunk : file.chunks()) {
      present.put(Arrays.toString(chunk.scaled()), chunk.scaled());
    }
    edit(file, present, random);
    if (file.index() instanceof ImplicitChunkIndex) {
      file.chunks().forEach(c -> present.put(Arrays.toString(c.scaled()), c.scaled()));
    }
    Path list = save(file, name, present.values());
    String edited = directory.resolve(name + ".h5").toString();
    ChunkFile.script("check", edited, list.toString());
    ChunkFile.script("edit", edited, list.toString());
  }

  /** Writes NAME.h5, and beside it which chunks it has; returns the latter's path. */
  private Path save(ChunkFile file, String name, Collection<long[]> chunks) throws IOException {
    Files.write(directory.resolve(name + ".h5"), file.save());
    return Files.writeString(
        directory.resolve(name + ".list"),
        chunks.stream()
            .map(s -> Arrays.stream(s).mapToObj(Long::toString).collect(Collectors.joining(",")))
            .collect(Collectors.joining("\n")));
  }

  @ParameterizedTest
  @CsvSource({
    "extensible_1d,0,20000",
    "extensible_back,1,3000",
    "extensible_middle_gzip,1,500",
    "btree1_1d,0,20000",
    "btree1_2d_gzip,0,1000",
    "btree2,1,1500"
  })
  void appendsThousandsOfChunksThatTheLibraryReads(String name, int dimension, int chunks)
      throws Exception {
    ChunkFile file = ChunkFile.open(SMALL, name);
    ChunkGrid grid = file.index().grid();
    for (ChunkFile.Told chunk : file.chunks()) {
      file.index().remove(chunk.scaled());
    }
    long[] dims = grid.dims().clone();
    dims[dimension] = chunks * grid.chunkDims()[dimension];
    file.resize(dims);
    long[] across = dims.clone();
    Arrays.setAll(across, d -> grid.chunksAlong(d, dims[d]));
    across[dimension] = 1;
    List<long[]> written = new ArrayList<>();
    for (int i = 0; i < chunks; i++) {
      long[] scaled = new long[dims.length];
      scaled[dimension] = i;
      do {
        file.write(scaled);
        written.add(scaled.clone());
      } while (advance(scaled, across, dimension));
    }
    Path list = save(file, name, written);
    ChunkFile.script("check", directory.resolve(name + ".h5").toString(), list.toString());
  }

  /** The next coordinates in row-major order, one dimension standing still. */
  private static boolean advance(long[] scaled, long[] counts, int still) {
    for (int d = scaled.length - 1; d >= 0; d--) {
      if (d != still) {
        if (++scaled[d] < counts[d]) {
          return true;
        }
        scaled[d] = 0;
      }
    }
    return false;
  }

  /**
   * Grows each dimension that may grow: unlimited ones manyfold. Writes all chunks anew, for those
   * that the edge cut were not full.
   */
  private static void grow(ChunkFile file, Random random) {
    ChunkGrid grid = file.index().grid();
    long[] dims = grid.dims().clone();
    int factor = grid.rank() == 1 ? 20 : 3;
    for (int d = 0; d < dims.length; d++) {
      long more = dims[d] * factor + random.nextInt(50);
      dims[d] = grid.maxDims()[d] == ChunkGrid.UNLIMITED ? more : Math.min(grid.maxDims()[d], more);
    }
    file.resize(dims);
    file.chunks().forEach(chunk -> file.write(chunk.scaled()));
  }

  /** Removes some chunks and writes many, some of them again. */
  private static void edit(ChunkFile file, Map<String, long[]> present, Random random) {
    ChunkGrid grid = file.index().grid();
    List<long[]> removed = new ArrayList<>(present.values());
    for (long[] scaled : removed) {
      if (random.nextInt(3) == 0 && !file.index().ownsChunkSpace()) {
        assertThat(file.index().remove(scaled).isAllocated()).isTrue();
        present.remove(Arrays.toString(scaled));
      }
    }
    for (int i = 0; i < EDITS; i++) {
      long[] scaled = new long[grid.rank()];
      for (int d = 0; d < scaled.length; d++) {
        scaled[d] = random.nextLong(grid.chunksAlong(d, grid.dims()[d]));
      }
      file.write(scaled);
      present.put(Arrays.toString(scaled), scaled);
    }
  }
}
