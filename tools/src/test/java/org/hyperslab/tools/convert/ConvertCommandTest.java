package org.hyperslab.tools.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command {@code convert}. */
final class ConvertCommandTest {

  @TempDir Path folder;

  @Test
  void convertsThereAndBack() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("x", new double[] {1, 2.5});
    }
    String array = folder.resolve("x.npy").toString();
    assertThat(CommandRun.of("convert", in.toString(), array)).isEqualTo(new CommandRun(0, "", ""));
    String back = folder.resolve("back").toString();
    assertThat(CommandRun.of("convert", "--to", "hdf5", array, back).code()).isZero();
    try (H5File file = Hdf5.open(back)) {
      assertThat(file.dataset("data").readDoubles()).containsExactly(1, 2.5);
    }
  }

  @Test
  void listsOmittedObjects() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("x", new double[] {1, 2.5}).setAttribute("unit", "m");
    }
    String array = folder.resolve("x.npy").toString();
    CommandRun refused = CommandRun.of("convert", in.toString(), array);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("unit", "/x", "--lenient");
    CommandRun lenient = CommandRun.of("convert", "--lenient", in.toString(), array);
    assertThat(lenient.code()).isZero();
    assertThat(lenient.err()).contains("left out: /x: the attribute unit");
  }

  @Test
  void theOptionForUnitsNeedsNoValue() throws IOException {
    String in = Files.writeString(folder.resolve("in.csv"), "a,b\nfurlong,m\n1,2\n").toString();
    String out = folder.resolve("out.h5").toString();
    for (String[] bare :
        new String[][] {
          {"convert", "--units-row", in, out},
          {"convert", in, "--units-row", out},
          {"convert", "--replace", in, out, "--units-row"},
          {"convert", "--replace", "--units-row", "yes", in, out},
          {"convert", "--replace", "--units-row=yes", in, out}
        }) {
      CommandRun run = CommandRun.of(bare);
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(CommandRun.of("dump", out).out()).contains("furlong").doesNotContain("\"1\"");
      if (bare.length == 4) {
        Files.delete(Path.of(out));
      }
    }
    CommandRun data = CommandRun.of("convert", "--replace", "--units-row", "no", in, out);
    assertThat(data.code()).as(data.err()).isZero();
    assertThat(CommandRun.of("dump", out).out()).doesNotContain("ATTRIBUTE \"units\"");
    CommandRun wrong = CommandRun.of("convert", "--replace", "--units-row=maybe", in, out);
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("maybe", "yes or no");
  }

  @Test
  void readsWhatAConnectorOpens() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("g/x", new double[] {1, 2.5});
    }
    String out = folder.resolve("x.h5").toString();
    assertThat(CommandRun.of("convert", "--connector", "jhdf", in.toString(), out))
        .isEqualTo(new CommandRun(0, "", ""));
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("g/x").readDoubles()).containsExactly(1, 2.5);
    }
    CommandRun array =
        CommandRun.of("convert", "--connector", "native", "--from", "npy", "a", "b.h5");
    assertThat(array.code()).isEqualTo(1);
    CommandRun same =
        CommandRun.of(
            "convert", "--replace", "--connector", "native", in.toString(), in.toString());
    assertThat(same.code()).isEqualTo(1);
    assertThat(same.err()).contains("actual=the input");
    assertThat(in).exists();
  }

  @Test
  void compressesChunks() {
    Path in = folder.resolve("in.h5");
    double[] values = new double[300_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i / 7;
    }
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("x", values);
    }
    for (String name : new String[] {"x.h5", "x.nc4"}) {
      String out = folder.resolve(name).toString();
      assertThat(CommandRun.of("convert", "--deflate", "4", in.toString(), out))
          .isEqualTo(new CommandRun(0, "", ""));
      assertThat(Path.of(out).toFile().length()).isLessThan(in.toFile().length() / 10);
      CommandRun dumped = CommandRun.of("dump", "-pH", out);
      assertThat(dumped.out()).contains("PREPROCESSING SHUFFLE", "COMPRESSION DEFLATE { LEVEL 4 }");
      try (H5File file = Hdf5.open(out)) {
        assertThat(file.dataset("x").readDoubles()).isEqualTo(values);
      }
    }
    CommandRun array =
        CommandRun.of(
            "convert", "--deflate", "4", in.toString(), folder.resolve("x.npy").toString());
    assertThat(array.code()).isEqualTo(1);
    assertThat(array.err()).contains("npy", "--deflate");
    CommandRun level = CommandRun.of("convert", "--deflate", "10", in.toString(), "never.h5");
    assertThat(level.code()).isEqualTo(2);
    assertThat(level.err()).contains("10");
  }

  @Test
  void anOutputThatFailsIsRemovedOrKeptAsTold() throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("a", new int[] {1, 2});
      file.datasetBuilder("b")
          .value(new double[1000])
          .options(DatasetOptions.chunked(1000).deflate(1).build())
          .create()
          .close();
    }
    byte[] bytes = Files.readAllBytes(in);
    damage(bytes, in);
    Files.write(in, bytes);
    Path out = folder.resolve("out.h5");
    assertThat(CommandRun.of("convert", in.toString(), out.toString()).code()).isEqualTo(1);
    assertThat(out).doesNotExist();
    CommandRun kept = CommandRun.of("convert", "--keep-incomplete", in.toString(), out.toString());
    assertThat(kept.code()).isEqualTo(1);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("a").readInts()).containsExactly(1, 2);
    }
  }

  /** Damages the only chunk of the dataset b. */
  private static void damage(byte[] bytes, Path in) {
    try (H5File file = Hdf5.open(in);
        Dataset b = file.dataset("b")) {
      ChunkInfo chunk = b.chunks().findFirst().orElseThrow();
      bytes[(int) chunk.address() + 2] ^= 0x7F;
    }
  }

  @Test
  void namesTheFormats() {
    CommandRun run = CommandRun.of("convert", "--from", "excel", "a", "b");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("excel", "npy", "hdf5");
  }

  @Test
  void descriptionOfRawElementsNamesTheFormatToo() throws IOException {
    Path in = Files.write(folder.resolve("elements.dat"), new byte[] {1, 0, 2, 0});
    String out = folder.resolve("raw.h5").toString();
    assertThat(CommandRun.of("convert", "--raw", "type=<i2,shape=2", in.toString(), out))
        .isEqualTo(new CommandRun(0, "", ""));
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("data").readInts()).containsExactly(1, 2);
    }
  }

  @Test
  void namesThatNetcdfDoesNotAllowAreListed() {
    Path in = folder.resolve("names.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("line\nbreak", new double[] {1, 2.5});
      file.createDataset("x", new double[] {1, 2.5}).setAttribute("a\tb", 1);
    }
    String out = folder.resolve("names.nc").toString();
    assertThat(CommandRun.of("convert", in.toString(), out).code()).isEqualTo(1);
    CommandRun lenient = CommandRun.of("convert", "--lenient", in.toString(), out);
    assertThat(lenient.code()).as(lenient.err()).isZero();
    assertThat(lenient.err()).contains("/line\nbreak", "attribute \"a\tb\"");
  }
}
