package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The files of HDF5's own tests go to each format and back. What a format does not hold is left
 * out; all that comes back must be equal in h5py.
 */
final class CorpusConversionTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"h5", "nc4", "nc5", "zarr", "zarr3", "npz"})
  void filesConvertedThereAndBackAreEqual(String ending) throws IOException {
    List<String> pairs = new ArrayList<>();
    for (Path original : files()) {
      Path there = folder.resolve(pairs.size() + "." + ending);
      Path back = folder.resolve(pairs.size() + ".back.h5");
      if (converted(original, there) && converted(there, back)) {
        pairs.add(original + "\t" + back);
      }
    }
    Path list = Files.write(folder.resolve("pairs.txt"), pairs);
    Path script = folder.resolve("judge.py");
    try (InputStream in = CorpusConversionTest.class.getResourceAsStream("corpus_judge.py")) {
      Files.write(script, in.readAllBytes());
    }
    List<String> output =
        Oracle.h5py(script).run(list.toString()).orFail().output().lines().toList();
    assertThat(output.subList(1, output.size())).as(output.getFirst()).isEmpty();
    assertThat(output.getFirst()).as("what was compared").doesNotContain("\"datasets\": 0");
  }

  /** A conversion succeeds or is refused by a typed error, in which case nothing is left. */
  private static boolean converted(Path in, Path out) {
    ConversionOptions lenient =
        ConversionOptions.DEFAULT
            .withLenient(true)
            .withMemory(16 << 20)
            .withExpanded(64 << 20)
            .withReplace(true);
    Optional<FileKind> kind =
        in.toString().endsWith(".nc4") ? Optional.of(FileKind.NETCDF4) : Optional.empty();
    ConversionOptions options = kind.map(lenient::withFrom).orElse(lenient);
    try {
      FileConverter.convert(in, out, options, FileConverter.Progress.NONE);
      return true;
    } catch (HyperslabException refused) {
      assertThat(out).doesNotExist();
      return false;
    }
  }

  private static List<Path> files() {
    List<Path> all =
        Corpus.files(".").stream().filter(file -> !file.toString().contains("cve")).toList();
    int every = Effort.times(12, 1);
    return IntStream.range(0, all.size()).filter(i -> i % every == 0).mapToObj(all::get).toList();
  }
}
