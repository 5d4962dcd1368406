package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.error.UnsupportedFeatureException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a Zarr store of a few hundred bytes that states a huge array makes neither a huge
 * output nor takes long: formats that have all elements refuse it, and others have what is stored.
 */
@Timeout(60)
final class ExpandedOutputTest {

  private static final long HUGE = 1L << 40;
  private static final int MOST_BYTES = 4 << 20;

  @TempDir private Path folder;

  private Path array(String type, String fill) throws IOException {
    return array(type, fill, "");
  }

  private Path array(String type, String fill, String filter) throws IOException {
    Path store = Files.createDirectory(folder.resolve("in.zarr"));
    Files.writeString(store.resolve(".zgroup"), "{\"zarr_format\": 2}");
    Path array = Files.createDirectory(store.resolve("a"));
    Files.writeString(
        array.resolve(".zarray"),
        "{\"zarr_format\": 2, \"shape\": ["
            + HUGE
            + "], \"chunks\": [1000], \"dtype\": \""
            + type
            + "\", \"compressor\": null, \"fill_value\": "
            + fill
            + ", \"order\": \"C\", \"filters\": ["
            + filter
            + "]}");
    return store;
  }

  private long bytes(Path path) throws IOException {
    try (Stream<Path> all = Files.walk(path)) {
      return all.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".npz", ".nc", ".nc5", ".csv", ".tsv"})
  void formatsOfAllElementsRefuse(String ending) throws IOException {
    Path in = array("<f8", "1.5");
    assertThatThrownBy(() -> FileConverter.convert(in, folder.resolve("out" + ending)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("--max-expanded");
  }

  @ParameterizedTest
  @ValueSource(strings = {".h5", ".nc4", ".zarr", ".zarr3", ".zarr3.zip"})
  void chunkedFormatsHaveWhatIsStored(String ending) throws IOException {
    Path out = folder.resolve("out" + ending);
    FileConverter.convert(array("<f8", "1.5"), out);
    assertThat(bytes(out)).isLessThan(MOST_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {".h5", ".nc4", ".zarr2", ".zarr3"})
  void textWithAFillValueHasWhatIsStored(String ending) throws IOException {
    Path out = folder.resolve("out" + ending);
    FileConverter.convert(array("|O", "\"none\"", "{\"id\": \"vlen-utf8\"}"), out);
    assertThat(bytes(out)).isLessThan(MOST_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {".h5", ".zarr3"})
  void textWithoutOneToo(String ending) throws IOException {
    Path out = folder.resolve("out" + ending);
    FileConverter.convert(array("|O", "\"\"", "{\"id\": \"vlen-utf8\"}"), out);
    assertThat(bytes(out)).isLessThan(MOST_BYTES);
  }

  /** The limit also holds for what a writer finds out only as it writes. */
  @Test
  void elementsAreCountedAsTheyAreWritten() {
    ConversionRun.Limits limits = new ConversionRun.Limits(1 << 20, 1 << 20, 1000, false);
    try (ConversionRun work = new ConversionRun(limits, done -> {})) {
      work.advance(1000);
      assertThatThrownBy(() -> work.advance(1))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("--max-expanded");
    }
  }
}
