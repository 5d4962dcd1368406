package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.testkit.ProcessorTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests chunks that are allocated at creation: they are allocated as one block, read as the fill
 * value, and h5py finds them.
 */
final class EarlyAllocationTest {

  private static final long NONE = Dataspace.UNLIMITED;

  /**
   * The time limit for a hundred thousand chunks, if the time grows in proportion to their number.
   */
  private static final long MAX_NANOS = 20_000_000_000L;

  @TempDir private Path folder;

  private record Kind(FormatVersion bound, long[] most) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind(FormatVersion.EARLIEST, new long[] {NONE, NONE}),
          new Kind(FormatVersion.V110, new long[] {NONE, 40}),
          new Kind(FormatVersion.V110, new long[] {50, NONE}),
          new Kind(FormatVersion.V110, new long[] {NONE, NONE}),
          new Kind(FormatVersion.V110, new long[] {50, 40}));

  private static final String READ =
      """
      for word in sys.argv[1:]:
          path, fill = word.split('=')
          d = h5py.File(path, 'r')['d']
          want = np.full((31, 29), int(fill), 'i4')
          want[:11, :13] = np.arange(143).reshape(11, 13)
          if not np.array_equal(d[()], want) or d.id.get_num_chunks() < 48:
              print(path, d.id.get_num_chunks(), d[()])
      """;

  @Test
  void newPartOfAnExtentIsAllocatedAndFilled() {
    List<String> made = new ArrayList<>();
    for (Kind kind : KINDS) {
      made.add(create("zero" + made.size(), kind, false, 0) + "=0");
      made.add(create("seven" + made.size(), kind, false, 7) + "=7");
      made.add(create("filtered" + made.size(), kind, true, 7) + "=7");
    }
    assertThat(LibraryJudge.python(READ, made.toArray())).isEmpty();
  }

  private Path create(String name, Kind kind, boolean filtered, int fill) {
    Path path = folder.resolve(name + ".h5");
    DatasetOptions.Builder options =
        DatasetOptions.chunked(4, 5).allocationTime(AllocationTime.EARLY).fill(value(fill));
    DatasetOptions early = filtered ? options.shuffle().deflate(1).build() : options.build();
    CreateOptions bounds = CreateOptions.DEFAULT.withBounds(kind.bound, kind.bound);
    try (H5File file = Hdf5.create(path, bounds)) {
      Dataspace space = Dataspace.simple(new long[] {11, 13}, kind.most);
      Dataset dataset =
          file.datasetBuilder("d").type(Datatypes.I32LE).space(space).options(early).create();
      assertThat(dataset.chunks()).hasSize(9);
      int[][] values = new int[11][13];
      for (int i = 0; i < 143; i++) {
        values[i / 13][i % 13] = i;
      }
      dataset.write(values);
      file.flush();
      dataset.setExtent(31, 13);
      dataset.setExtent(31, 29);
      assertThat(dataset.chunks()).as(name).hasSize(48);
      assertThat(dataset.readInts()[30 * 29 + 28]).as(name).isEqualTo(fill);
    }
    LibraryJudge.h5dump(path);
    return path;
  }

  private static FillValue value(int fill) {
    MemorySegment element = MemorySegment.ofArray(new int[] {fill});
    return new FillValue.Value(Datatypes.NATIVE_INT, DataBuffer.of(element));
  }

  @Test
  @Timeout(300)
  void hundredThousandChunksAreContiguous() {
    long before = ProcessorTime.nanos();
    Path path = folder.resolve("many.h5");
    int many = 100_000;
    try (H5File file = Hdf5.create(path)) {
      Dataset dataset =
          file.datasetBuilder("d")
              .type(Datatypes.I32LE)
              .shape(1, 1)
              .maxShape(NONE, NONE)
              .options(DatasetOptions.chunked(1, 16).allocationTime(AllocationTime.EARLY).build())
              .create();
      dataset.setExtent(many / 1000, 16 * 1000);
      List<ChunkInfo> chunks = dataset.chunks().toList();
      assertThat(chunks).hasSize(many);
      for (int i = 2; i < many; i++) { // the first was allocated with the dataset
        long previous = chunks.get(i - 1).address();
        assertThat(chunks.get(i).address()).isEqualTo(previous + 64);
      }
      dataset.setExtent(1, 16);
      assertThat(dataset.chunks()).hasSize(1);
    }
    assertThat(ProcessorTime.nanos() - before).as("nanoseconds of work").isLessThan(MAX_NANOS);
  }

  /** A few bytes of a damaged file can ask for any number of fill values to be written. */
  @Test
  void moreFillValuesThanAFileShouldGrowByAreNotWrittenAhead() throws IOException {
    List<String> made = new ArrayList<>();
    long chunk = 1L << 14;
    for (Kind kind : KINDS) {
      for (boolean filtered : new boolean[] {false, true}) {
        Path path = folder.resolve("vast" + KINDS.indexOf(kind) + filtered + ".h5");
        DatasetOptions.Builder options =
            DatasetOptions.chunked(chunk, chunk)
                .allocationTime(AllocationTime.EARLY)
                .fill(value(7));
        CreateOptions bounds = CreateOptions.DEFAULT.withBounds(kind.bound, kind.bound);
        try (H5File file = Hdf5.create(path, bounds)) {
          long[] most = kind.most.clone();
          for (int d = 0; d < most.length; d++) {
            most[d] = most[d] == NONE ? NONE : 2 * chunk;
          }
          Dataset dataset =
              file.datasetBuilder("d")
                  .type(Datatypes.I32LE)
                  .shape(chunk, chunk + 1)
                  .maxShape(most)
                  .options(filtered ? options.deflate(1).build() : options.build())
                  .create();
          dataset.setExtent(chunk + 1, chunk + 1);
          assertThat(dataset.chunks()).isEmpty();
          assertThat(dataset.slice("16384, 16384").readInts()).containsExactly(7);
        }
        assertThat(Files.size(path)).isLessThan(100_000);
        if (!filtered) { // the library takes memory for the whole of a filtered chunk
          made.add(path.toString());
        }
      }
    }
    String read =
        "for path in sys.argv[1:]: print(h5py.File(path, 'r')['d'][16384, 16380:].tolist())";
    assertThat(LibraryJudge.python(read, made.toArray()).lines())
        .hasSize(made.size())
        .containsOnly("[7, 7, 7, 7, 7]");
  }

  @Test
  void moreChunksThanMemoryHasRoomForAreRefused() {
    try (H5File file = Hdf5.create(folder.resolve("far.h5"))) {
      Dataset dataset =
          file.datasetBuilder("d")
              .type(Datatypes.I32LE)
              .shape(1, 1)
              .maxShape(NONE, NONE)
              .options(DatasetOptions.chunked(1, 1).allocationTime(AllocationTime.EARLY).build())
              .create();
      assertThatThrownBy(() -> dataset.setExtent(1L << 20, 1L << 20))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("chunks to allocate at once: actual=1099511627775");
      assertThat(dataset.shape()).containsExactly(1, 1);
      dataset.setExtent(3, 3);
      assertThat(dataset.chunks()).hasSize(9);
    }
  }
}
