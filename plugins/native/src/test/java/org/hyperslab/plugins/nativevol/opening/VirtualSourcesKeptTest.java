package org.hyperslab.plugins.nativevol.opening;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a read of a virtual dataset opens only the sources that it meets, that these stay open
 * within a bound, and that this keeps nobody from what was possible before.
 */
final class VirtualSourcesKeptTest {

  private static final int WIDTH = 5;

  @TempDir private Path folder;

  private void createSources(int count) {
    for (int i = 0; i < count; i++) {
      try (H5File file = Hdf5.create(folder.resolve("s" + i + ".h5"))) {
        int[] row = new int[WIDTH];
        Arrays.fill(row, i);
        file.createDataset("d", row);
      }
    }
  }

  private Path createView(int count) {
    List<Layout.Virtual.Mapping> mappings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      mappings.add(
          new Layout.Virtual.Mapping(
              Selection.box(new long[] {i, 0}, new long[] {1, WIDTH}),
              "s" + i + ".h5",
              "d",
              Dataspace.simple(WIDTH),
              Selection.all()));
    }
    Path view = folder.resolve("view.h5");
    create(view, "v", new long[] {count, WIDTH}, mappings);
    return view;
  }

  private static void create(
      Path path, String name, long[] dims, List<Layout.Virtual.Mapping> mappings) {
    try (H5File file = Hdf5.create(path)) {
      file.datasetBuilder(name)
          .type(Datatypes.I32LE)
          .shape(dims)
          .options(DatasetOptions.builder().layout(new Layout.Virtual(mappings)).build())
          .create();
    }
  }

  /** Returns how many of the sources this process has open now. */
  private long openSources() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .map(VirtualSourcesKeptTest::target)
          .filter(this::isSource)
          .distinct()
          .count();
    }
  }

  private boolean isSource(Path target) {
    return target.startsWith(folder) && target.getFileName().toString().startsWith("s");
  }

  private static Path target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException gone) {
      return Path.of("/");
    }
  }

  private static int[] row(Dataset view, int row) {
    return view.readInts(Selection.box(new long[] {row, 0}, new long[] {1, WIDTH}));
  }

  @Test
  void onlySourcesThatAreMetAreOpenedAndTheyStayOpen() throws IOException {
    createSources(20);
    try (H5File file = Hdf5.open(createView(20).toString())) {
      Dataset view = file.dataset("v");
      assertThat(row(view, 7)).containsOnly(7);
      assertThat(openSources()).isEqualTo(1);
      assertThat(row(view, 7)).containsOnly(7);
      assertThat(row(view, 19)).containsOnly(19);
      assertThat(openSources()).isEqualTo(2);
      int[] all = view.readInts();
      for (int i = 0; i < all.length; i++) {
        assertThat(all[i]).isEqualTo(i / WIDTH);
      }
      assertThat(openSources()).isEqualTo(20);
    }
    assertThat(openSources()).as("after the file was closed").isZero();
  }

  @Test
  void noMoreSourcesStayOpenThanTheBound() throws IOException {
    int count = KeptSources.MOST + 40;
    createSources(count);
    try (H5File file = Hdf5.open(createView(count).toString())) {
      Dataset view = file.dataset("v");
      for (int i = 0; i < count; i++) {
        assertThat(row(view, i)).containsOnly(i);
      }
      assertThat(openSources()).isEqualTo(KeptSources.MOST);
    }
    assertThat(openSources()).isZero();
  }

  /** Sources may be edited, replaced and created while the virtual dataset is open. */
  @Test
  void sourcesMayBeEditedBetweenReads() {
    createSources(3);
    Path source = folder.resolve("s1.h5");
    try (H5File file = Hdf5.open(createView(4).toString())) {
      Dataset view = file.dataset("v");
      assertThat(row(view, 1)).containsOnly(1);
      try (H5File edited = Hdf5.openForEdit(source.toString())) {
        edited.dataset("d").write(new int[] {9, 9, 9, 9, 9});
      }
      assertThat(row(view, 1)).containsOnly(9);
      try (H5File replaced = Hdf5.create(source)) {
        replaced.createDataset("d", new int[] {8, 8, 8, 8, 8});
      }
      assertThat(row(view, 1)).containsOnly(8);
      assertThat(row(view, 3)).as("no source").containsOnly(0);
      createSources(4);
      assertThat(row(view, 3)).containsOnly(3);
      assertThat(row(view, 1)).containsOnly(1);
    }
  }

  /** Two files whose virtual datasets lead into each other; both are closed by their users. */
  @Test
  void filesThatAreEachOthersSourcesAreClosed() throws IOException {
    for (String[] pair : new String[][] {{"sa.h5", "sb.h5"}, {"sb.h5", "sa.h5"}}) {
      try (H5File file = Hdf5.create(folder.resolve(pair[0]))) {
        file.createDataset("d", new int[] {1, 2, 3});
        Layout.Virtual.Mapping mapping =
            new Layout.Virtual.Mapping(
                Selection.all(), pair[1], "d", Dataspace.simple(3), Selection.all());
        DatasetOptions options =
            DatasetOptions.builder().layout(new Layout.Virtual(List.of(mapping))).build();
        file.datasetBuilder("v").type(Datatypes.I32LE).shape(3).options(options).create();
      }
    }
    H5File one = Hdf5.open(folder.resolve("sa.h5").toString());
    H5File other = Hdf5.open(folder.resolve("sb.h5").toString());
    assertThat(one.dataset("v").readInts()).containsExactly(1, 2, 3);
    assertThat(other.dataset("v").readInts()).containsExactly(1, 2, 3);
    one.close();
    assertThat(other.dataset("v").readInts()).containsExactly(1, 2, 3);
    other.close();
    assertThat(openSources()).isZero();
    try (H5File edited = Hdf5.openForEdit(folder.resolve("sa.h5").toString())) {
      edited.dataset("d").write(new int[] {4, 5, 6});
    }
  }

  /** Random boxes, which may overlap, read through random selections, against a plain array. */
  @Test
  void overlappingMappingsAreFoundInTheirOrder() {
    long seed = Seeds.draw();
    Random random = Seeds.random(seed, 0);
    createSources(12);
    for (int round = 0; round < 40; round++) {
      int rows = 12;
      int columns = 20;
      int[] expected = new int[rows * columns];
      List<Layout.Virtual.Mapping> mappings = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        boolean down = random.nextBoolean();
        int r = random.nextInt(rows - WIDTH + 1);
        int c = random.nextInt(columns - WIDTH + 1);
        Selection box =
            Selection.box(new long[] {r, c}, down ? new long[] {WIDTH, 1} : new long[] {1, WIDTH});
        mappings.add(
            new Layout.Virtual.Mapping(
                box, "s" + i + ".h5", "d", Dataspace.simple(WIDTH), Selection.all()));
        for (int k = 0; k < WIDTH; k++) {
          expected[down ? (r + k) * columns + c : r * columns + c + k] = i;
        }
      }
      Path path = folder.resolve("random" + round + ".h5");
      create(path, "v", new long[] {rows, columns}, mappings);
      try (H5File file = Hdf5.open(path.toString())) {
        Dataset view = file.dataset("v");
        assertThat(view.readInts()).as("seed %d round %d", seed, round).isEqualTo(expected);
        for (int k = 0; k < 10; k++) {
          int r = random.nextInt(rows);
          int c = random.nextInt(columns);
          int height = 1 + random.nextInt(rows - r);
          int width = 1 + random.nextInt(columns - c);
          int[] part = new int[height * width];
          for (int i = 0; i < part.length; i++) {
            part[i] = expected[(r + i / width) * columns + c + i % width];
          }
          Selection box = Selection.box(new long[] {r, c}, new long[] {height, width});
          assertThat(view.readInts(box)).as("seed %d round %d", seed, round).isEqualTo(part);
        }
      }
    }
  }

  @Test
  void sourceThatIsOpenForReadingIsReadFromAFileOpenForEditing() {
    createSources(1);
    Path path = folder.resolve("edited.h5");
    create(
        path,
        "v",
        new long[] {WIDTH},
        List.of(
            new Layout.Virtual.Mapping(
                Selection.all(), "s0.h5", "d", Dataspace.simple(WIDTH), Selection.all())));
    try (H5File source = Hdf5.open(folder.resolve("s0.h5"));
        H5File file = Hdf5.openForEdit(path)) {
      assertThat(file.dataset("v").readInts()).isEqualTo(source.dataset("d").readInts());
    }
  }
}
