package org.hyperslab.tools.repack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Layout;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the options of {@code repack}. */
final class RepackCommandTest {

  @TempDir private Path folder;
  private Path in;
  private Path out;

  @BeforeEach
  void createFile() {
    in = folder.resolve("in.h5");
    out = folder.resolve("out.h5");
    try (H5File file = Hdf5.create(in)) {
      file.datasetBuilder("grid")
          .value(new int[40][30])
          .options(DatasetOptions.chunked(10, 10).deflate(4).build())
          .create();
      file.createDataset("line", new short[] {1, 2, 3});
      file.root().createDataset("big", Datatypes.F64BE, file.dataset("line").space());
    }
  }

  private int run(String... options) {
    String[] words = new String[options.length + 3];
    words[0] = "repack";
    System.arraycopy(options, 0, words, 1, options.length);
    words[words.length - 2] = in.toString();
    words[words.length - 1] = out.toString();
    return CommandRun.of(words).code();
  }

  @Test
  void givesLayoutsAndFiltersByPath() {
    assertThat(
            run("-l", "line:COMPA", "-l", "grid:CHUNK=5x6", "-f", "/grid:SHUF", "-f", "grid:FLET"))
        .isZero();
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("line").datasetInfo().options().layout())
          .isEqualTo(new Layout.Compact());
      DatasetOptions grid = file.dataset("grid").datasetInfo().options();
      assertThat(grid.layout()).isEqualTo(Layout.Chunked.of(5, 6));
      assertThat(grid.filters().stream().map(FilterSpec::id)).containsExactly(2, 3);
      assertThat(file.dataset("line").readInts()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void refusesAPathThatIsNotThere() {
    assertThat(run("-f", "nowhere:GZIP=1")).isEqualTo(1);
    assertThat(out).doesNotExist();
  }

  @Test
  void refusesToOverwriteItsInput() throws IOException {
    byte[] before = Files.readAllBytes(in);
    out = in;
    assertThat(run()).isEqualTo(1);
    assertThat(Files.readAllBytes(in)).isEqualTo(before);
  }

  @Test
  void refusesUnknownOptions() {
    assertThat(run("--no-such-option")).isEqualTo(2);
  }

  @Test
  void fillsTheUserBlock() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "hello " + "x".repeat(600));
    assertThat(run("-u", text.toString())).isZero();
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.info().creation().userBlockBytes()).isEqualTo(1024);
    }
    Path again = folder.resolve("again.h5");
    assertThat(CommandRun.of("repack", "-i", out.toString(), "-o", again.toString()).code())
        .isZero();
    byte[] block = Files.readAllBytes(again);
    assertThat(new String(block, 0, 606, StandardCharsets.UTF_8))
        .isEqualTo("hello " + "x".repeat(600));
  }

  @Test
  void changesTheFileAsAWhole() {
    assertThat(run("-S", "PAGE", "-G", "1024", "-P", "1", "-a", "64", "-t", "0", "-M", "8192"))
        .isZero();
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.info().creation().space())
          .isEqualTo(new SpaceStrategy(SpaceStrategy.Kind.PAGE, true, 1, 1024));
    }
  }

  @Test
  void storesNumbersInTheMachinesTypes() {
    assertThat(run("-n", "-L", "-c", "3", "-d", "2")).isZero();
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("big").type()).isEqualTo(Datatypes.F64LE);
      assertThat(file.root().groupInfo().options().maxCompact()).isEqualTo(3);
      assertThat(file.info().superblockVersion()).isEqualTo(3);
    }
  }

  @Test
  void readsOptionsFromAFile() throws IOException {
    Path options = Files.writeString(folder.resolve("options"), "-f grid:NONE\n-l grid:CONTI\n");
    assertThat(run("-e", options.toString())).isZero();
    try (H5File file = Hdf5.open(out)) {
      DatasetOptions grid = file.dataset("grid").datasetInfo().options();
      assertThat(grid.layout()).isEqualTo(new Layout.Contiguous());
      assertThat(grid.filters()).isEqualTo(List.of());
    }
  }

  @Test
  void keepsTheSizesOfTheOriginal() {
    try (H5File file = Hdf5.create(in, CreateOptions.DEFAULT.withSizes(4, 4))) {
      file.createDataset("line", new short[] {1, 2, 3});
    }
    assertThat(run()).isZero();
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.info().creation().sizeOfOffsets()).isEqualTo(4);
    }
  }

  /** Makes links to objects of the file and of another one, and links that lead nowhere. */
  private void makeLinks() {
    try (H5File other = Hdf5.create(folder.resolve("other.h5"))) {
      other.createDataset("g/x", new int[] {1, 2}).close();
      other.root().createSoftLink("g/soft", "/g/x");
      other.root().createExternalLink("g/line", "in.h5", "/line");
      other.root().createExternalLink("g/gone", "none.h5", "/x");
    }
    try (H5File file = Hdf5.openForEdit(in)) {
      Group root = file.root();
      root.createExternalLink("external", "other.h5", "/g");
      root.createExternalLink("sub/one", "other.h5", "/g/x");
      root.createExternalLink("nowhere", "none.h5", "/x");
      root.createSoftLink("soft", "/line");
      root.createSoftLink("dangling", "/missing");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--merge", "--prune", "--merge --prune"})
  void linksAreMergedAndPrunedAsByH5repack(String options) {
    makeLinks();
    Oracle theirs = Oracle.newest("h5repack").orElse(null);
    assumeTrue(theirs != null, "HDF5 2.x is not installed");
    List<String> words = List.of(options.split(" "));
    Path copy = folder.resolve("theirs.h5");
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(in.toString(), copy.toString()));
    String said = theirs.run(all.toArray(String[]::new)).orFail().text();
    all.set(all.size() - 1, out.toString());
    all.addFirst("repack");
    CommandRun run = CommandRun.of(all.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(said);
    Oracle h5dump = Oracle.newest("h5dump").orElseThrow();
    assertThat(content(h5dump, out)).isEqualTo(content(h5dump, copy));
  }

  private static List<String> content(Oracle h5dump, Path file) {
    return h5dump.run(file.toString()).orFail().text().lines().skip(1).toList();
  }

  /** Datasets with a large maximum, of a chunk index of 1.8: copies have no room for all of it. */
  @Test
  void copiesOfALargeMaximumAreSmall() throws IOException {
    CreateOptions earliest =
        CreateOptions.DEFAULT.withBounds(FormatVersion.EARLIEST, FormatVersion.EARLIEST);
    try (H5File file = Hdf5.create(in, earliest)) {
      Dataspace line = Dataspace.simple(new long[] {10}, new long[] {100_000_000});
      file.datasetBuilder("line")
          .type(Datatypes.F64LE)
          .space(line)
          .options(DatasetOptions.chunked(1).build())
          .create()
          .write(new double[10]);
      Dataspace grid = Dataspace.simple(new long[] {4, 4}, new long[] {1_000_000, 1_000_000});
      file.datasetBuilder("grid")
          .type(Datatypes.F64LE)
          .space(grid)
          .options(DatasetOptions.chunked(2, 2).build())
          .create()
          .write(new double[4][4]);
    }
    long size = Files.size(in);
    assertThat(run()).isZero();
    assertThat(Files.size(out)).isLessThan(size * 12 / 10);
    Path copy = folder.resolve("copy.h5");
    for (String name : List.of("/line", "/grid")) {
      CommandRun made =
          CommandRun.of("copy", in.toString(), copy.toString(), "-s", name, "-d", name);
      assertThat(made.code()).as(made.err()).isZero();
    }
    assertThat(Files.size(copy)).isLessThan(size * 12 / 10);
    Oracle.h5diff().run(in.toString(), out.toString()).orFail();
    Oracle.h5diff().run(in.toString(), copy.toString()).orFail();
  }
}
