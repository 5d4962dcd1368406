package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests details of datasets that matter only to other writers (fill times, names of filters, chunks
 * that do not shrink): they are stored as by the HDF5 library, so that it can continue with the
 * file.
 */
final class StoredAsTheLibraryDoesTest {

  private static final int STRINGS = 40;

  @TempDir private Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  // --- variable length is always filled ---

  private static final String GOES_ON =
      """
      f = h5py.File(sys.argv[1], 'r+')
      junk = f['junk']
      del f['junk']
      for name in 'contiguous', 'chunked':
          d = f[name]
          plist = d.id.get_create_plist()
          if plist.get_fill_time() != h5py.h5d.FILL_TIME_ALLOC:
              print(name, 'fill time', plist.get_fill_time())
          d[3] = 'three'
      f.close()
      f = h5py.File(sys.argv[1], 'r')
      for name in 'contiguous', 'chunked':
          want = [b''] * 40
          want[3] = b'three'
          if list(f[name][()]) != want:
              print(name, f[name][()])
      """;

  @Test
  void libraryFindsNothingInUnwrittenElementsOfVariableLength() {
    Path path = path("unwritten.h5");
    try (H5File file = Hdf5.create(path)) {
      byte[] junk = new byte[STRINGS * 16];
      Arrays.fill(junk, (byte) 0x5a);
      try (Dataset written = file.createDataset("junk", junk)) {
        assertThat(written.elementCount()).isEqualTo(junk.length);
      }
      Dataspace space = Dataspace.simple(STRINGS);
      file.createDataset("contiguous", Datatypes.vlenString(), space).close();
      DatasetOptions chunks = DatasetOptions.chunked(STRINGS).build();
      file.datasetBuilder("chunked")
          .type(Datatypes.vlenString())
          .space(space)
          .options(chunks)
          .create()
          .close();
    }
    assertThat(LibraryJudge.python(GOES_ON, path)).isEmpty();
  }

  @Test
  void elementsOfVariableLengthCannotBeLeftUnfilled() {
    Datatype record =
        CompoundType.builder()
            .member("n", Datatypes.I32LE)
            .member("s", Datatypes.vlenString())
            .build();
    DatasetOptions never = DatasetOptions.builder().fillTime(FillValue.Time.NEVER).build();
    try (H5File file = Hdf5.create(path("never.h5"))) {
      for (Datatype type : List.of(Datatypes.vlenString(), record)) {
        assertThatThrownBy(
                () -> file.datasetBuilder("d").type(type).shape(3).options(never).create())
            .isInstanceOf(InvalidUseException.class)
            .hasMessageContaining("fill time");
        assertThat(file.exists("d")).isFalse();
      }
    }
  }

  // --- fill values of variable length ---

  private static final String MAKE_FILLED =
      """
      f = h5py.File(sys.argv[1], 'w')
      s = h5py.string_dtype()
      for name, chunks in ('chunked', (4,)), ('contiguous', None):
          d = f.create_dataset(name, (4,), s, chunks=chunks, fillvalue='none', maxshape=(4,))
          d[:2] = ['a', 'b']
      """;

  private static final String READ_FILLED =
      """
      f = h5py.File(sys.argv[1], 'r')
      for name in sys.argv[2:]:
          d = f[name]
          if list(d[()]) != [b'a', b'b', b'none', b'none'] or d.fillvalue != b'none':
              print(name, d[()], d.fillvalue)
      """;

  @Test
  void copiesKeepFillValuesOfVariableLength() {
    Path from = path("filled.h5");
    Path to = path("copied.h5");
    assertThat(LibraryJudge.python(MAKE_FILLED, from)).isEmpty();
    try (H5File source = Hdf5.open(from);
        H5File target = Hdf5.create(to)) {
      for (String name : List.of("chunked", "contiguous")) {
        source.dataset(name).copyTo(target.root(), name);
        try (Dataset original = source.dataset(name)) {
          Dataspace space = Dataspace.simple(4);
          Datatype type = original.type();
          Dataset anew =
              target
                  .datasetBuilder(name + "2")
                  .type(type)
                  .space(space)
                  .options(original.options())
                  .create();
          anew.write(Selection.box(new long[] {0}, new long[] {2}), new String[] {"a", "b"});
          anew.close();
        }
      }
    }
    assertThat(
            LibraryJudge.python(
                READ_FILLED, to, "chunked", "contiguous", "chunked2", "contiguous2"))
        .isEmpty();
  }

  // --- names of filters ---

  private static final String COPY_FILTERED =
      """
      for path in sys.argv[1:]:
          f = h5py.File(path, 'r+')
          for name in list(f):
              h5py.h5o.copy(f.id, name.encode(), f.id, (name + 'copy').encode())
          f.close()
          f = h5py.File(path, 'r')
          for name in list(f):
              if not np.array_equal(f[name][()], np.arange(500)):
                  print(path, name, f[name][()])
              if not f[name].id.get_create_plist().get_filter(0)[3]:
                  print(path, name, 'no name')
      """;

  @Test
  void filtersGivenByNumberHaveTheirNames() {
    Object[] paths =
        List.of(FormatVersion.EARLIEST, FormatVersion.V110).stream().map(this::filtered).toArray();
    assertThat(LibraryJudge.python(COPY_FILTERED, paths)).isEmpty();
  }

  private Path filtered(FormatVersion bound) {
    Path path = path("filtered" + bound + ".h5");
    int[] numbers = new int[500];
    Arrays.setAll(numbers, i -> i);
    CreateOptions bounds = CreateOptions.DEFAULT.withBounds(bound, FormatVersion.V110);
    try (H5File file = Hdf5.create(path, bounds)) {
      for (FilterSpec filter :
          List.of(FilterSpec.of(1, 6), FilterSpec.of(2), FilterSpec.of(3), FilterSpec.of(32000))) {
        DatasetOptions options = DatasetOptions.chunked(500).filter(filter).build();
        file.datasetBuilder("f" + filter.id())
            .type(Datatypes.I32LE)
            .shape(500)
            .options(options)
            .create()
            .write(numbers);
      }
    }
    return path;
  }

  // --- chunks that do not get smaller ---

  private static final String REWRITE =
      """
      f = h5py.File(sys.argv[1], 'r')
      for name in f:
          d = f[name]
          info = d.id.get_chunk_info(0)
          print(name, info.filter_mask, info.size > 4096, bytes(d[()])[:8].hex())
      """;

  @Test
  void incompressibleChunksAreStoredAsTheFiltersReturnThem() {
    Path path = path("noise.h5");
    byte[] noise = new byte[4096];
    Seeds.random(Seeds.draw(), 1).nextBytes(noise);
    List<FilterSpec> filters =
        List.of(
            FilterSpec.deflate(6),
            new FilterSpec(4, true, "szip", List.of(32, 16)),
            new FilterSpec(32000, true, "lzf", List.of()));
    try (H5File file = Hdf5.create(path)) {
      for (FilterSpec filter : filters) {
        DatasetOptions options = DatasetOptions.chunked(4096).filter(filter).build();
        try (Dataset made =
            file.datasetBuilder(filter.name())
                .type(Datatypes.I8LE)
                .shape(4096)
                .options(options)
                .create()) {
          made.write(noise);
        }
      }
      ChunkInfo deflated = file.dataset("deflate").chunks().findFirst().orElseThrow();
      assertThat(deflated.filterMask()).isZero();
    }
    String first = HexFormat.of().formatHex(noise, 0, 8);
    assertThat(LibraryJudge.python(REWRITE, path).lines())
        .containsExactly(
            "deflate 0 True " + first, "lzf 1 False " + first, "szip 1 False " + first);
  }
}
