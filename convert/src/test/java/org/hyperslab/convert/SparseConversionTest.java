package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that elements that were never written are neither stored nor changed by a conversion. */
final class SparseConversionTest {

  private static final long HUGE = (1L << 31) + 10;
  private static final int MOST_BYTES = 2 << 20;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {".h5", ".nc4", ".zarr", ".zarr3"})
  void hugeArraysOfFewChunksStaySmall(String ending) throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      Dataset huge =
          file.root()
              .datasetBuilder("huge")
              .type(Datatypes.I16LE)
              .shape(HUGE)
              .options(DatasetOptions.chunked(1 << 16).build())
              .create();
      huge.slice("5:8").write(new short[] {1, 2, 3});
      huge.slice((HUGE - 2) + ":" + HUGE).write(new short[] {-1, 7});
      file.root().createDataset("none", Datatypes.F64LE, Dataspace.simple(1L << 30, 100));
    }
    Path out = folder.resolve("out" + ending);
    Path back = folder.resolve("back.h5");
    FileConverter.convert(in, out);
    assertThat(bytes(out)).isLessThan(MOST_BYTES);
    FileConverter.convert(out, back);
    assertThat(bytes(back)).isLessThan(MOST_BYTES);
    try (H5File file = Hdf5.open(back)) {
      Dataset huge = file.dataset("huge");
      assertThat(huge.slice("4:9").readInts()).containsExactly(0, 1, 2, 3, 0);
      assertThat(huge.slice("1000000000:1000000002").readInts()).containsExactly(0, 0);
      assertThat(huge.slice((HUGE - 3) + ":" + HUGE).readInts()).containsExactly(0, -1, 7);
      assertThat(file.dataset("none").slice("99999999,98:100").readDoubles()).containsExactly(0, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".h5", ".nc4", ".zarr", ".zarr3"})
  void chunksAreListedOnce(String ending) {
    requireOneListing(fewChunks(null), ending);
  }

  @ParameterizedTest
  @ValueSource(strings = {".h5", ".zarr", ".zarr3"})
  void chunksThatAreCopiedAreListedOnce(String ending) {
    Path in = folder.resolve("shuffled.h5");
    try (H5File file = Hdf5.create(in)) {
      DatasetOptions options = DatasetOptions.chunked(64).shuffle().deflate(1).fill(3).build();
      Dataset few =
          file.root()
              .datasetBuilder("few")
              .type(Datatypes.I64LE)
              .shape(6400)
              .options(options)
              .create();
      few.slice("640:650").write(new int[10]);
    }
    requireOneListing(in, ending);
    Path back = folder.resolve("back.h5");
    FileConverter.convert(folder.resolve("out" + ending), back);
    requireSame(in, back);
  }

  private void requireOneListing(Path in, String ending) {
    AtomicInteger listings = new AtomicInteger();
    try (Connector counting = new ListingCounter(listings);
        Session session = Hdf5.session(counting);
        H5File file = session.open(in)) {
      FileConverter.convert(
          file,
          folder.resolve("out" + ending),
          ConversionOptions.DEFAULT,
          FileConverter.Progress.NONE);
    }
    assertThat(listings).hasValue(1);
  }

  private static final class ListingCounter extends PassThroughConnector {

    private final AtomicInteger listings;

    ListingCounter(AtomicInteger listings) {
      super("counting", Connectors.create("native"));
      this.listings = listings;
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      if (operation instanceof DatasetOperation.ListChunks) {
        listings.incrementAndGet();
      }
      return super.submit(operation);
    }
  }

  private static long bytes(Path path) throws IOException {
    try (Stream<Path> all = Files.walk(path)) {
      return all.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static long chunks(Path store) throws IOException {
    try (Stream<Path> all = Files.walk(store)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().matches("\\.z.*|zarr\\.json"))
          .count();
    }
  }

  private Path fewChunks(Integer fill) {
    Path in = folder.resolve("few.h5");
    try (H5File file = Hdf5.create(in)) {
      DatasetOptions.Builder options = DatasetOptions.chunked(4, 4);
      if (fill != null) {
        options.fill(fill);
      }
      Dataset few =
          file.root()
              .datasetBuilder("few")
              .type(Datatypes.I64LE)
              .shape(10, 9)
              .options(options.build())
              .create();
      few.slice("9,7:9").write(new int[] {5, 6});
      few.slice("0,0").write(4);
    }
    return in;
  }

  @Test
  void chunksOfFillValuesAreLeftOutOfZarr() throws IOException {
    Path in = fewChunks(-3);
    Path two = folder.resolve("two.zarr");
    FileConverter.convert(in, two);
    Path three = folder.resolve("three.zarr3");
    FileConverter.convert(in, three);
    assertThat(chunks(two)).isEqualTo(3); // the last row is in two chunks
    assertThat(chunks(three)).isEqualTo(3);
    requireSameInZarr(in, two);
    Path back = folder.resolve("back.h5");
    FileConverter.convert(three, back);
    requireSame(in, back);
  }

  /** xarray would take a fill value of version 2 for that of missing elements. */
  @Test
  void arraysWithoutFillValueGetNoneInVersion2() throws IOException {
    Path in = fewChunks(null);
    Path two = folder.resolve("two.zarr");
    FileConverter.convert(in, two);
    assertThat(chunks(two)).isEqualTo(9);
    assertThat(two.resolve("few/.zarray")).content().containsPattern("\"fill_value\": ?null");
    requireSameInZarr(in, two);
  }

  /** The attribute says what is missing, not what elements have that were never written. */
  @Test
  void attributeOfAnotherFillValueDoesNotChangeElements() throws IOException {
    Path in = fewChunks(null);
    try (H5File file = Hdf5.openForEdit(in)) {
      file.dataset("few").setAttribute("_FillValue", 77L);
    }
    Path out = folder.resolve("out.nc4");
    FileConverter.convert(in, out);
    requireSame(in, out);
    Path zarr = folder.resolve("three.zarr3");
    FileConverter.convert(in, zarr);
    Path back = folder.resolve("back.nc4");
    FileConverter.convert(zarr, back);
    requireSame(in, back);
  }

  private static void requireSame(Path expected, Path actual) {
    try (H5File one = Hdf5.open(expected);
        H5File two = Hdf5.open(actual)) {
      assertThat(two.dataset("few").readLongs()).isEqualTo(one.dataset("few").readLongs());
    }
  }

  private void requireSameInZarr(Path in, Path store) throws IOException {
    String program =
        """
        import h5py, sys, zarr
        ours = zarr.open(sys.argv[2], mode='r')['few'][...]
        with h5py.File(sys.argv[1]) as file:
            assert (file['few'][...] == ours).all(), ours
        """;
    Path script = Files.writeString(folder.resolve("same.py"), program);
    Oracle.python("zarr", script).run(in.toString(), store.toString()).orFail();
  }
}
