package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.interchange.json.JsonText;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documents of Zarr in which a value is another one, such as null in place of a number. */
final class ZarrDocumentsTest {

  private static final List<Object> OTHERS =
      List.of(
          JsonText.NULL, Map.of(), List.of(), "x", "", BigInteger.valueOf(-1), 1.5, true, "\ud800");

  @TempDir Path folder;

  private Path in;

  @BeforeEach
  void make() {
    in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.datasetBuilder("numbers")
          .value(new int[][] {{1, 2, 3}, {4, 5, 6}})
          .options(o -> o.chunked(1, 2).deflate(1))
          .create();
      file.createDataset("texts", new String[] {"a", "é"});
      file.createDataset("real", new double[] {1, Double.NaN});
      file.createGroup("g").setAttribute("names", new String[] {"a", "b"});
      file.dataset("numbers").setAttribute("scale", 2.5);
    }
  }

  /** Elements in an unknown order would be in wrong places, and chunks not found read as filled. */
  @ParameterizedTest
  @CsvSource({"order,X", "order,f", "dimension_separator,:"})
  void unknownWordsOfVersion2AreNamed(String member, String word) throws IOException {
    Path store = folder.resolve("words.zarr");
    FileConverter.convert(
        in,
        store,
        ConversionOptions.DEFAULT.withKinds(FileKind.HDF5, FileKind.ZARR2),
        FileConverter.Progress.NONE);
    Files.deleteIfExists(store.resolve(".zmetadata"));
    Path document = store.resolve("numbers/.zarray");
    Map<Object, Object> json =
        new LinkedHashMap<>((Map<?, ?>) JsonText.parse(Files.readString(document), "json"));
    json.put(member, word);
    Files.writeString(document, JsonText.write(json));
    assertThatThrownBy(() ->
            FileConverter.convert(
                store,
                folder.resolve("words.h5"),
                ConversionOptions.DEFAULT,
                FileConverter.Progress.NONE))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("actual=" + member + " \"" + word + "\"");
  }

  @Test
  void unknownByteOrdersAreNamed() throws IOException {
    Path store = folder.resolve("bytes.zarr");
    FileConverter.convert(
        in,
        store,
        ConversionOptions.DEFAULT.withKinds(FileKind.HDF5, FileKind.ZARR3),
        FileConverter.Progress.NONE);
    Path document = store.resolve("real/zarr.json");
    String json = Files.readString(document);
    String other = json.replaceFirst("\"endian\"\\s*:\\s*\"little\"", "\"endian\":\"BIG\"");
    assertThat(other).isNotEqualTo(json);
    Files.writeString(document, other);
    assertThatThrownBy(() ->
            FileConverter.convert(
                store,
                folder.resolve("bytes.h5"),
                ConversionOptions.DEFAULT,
                FileConverter.Progress.NONE))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("actual=endian \"BIG\"");
  }

  @Test
  void anyOtherValueIsAcceptedOrATypedError() throws IOException {
    long seed = Seeds.draw();
    System.out.println("hyperslab.seed=" + seed);
    Random random = new Random(seed);
    int tried = 0;
    for (FileKind kind : List.of(FileKind.ZARR2, FileKind.ZARR3)) {
      Path store = folder.resolve("store." + kind.option());
      FileConverter.convert(
          in,
          store,
          ConversionOptions.DEFAULT.withKinds(FileKind.HDF5, kind),
          FileConverter.Progress.NONE);
      Files.deleteIfExists(store.resolve(".zmetadata"));
      for (Path document : documents(store)) {
        String text = Files.readString(document);
        Object json = JsonText.parse(text, "json");
        int places = count(json);
        for (int place = 0; place < places; place++) {
          for (Object other : OTHERS) {
            if (random.nextInt(100) >= Effort.times(25, 100)) {
              continue;
            }
            Files.writeString(document, JsonText.write(replaced(json, new int[] {place}, other)));
            requireTyped(store, kind, document + " place " + place + ": " + other);
            tried++;
          }
        }
        Files.writeString(document, text);
      }
    }
    assertThat(tried).isGreaterThan(100);
  }

  private void requireTyped(Path store, FileKind kind, String what) {
    Path out = folder.resolve("out.h5");
    ConversionOptions options =
        ConversionOptions.DEFAULT
            .withKinds(kind, FileKind.HDF5)
            .withReplace(true)
            .withLenient(true);
    try {
      FileConverter.convert(store, out, options, FileConverter.Progress.NONE);
    } catch (CorruptFileException | UnsupportedFeatureException typed) {
      assertThat(typed.getMessage()).as(what).doesNotContain("java.lang", "JsonText");
    } catch (HyperslabException other) {
      assertThat(other).as(what).isNotInstanceOf(InternalErrorException.class);
      assertThat(other.getMessage()).as(what).doesNotContain("java.lang", "JsonText");
    }
  }

  private static List<Path> documents(Path store) throws IOException {
    try (Stream<Path> all = Files.walk(store)) {
      return all.filter(path -> path.getFileName().toString().matches("\\.z.*|zarr\\.json"))
          .sorted()
          .toList();
    }
  }

  /** The number of values in a value, itself included. */
  private static int count(Object json) {
    return switch (json) {
      case Map<?, ?> map -> 1 + map.values().stream().mapToInt(ZarrDocumentsTest::count).sum();
      case List<?> list -> 1 + list.stream().mapToInt(ZarrDocumentsTest::count).sum();
      default -> 1;
    };
  }

  /** Copies a value with another value at a place, which is counted down. */
  private static Object replaced(Object json, int[] place, Object other) {
    if (place[0]-- == 0) {
      return other;
    }
    return switch (json) {
      case Map<?, ?> map -> {
        Map<Object, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(key, replaced(value, place, other)));
        yield copy;
      }
      case List<?> list -> {
        List<Object> copy = new ArrayList<>();
        list.forEach(value -> copy.add(replaced(value, place, other)));
        yield copy;
      }
      default -> json;
    };
  }
}
