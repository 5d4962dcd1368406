package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;

/**
 * Converts random files, made by a judge's script, to HDF5 and back; the script compares the
 * results.
 *
 * <p>The script has two commands: {@code make FOLDER SEED COUNT} writes {@code FOLDER/in}; {@code
 * check FOLDER} compares {@code in} with {@code h5} and {@code back}, fails with what differs, and
 * prints how many cases there were.
 */
final class JudgedRoundTrip {

  private JudgedRoundTrip() {}

  /**
   * Runs it.
   *
   * @param judgeName the judge, by its name in the table of judges
   * @param script the script's file name beside this class
   * @param count how many files
   */
  static void run(String judgeName, String script, int count) {
    run(judgeName, script, count, ".h5");
  }

  /**
   * Runs it.
   *
   * @param judgeName the judge, by its name in the table of judges
   * @param script the script's file name beside this class
   * @param count how many files
   * @param middleEnding how the names of files end that the inputs are converted to
   */
  static void run(String judgeName, String script, int count, String middleEnding) {
    run(judgeName, script, count, middleEnding, _ -> ConversionOptions.DEFAULT);
  }

  /**
   * Runs it.
   *
   * @param judgeName the judge, by its name in the table of judges
   * @param script the script's file name beside this class
   * @param count how many files
   * @param middleEnding how the names of files end that the inputs are converted to
   * @param backOptions how each is converted back
   */
  static void run(
      String judgeName,
      String script,
      int count,
      String middleEnding,
      Function<Path, ConversionOptions> backOptions) {
    run(judgeName, script, count, middleEnding, backOptions, FileConverter::convert);
  }

  /**
   * Runs it with another way to the files in between.
   *
   * @param judgeName the judge, by its name in the table of judges
   * @param script the script's file name beside this class
   * @param count how many files
   * @param middleEnding how the names of files end that the inputs are converted to
   * @param backOptions how each is converted back
   * @param there makes the file in between, the second, of an input, the first
   */
  static void run(
      String judgeName,
      String script,
      int count,
      String middleEnding,
      Function<Path, ConversionOptions> backOptions,
      BiConsumer<Path, Path> there) {
    long seed = Seeds.draw();
    Oracle judge = Oracle.python(judgeName, resource(script));
    try (TemporaryFolder temporary = TemporaryFolder.create("convert")) {
      Path folder = temporary.path();
      judge.run("make", folder.toString(), Long.toString(seed), Integer.toString(count)).orFail();
      Files.createDirectory(folder.resolve("h5"));
      Files.createDirectory(folder.resolve("back"));
      for (Path in : cases(folder)) {
        Path middle = folder.resolve("h5").resolve(in.getFileName() + middleEnding);
        try {
          there.accept(in, middle);
          Path back = folder.resolve("back").resolve(in.getFileName());
          FileConverter.convert(middle, back, backOptions.apply(in), FileConverter.Progress.NONE);
        } catch (RuntimeException failure) {
          throw new AssertionError("seed " + seed + ", case " + in.getFileName(), failure);
        }
      }
      Oracle.Outcome outcome = judge.run("check", folder.toString());
      assertThat(outcome.exitCode()).as("seed %d%n%s", seed, outcome.text()).isZero();
      assertThat(outcome.output().strip()).isEqualTo(Integer.toString(count));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static List<Path> cases(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("in"))) {
      return files.sorted().toList();
    }
  }

  /** A file beside this class. */
  static Path resource(String name) {
    try {
      return Path.of(JudgedRoundTrip.class.getResource(name).toURI());
    } catch (URISyntaxException wrong) {
      throw new IllegalStateException(wrong);
    }
  }
}
