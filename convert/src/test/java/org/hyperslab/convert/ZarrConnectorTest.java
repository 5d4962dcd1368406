package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.hyperslab.Session;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.zarr.connector.ZarrConnectorFactory;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that stores of Zarr can be read like HDF5 files. */
final class ZarrConnectorTest {

  @TempDir Path folder;

  private static void throughConnector(Path in, Path out) {
    try (H5File file = Hdf5.open("zarr:" + in)) {
      FileConverter.convert(file, out, ConversionOptions.DEFAULT, FileConverter.Progress.NONE);
    }
  }

  /** zarr-python compares what the connector reads, and what is made of that. */
  @Test
  void readsRandomHierarchiesAsZarrDoes() {
    JudgedRoundTrip.run(
        "zarr",
        "zarr_judge.py",
        Effort.times(36, 400),
        ".h5",
        ZarrConversionTest::layout,
        ZarrConnectorTest::throughConnector);
  }

  /** A store of an array of 0, 1, 2 and so on. */
  private Path store(long[] shape, long[] chunk, String name) {
    Path made = folder.resolve(name + ".h5");
    int[] values = new int[(int) Dataspace.product(shape)];
    Arrays.setAll(values, i -> i);
    try (H5File file = Hdf5.create(made)) {
      file.datasetBuilder("x")
          .type(int.class)
          .shape(shape)
          .options(o -> o.chunked(chunk).deflate(1))
          .create()
          .write(values);
      file.createDataset("texts", new String[] {"a", "", "grün"});
      file.createDataset("g/one", 7.5).setAttribute("unit", "m");
    }
    Path out = folder.resolve(name);
    FileConverter.convert(made, out);
    return out;
  }

  @Test
  void readsAnySelection() {
    long seed = Seeds.draw();
    for (int i = 0; i < Effort.times(20, 500); i++) {
      Random random = Seeds.random(seed, i);
      long[] shape = new long[1 + random.nextInt(3)];
      long[] chunk = new long[shape.length];
      for (int d = 0; d < shape.length; d++) {
        shape[d] = 1 + random.nextInt(9);
        chunk[d] = 1 + random.nextInt((int) shape[d]);
      }
      Path store = store(shape, chunk, i + (random.nextBoolean() ? ".zarr" : ".zarr.zip"));
      try (H5File file = Hdf5.open("zarr:" + store);
          H5File same = Hdf5.open(folder.resolve(store.getFileName() + ".h5"))) {
        for (int k = 0; k < 10; k++) {
          Selection selection = selection(random, shape);
          assertThat(file.dataset("x").readDoubles(selection))
              .as("seed %d, case %d, %s", seed, i, selection)
              .isEqualTo(same.dataset("x").readDoubles(selection));
        }
      }
    }
  }

  /** Points, or several boxes with steps. */
  private static Selection selection(Random random, long[] shape) {
    if (random.nextInt(4) == 0) {
      long[] points = new long[shape.length * (1 + random.nextInt(5))];
      Arrays.setAll(points, i -> random.nextInt((int) shape[i % shape.length]));
      return Selection.points(shape.length, points);
    }
    List<Selection> parts = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      long[] start = new long[shape.length];
      long[] stride = new long[shape.length];
      long[] count = new long[shape.length];
      long[] block = new long[shape.length];
      for (int d = 0; d < shape.length; d++) {
        start[d] = random.nextInt((int) shape[d]);
        stride[d] = 1 + random.nextInt(3);
        block[d] = 1;
        count[d] = 1 + random.nextInt((int) ((shape[d] - start[d] - 1) / stride[d] + 1));
      }
      parts.add(Selection.hyperslab(start, stride, count, block));
    }
    return Selection.union(parts);
  }

  @Test
  void listsAndReadsLikeAFile() {
    Path store = store(new long[] {4, 6}, new long[] {3, 4}, "a.zarr");
    try (Session session = Hdf5.session("zarr");
        H5File file = session.open(store)) {
      assertThat(file.root().links().map(l -> l.name()).toList())
          .containsExactly("g", "texts", "x");
      assertThat(file.dataset("texts").readStrings()).containsExactly("a", "", "grün");
      assertThat(file.dataset("g/one").readDoubles()).containsExactly(7.5);
      assertThat(file.dataset("g/one").attribute("unit").readString()).isEqualTo("m");
      Dataset x = file.dataset("x");
      assertThat(x.readInts(Selection.box(new long[] {3, 3}, new long[] {1, 3})))
          .containsExactly(21, 22, 23);
      assertThat(x.datasetInfo().storage().chunkIndex()).isEmpty();
      int[] first = new int[2];
      double[] one = new double[1];
      file.multiRead().read(x.slice("0, 4:6"), first).read(file.dataset("g/one"), one).run();
      assertThat(first).containsExactly(4, 5);
      assertThat(one).containsExactly(7.5);
      assertThat(file.dataset("/x").isSameAs(x)).isTrue();
      assertThat(x.findPath()).contains("/x");
      assertThat(file.name()).isEqualTo(store.toString());
    }
  }

  @Test
  void twoStoresAreApart() {
    Path a = store(new long[] {2}, new long[] {2}, "a.zarr");
    Path b = store(new long[] {3}, new long[] {1}, "b.zarr.zip");
    try (Session session = Hdf5.session("zarr");
        H5File one = session.open(a);
        H5File two = session.open(b)) {
      assertThat(one.dataset("x").readInts()).containsExactly(0, 1);
      assertThat(two.dataset("x").readInts()).containsExactly(0, 1, 2);
      assertThat(one.dataset("x").isSameAs(two.dataset("x"))).isFalse();
    }
  }

  @Test
  void nothingIsEdited() {
    Path store = store(new long[] {2}, new long[] {2}, "a.zarr");
    try (Session session = Hdf5.session("zarr")) {
      assertThat(session.exists(store)).isTrue();
      assertThat(session.exists(folder.resolve("a.zarr.h5"))).isFalse();
      assertThatThrownBy(() -> session.openForEdit(store))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("a.zarr");
      assertThatThrownBy(() -> session.create(folder.resolve("new.zarr")))
          .isInstanceOf(UnsupportedFeatureException.class);
      assertThatThrownBy(() -> session.delete(store))
          .isInstanceOf(UnsupportedFeatureException.class);
      assertThatThrownBy(() -> session.open(folder.resolve("none.zarr")))
          .isInstanceOf(NotFoundException.class);
      assertThatThrownBy(() -> session.open(folder))
          .isInstanceOf(UnsupportedFeatureException.class);
      try (H5File file = session.open(store)) {
        assertThatThrownBy(() -> file.root().setAttribute("a", 1))
            .isInstanceOf(HyperslabException.class);
        assertThatThrownBy(() -> file.dataset("x").chunks().toList())
            .isInstanceOf(UnsupportedFeatureException.class);
      }
      assertThatThrownBy(() -> session.open(store.toString(), OpenOptions.EDIT))
          .isInstanceOf(UnsupportedFeatureException.class);
    }
    assertThatThrownBy(() -> Hdf5.session("zarr | native")).isInstanceOf(InvalidUseException.class);
  }

  @Test
  void whatHdf5CannotHoldIsTold() throws IOException {
    Path store = folder.resolve("clash.zarr");
    for (String name : List.of("a", "b")) {
      Files.createDirectories(store.resolve(name));
      String length = name.equals("a") ? "2" : "3";
      Files.writeString(
          store.resolve(name).resolve(".zarray"),
          """
          {"zarr_format":2,"shape":[%s],"chunks":[2],"dtype":"<i4","order":"C","fill_value":5,\
          "filters":null,"compressor":null}\
          """
              .formatted(length));
      Files.writeString(store.resolve(name).resolve(".zattrs"), "{\"_ARRAY_DIMENSIONS\":[\"n\"]}");
    }
    Files.writeString(store.resolve(".zgroup"), "{\"zarr_format\":2}");
    List<String> losses = new ArrayList<>();
    try (Session session = Hdf5.session(ZarrConnectorFactory.create(losses::add));
        H5File file = session.open(store)) {
      assertThat(file.dataset("b").readInts()).containsExactly(5, 5, 5);
    }
    assertThat(losses).singleElement().asString().contains("\"n\"");
  }

  /** A store of four arrays, three of which cannot be read. */
  private Path partlyReadable(boolean three) throws IOException {
    Path made = folder.resolve("three.h5");
    try (H5File file = Hdf5.create(made)) {
      for (String name : List.of("good", "g/lzma", "g/object", "cut")) {
        file.createDataset(name, new int[] {1, 2});
      }
    }
    Path store = folder.resolve(three ? "partly.zarr3" : "partly.zarr");
    FileConverter.convert(made, store);
    String document = three ? "zarr.json" : ".zarray";
    Path lzma = store.resolve("g/lzma").resolve(document);
    String text = Files.readString(lzma);
    String changed =
        three
            ? text.replaceFirst("\"codecs\":\\s*\\[", "\"codecs\":[{\"name\":\"numcodecs.lzma\"},")
            : text.replaceFirst("\"filters\":\\s*null", "\"filters\":[{\"id\":\"lzma\"}]");
    assertThat(changed).contains("lzma");
    Files.writeString(lzma, changed);
    Path object = store.resolve("g/object").resolve(document);
    Files.writeString(object, Files.readString(object).replace(three ? "int32" : "<i4", "|O"));
    Path cut = store.resolve("cut").resolve(document);
    Files.writeString(cut, Files.readString(cut).substring(0, 40));
    Files.deleteIfExists(store.resolve(".zmetadata"));
    return store;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void arraysThatCannotBeReadAreLeftOut(boolean three) throws IOException {
    Path store = partlyReadable(three);
    List<String> losses = new ArrayList<>();
    try (Session session = Hdf5.session(ZarrConnectorFactory.create(losses::add));
        H5File file = session.open(store)) {
      assertThat(file.dataset("good").readInts()).containsExactly(1, 2);
      assertThat(file.root().names()).containsExactlyInAnyOrder("good", "g");
      assertThat(file.group("g").names()).isEmpty();
    }
    assertThat(losses)
        .hasSize(3)
        .anyMatch(line -> line.startsWith("/g/lzma: ") && line.contains("lzma"))
        .anyMatch(line -> line.startsWith("/g/object: ") && line.contains("|O"))
        .anyMatch(line -> line.startsWith("/cut: "));
    Path out = folder.resolve("out.h5");
    ConversionOptions lenient = ConversionOptions.DEFAULT.withLenient(true);
    assertThat(FileConverter.convert(store, out, lenient, FileConverter.Progress.NONE).losses())
        .isEqualTo(losses);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("good").readInts()).containsExactly(1, 2);
    }
    assertThatThrownBy(() -> FileConverter.convert(store, folder.resolve("strict.h5")))
        .isInstanceOf(HyperslabException.class);
    assertThatThrownBy(() -> Hdf5.open("zarr:" + store)).isInstanceOf(HyperslabException.class);
  }

  /** Nothing would be left. */
  @Test
  void aStoreThatIsOneArrayIsNotLeftOut() throws IOException {
    Path store = partlyReadable(false).resolve("g/lzma");
    try (Session session = Hdf5.session(ZarrConnectorFactory.create(_ -> {}))) {
      assertThatThrownBy(() -> session.open(store))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("lzma");
    }
  }

  /** A store can state chunks far larger than itself, and many of them. */
  @Test
  void hugeShapesAreRefusedOrSparse() throws IOException {
    Path store = folder.resolve("huge.zarr");
    for (String chunk : List.of("536870912", "1000")) {
      Path array = Files.createDirectories(store.resolve("c" + chunk));
      Files.writeString(
          array.resolve(".zarray"),
          """
          {"zarr_format":2,"shape":[1099511627776],"chunks":[%s],"dtype":"<i4","order":"C",\
          "fill_value":5,"filters":null,"compressor":null}\
          """
              .formatted(chunk));
    }
    Files.writeString(store.resolve(".zgroup"), "{\"zarr_format\":2}");
    Selection last = Selection.box(new long[] {(1L << 40) - 1}, new long[] {1});
    try (H5File file = Hdf5.open("zarr:" + store)) {
      assertThat(file.dataset("c1000").readInts(last)).containsExactly(5);
      assertThatThrownBy(() -> file.dataset("c536870912").readInts(last))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("c536870912");
    }
  }

  @Test
  void damagedHierarchiesAreRefused() throws IOException {
    Path sound = store(new long[] {4, 6}, new long[] {3, 4}, "sound.zarr");
    List<Path> files;
    try (Stream<Path> all = Files.walk(sound)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    long seed = Seeds.draw();
    for (int i = 0; i < Effort.times(100, 3000); i++) {
      Random random = Seeds.random(seed, i);
      Path file = files.get(random.nextInt(files.size()));
      byte[] before = Files.readAllBytes(file);
      Files.write(file, HostileInput.damage(before, random));
      try (H5File opened = Hdf5.open("zarr:" + sound)) {
        opened.dataset("x").readInts();
        opened.dataset("texts").readStrings();
      } catch (HyperslabException expected) {
        assertThat(expected).hasMessageContaining("actual");
      } catch (RuntimeException | Error failure) {
        throw new AssertionError("seed " + seed + ", case " + i, failure);
      }
      Files.write(file, before);
    }
  }
}
