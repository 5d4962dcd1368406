package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.RawChunk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests files that were made to exhaust a reader: chunks that decode to far more than a chunk,
 * extents near 2^63, circular links.
 */
final class HostileFilesTest {

  private static final int BOMB_ELEMENTS = 4 << 20;
  private static final int CHUNK_ELEMENTS = 100;
  private static final int SCALE_OFFSET = 6;
  private static final long MAX_ALLOCATED_BYTES = 8L << 20;

  @TempDir private Path folder;

  static Stream<List<FilterSpec>> filters() {
    FilterSpec deflate = FilterSpec.deflate(9);
    return Stream.of(
        List.of(deflate),
        List.of(deflate, deflate, deflate),
        List.of(FilterSpec.shuffle(), deflate),
        List.of(FilterSpec.shuffle()),
        List.of(FilterSpec.fletcher32(), deflate),
        List.of(FilterSpec.of(4, 4, 16)), // szip
        List.of(FilterSpec.of(5)), // n-bit
        List.of(FilterSpec.of(SCALE_OFFSET, 2, 0)),
        List.of(FilterSpec.of(307, 9)), // bzip2
        List.of(FilterSpec.of(32000)), // lzf
        List.of(FilterSpec.of(32001, 0, 0, 0, 0, 9, 1, 1)), // blosc
        List.of(FilterSpec.of(32004)), // lz4
        List.of(FilterSpec.of(32008, 0, 2)), // bitshuffle with lz4
        List.of(FilterSpec.of(32015, 9))); // zstd
  }

  @ParameterizedTest
  @MethodSource("filters")
  void oversizedDecodedChunkTakesOnlyItsOwnBytes(List<FilterSpec> filters) {
    Path path = folder.resolve("bomb.h5");
    try (H5File file = Hdf5.create(path)) {
      Dataset large = dataset(file, "large", BOMB_ELEMENTS, filters);
      large.write(new int[BOMB_ELEMENTS]);
      file.flush();
      RawChunk bomb = large.readChunk(0);
      Dataset small = dataset(file, "small", CHUNK_ELEMENTS, filters);
      small.write(new int[CHUNK_ELEMENTS]);
      file.flush();
      small.writeChunk(bomb, 0);
    }
    try (H5File file = Hdf5.open(path, OpenOptions.READ.withThreads(1))) {
      Dataset small = file.dataset("small");
      long before = allocated();
      boolean sizeIsInTheParameters = filters.getFirst().id() == SCALE_OFFSET;
      try {
        int[] value = small.read(Selection.box(new long[] {7}, new long[] {1}), int[].class);
        assertThat(value).containsExactly(0);
        assertThat(sizeIsInTheParameters).isTrue();
      } catch (CorruptFileException refused) {
        assertThat(sizeIsInTheParameters).isFalse();
      }
      long stored = small.chunks().findFirst().orElseThrow().storedBytes();
      assertThat(allocated() - before).isLessThan(MAX_ALLOCATED_BYTES + 4 * stored);
    }
  }

  private static Dataset dataset(H5File file, String name, int elements, List<FilterSpec> filters) {
    DatasetOptions.Builder options = DatasetOptions.builder().layout(Layout.Chunked.of(elements));
    filters.forEach(options::filter);
    return file.datasetBuilder(name)
        .type(Datatypes.I32LE)
        .shape(elements)
        .options(options.build())
        .create();
  }

  /** Bytes that this thread has allocated on the heap. */
  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  @Test
  void extentsNearTheLimitAreReadWhereTheyAre() {
    long most = Long.MAX_VALUE;
    List<long[]> extents =
        List.of(
            new long[] {most},
            new long[] {1L << 62, 1},
            new long[] {1L << 31, 1L << 31},
            new long[] {3, most / 3});
    Path path = folder.resolve("wide.h5");
    CreateOptions modern = CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.V110);
    for (CreateOptions options : List.of(CreateOptions.DEFAULT, modern)) {
      for (long[] extent : extents) {
        read(path, options, extent);
      }
    }
  }

  private static void read(Path path, CreateOptions options, long[] extent) {
    long[] unlimited = new long[extent.length];
    Arrays.fill(unlimited, Dataspace.UNLIMITED);
    long[] chunk = new long[extent.length];
    Arrays.fill(chunk, 16);
    List<DatasetOptions> layouts = new ArrayList<>();
    layouts.add(DatasetOptions.builder().layout(new Layout.Contiguous()).build());
    layouts.add(DatasetOptions.builder().layout(Layout.Chunked.of(chunk)).build());
    for (DatasetOptions layout : layouts) {
      boolean chunked = layout.layout() instanceof Layout.Chunked;
      long[] last = new long[extent.length];
      long[] one = new long[extent.length];
      for (int d = 0; d < extent.length; d++) {
        last[d] = extent[d] - 1;
        one[d] = 1;
      }
      try (H5File file = Hdf5.create(path, options)) {
        Dataspace space = Dataspace.simple(extent, chunked ? unlimited : extent);
        file.datasetBuilder("d")
            .type(Datatypes.F64LE)
            .space(space)
            .options(layout)
            .create()
            .close();
      } catch (HyperslabException refused) {
        continue; // what cannot be made cannot be read
      }
      try (H5File file = Hdf5.open(path)) {
        double[] value = file.dataset("d").readDoubles(Selection.box(last, one));
        assertThat(value).containsExactly(0);
      }
    }
  }

  /** Of a dataset that has storage, in dimensions whose product is beyond 2^63 bytes. */
  @Test
  void impossibleExtentIsRefusedWithATypedError() throws IOException {
    Path path = folder.resolve("long.h5");
    CreateOptions earliest =
        CreateOptions.DEFAULT.withBounds(FormatVersion.EARLIEST, FormatVersion.EARLIEST);
    try (H5File file = Hdf5.create(path, earliest)) {
      file.createDataset("d", new int[3][5]).close();
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    int extents = 0;
    for (int at = 0; at + 16 <= bytes.capacity(); at++) {
      if (bytes.getLong(at) == 3 && bytes.getLong(at + 8) == 5) {
        bytes.putLong(at, 1L << 33).putLong(at + 8, (1L << 28) + 1);
        extents++;
      }
    }
    assertThat(extents).isPositive();
    Files.write(path, bytes.array());
    long[] last = {(1L << 33) - 1, 1L << 28};
    try (H5File file = Hdf5.open(path)) {
      Dataset dataset = file.dataset("d");
      assertThatThrownBy(() -> dataset.readInts(Selection.box(last, new long[] {1, 1})))
          .isInstanceOf(HyperslabException.class);
      assertThatThrownBy(() -> dataset.readInts(Selection.points(2, last[0], last[1], 0, 0)))
          .isInstanceOf(HyperslabException.class);
    }
  }

  /**
   * Makes an attribute whose data has the length of its own type, which differs from the shared
   * one.
   */
  @Test
  void attributesThatAreShorterThanTheirSharedTypeAreRefused() throws IOException {
    Path path = folder.resolve("shared.h5");
    CreateOptions earliest =
        CreateOptions.DEFAULT.withBounds(FormatVersion.EARLIEST, FormatVersion.EARLIEST);
    try (H5File file = Hdf5.create(path, earliest)) {
      var type = file.root().commit("type", Datatypes.I32LE);
      file.root().createAttribute("a", type, Dataspace.simple(4));
    }
    byte[] bytes = Files.readAllBytes(path);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    String fourBytes = "\u0010\b\0\0\u0004\0\0\0\0\0\u0020\0";
    int at = text.indexOf(fourBytes);
    assertThat(at).isPositive().isEqualTo(text.lastIndexOf(fourBytes));
    bytes[at + 4] = 8;
    bytes[at + 10] = 64;
    Files.write(path, bytes);
    try (H5File file = Hdf5.openForEdit(path)) {
      var attribute = file.root().attribute("a");
      assertThatThrownBy(() -> attribute.read(long[].class))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("expected=4 elements of 8 bytes");
      assertThatThrownBy(() -> attribute.write(new long[4]))
          .isInstanceOf(CorruptFileException.class);
    }
  }

  /** Elements of 80 MB that lead to a heap, of which the file has 16 bytes. */
  @Test
  void copyOfMissingElementsTakesNoMemory() throws IOException {
    Path path = folder.resolve("giant.h5");
    CreateOptions earliest =
        CreateOptions.DEFAULT.withBounds(FormatVersion.EARLIEST, FormatVersion.EARLIEST);
    DatasetOptions early =
        DatasetOptions.builder()
            .layout(new Layout.Contiguous())
            .allocationTime(AllocationTime.EARLY)
            .build();
    long data;
    try (H5File file = Hdf5.create(path, earliest)) {
      Datatype giant = new ArrayType(List.of(5_000_000), Datatypes.vlen(Datatypes.I32LE));
      Dataset dataset = file.datasetBuilder("d").type(giant).shape(3).options(early).create();
      data = dataset.datasetInfo().storage().offset();
    }
    byte[] bytes = Arrays.copyOf(Files.readAllBytes(path), (int) data + 16);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(40, bytes.length);
    Files.write(path, bytes);
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT.withThreads(1))) {
      long before = allocated();
      assertThatThrownBy(() -> file.root().copy("d", file.root(), "copy"))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("bytes in the file actual=16, expected=at least an element");
      assertThat(allocated() - before).isLessThan(MAX_ALLOCATED_BYTES);
    }
  }

  /** Chunks of 512 MiB or GiB according to the layout, in a file of one megabyte. */
  @ParameterizedTest
  @CsvSource({"1024, false", "1024, true", "1048576, false", "1048576, true"})
  void chunksThatAreNotInTheFileTakeNoMemory(int rows, boolean filtered) throws IOException {
    Path path = folder.resolve("wide.h5");
    CreateOptions earliest =
        CreateOptions.DEFAULT.withBounds(FormatVersion.EARLIEST, FormatVersion.EARLIEST);
    int odd = 54321;
    DatasetOptions.Builder options = DatasetOptions.chunked(3, odd);
    DatasetOptions made = filtered ? options.deflate(1).build() : options.build();
    try (H5File file = Hdf5.create(path, earliest)) {
      Dataspace space = Dataspace.simple(new long[] {3, odd}, new long[] {-1, -1});
      file.datasetBuilder("d")
          .type(Datatypes.I64LE)
          .space(space)
          .options(made)
          .create()
          .write(new long[3][odd]);
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    int found = 0;
    for (int at = 0; at + 12 <= bytes.capacity(); at++) {
      if (bytes.getInt(at) == 3 && bytes.getInt(at + 4) == odd && bytes.getInt(at + 8) == 8) {
        bytes.putInt(at, rows);
        bytes.putInt(at + 4, 1 << 16);
        found++;
      }
    }
    assertThat(found).isEqualTo(1);
    Files.write(path, bytes.array());
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT.withThreads(1))) {
      Dataset dataset = file.dataset("d");
      long before = allocated();
      Selection corner = Selection.box(new long[] {1, 1}, new long[] {1, 2});
      if (filtered) {
        assertThatThrownBy(() -> dataset.readLongs(corner))
            .isInstanceOf(CorruptFileException.class);
      } else {
        assertThat(dataset.readLongs(corner)).containsOnly(0); // those of the chunk that are there
      }
      assertThatThrownBy(() -> dataset.setExtent(1, 1)).isInstanceOf(CorruptFileException.class);
      assertThat(allocated() - before).isLessThan(MAX_ALLOCATED_BYTES);
    }
  }

  @Test
  void circlesOfLinksEnd() {
    Path path = folder.resolve("circle.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createGroup("a").createHardLink("up", file.root());
      file.root().createSoftLink("s", "/t");
      file.root().createSoftLink("t", "/s");
      file.root().createExternalLink("e", path.toString(), "/e");
    }
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.exists("a/up/a/up/a")).isTrue();
      assertThatThrownBy(() -> file.get("s")).isInstanceOf(HyperslabException.class);
      assertThatThrownBy(() -> file.get("e")).isInstanceOf(HyperslabException.class);
    }
  }
}
