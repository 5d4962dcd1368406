package org.hyperslab.convert;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hyperslab.convert.FileConverter.Progress.NONE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the conversion of many files to one: stripes of HDF5's subfiling driver, and one file for
 * each rank.
 */
final class ManyFilesTest {

  @TempDir Path folder;

  @Test
  void randomSetsBecomeOneFile() {
    judged(24);
  }

  static void judged(int count) {
    long seed = Seeds.draw();
    Oracle judge = Oracle.python("h5py", JudgedRoundTrip.resource("parts_judge.py"));
    try (TemporaryFolder temporary = TemporaryFolder.create("many")) {
      String folder = temporary.path().toString();
      judge.run("make", folder, Long.toString(seed), Integer.toString(count)).orFail();
      for (int i = 0; i < count; i++) {
        Path one = temporary.path().resolve(Integer.toString(i));
        Path in = one.resolve(i % 2 == 0 ? "stub.h5" : "all.parts");
        try {
          ConversionReport report = FileConverter.convert(in, one.resolve("out.h5"));
          assertThat(report.from()).isEqualTo(i % 2 == 0 ? FileKind.SUBFILING : FileKind.PARTS);
        } catch (RuntimeException failure) {
          throw new AssertionError("seed " + seed + ", case " + i, failure);
        }
      }
      Oracle.Outcome outcome = judge.run("check", folder);
      assertThat(outcome.exitCode()).as("seed %d%n%s", seed, outcome.text()).isZero();
      assertThat(outcome.output().strip()).isEqualTo(Integer.toString(count));
    }
  }

  private Path ranks(String text) throws IOException {
    for (int rank = 0; rank < 2; rank++) {
      try (H5File file = Hdf5.create(folder.resolve("rank" + rank + ".h5"))) {
        file.createDataset("x", new int[] {rank, rank});
        file.createDataset("time", 5.0 + rank);
      }
    }
    return Files.writeString(folder.resolve("run.parts"), text);
  }

  @Test
  void differencesBetweenRanksAreNamed() throws IOException {
    Path in = ranks("hyperslab parts 1\nrank0.h5\nrank1.h5\n");
    Path out = folder.resolve("out.h5");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("rank1.h5:/time");
    assertThat(out).doesNotExist();
    ConversionOptions lenient = ConversionOptions.DEFAULT.withLenient(true);
    FileConverter.convert(in, out, lenient, FileConverter.Progress.NONE);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("x").readInts()).containsExactly(0, 0, 1, 1);
      assertThat(file.dataset("time").read(Double.class)).isEqualTo(5);
    }
  }

  @Test
  void listsThatLeadOutOfTheirFolderAreRefused() throws IOException {
    for (String line : List.of("../rank0.h5", "/etc/hostname", "a/../../b.h5", "", "axis x")) {
      Path in = ranks("hyperslab parts 1\n" + line + "\n");
      assertThatThrownBy(() -> FileConverter.convert(in, folder.resolve("out.h5")))
          .as(line)
          .isInstanceOf(HyperslabException.class)
          .isNotInstanceOf(InternalErrorException.class);
      assertThat(folder.resolve("out.h5")).doesNotExist();
    }
  }

  @Test
  void stripesThatWouldMakeAHugeFileAreRefused() throws IOException {
    Path stub = Files.write(folder.resolve("a.h5"), new byte[0]);
    Path config = folder.resolve("a.h5.subfile_7.config");
    for (int i = 1; i <= 2; i++) {
      Files.write(folder.resolve("a.h5.subfile_7_" + i + "_of_2"), new byte[100]);
    }
    String names = "a.h5.subfile_7_1_of_2\na.h5.subfile_7_2_of_2\n";
    for (String text :
        List.of(
            "stripe_size=900000000000000000\nsubfile_count=2\n" + names,
            "stripe_size=9000000000000000\nsubfile_count=2\n" + names,
            "stripe_size=0\nsubfile_count=2\n" + names,
            "stripe_size=50\nsubfile_count=3\n" + names,
            "stripe_size=50\nsubfile_count=1\nsubfile_dir=/\n../a.h5.subfile_7_1_of_2\n",
            "stripe_size=50\nsubfile_count=1\nsubfile_dir=\0\na.h5.subfile_7_1_of_2\n",
            "stripe_size=50\nsubfile_count=2\n" + names,
            "")) {
      Files.writeString(config, text);
      for (Path in : List.of(stub, config)) {
        Path out = folder.resolve("out.h5");
        assertThatThrownBy(() -> FileConverter.convert(in, out))
            .as(text)
            .isInstanceOf(CorruptFileException.class);
        assertThat(out).doesNotExist();
      }
    }
  }

  @Test
  void damagedListsAndConfigurationsAreRefusedOrRead() throws IOException {
    byte[] list =
        Files.readAllBytes(
            ranks("hyperslab parts 1\n# both\naxis 0\nsame /time\nrank0.h5\nrank1.h5\n"));
    damaged(folder.resolve("run.parts"), folder.resolve("run.parts"), list);
    Path stub = Files.write(folder.resolve("a.h5"), new byte[0]);
    for (int i = 1; i <= 2; i++) {
      Files.write(folder.resolve("a.h5.subfile_7_" + i + "_of_2"), new byte[100]);
    }
    String config =
        "stripe_size=50\naggregator_count=2\nsubfile_count=2\nhdf5_file=a.h5\nsubfile_dir=.\n"
            + "a.h5.subfile_7_1_of_2\na.h5.subfile_7_2_of_2\n";
    damaged(stub, folder.resolve("a.h5.subfile_7.config"), config.getBytes(US_ASCII));
  }

  /** Damages the text of a file, and converts another one that leads to it. */
  private void damaged(Path in, Path text, byte[] sound) throws IOException {
    Path out = folder.resolve("out.h5");
    long seed = Seeds.draw();
    for (int i = 0; i < Effort.times(150, 5_000); i++) {
      Files.write(text, HostileInput.damage(sound, Seeds.random(seed, i)));
      String what = text + ", seed " + seed + ", case " + i;
      boolean refused =
          HostileInput.measured(
              what,
              () ->
                  FileConverter.convert(
                      in, out, ConversionOptions.DEFAULT.withMemory(16 << 20), NONE));
      assertThat(Files.exists(out)).as(what).isEqualTo(!refused);
      Files.deleteIfExists(out);
    }
  }
}
