package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
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
  void namesTheFormats() {
    CommandRun run = CommandRun.of("convert", "--from", "excel", "a", "b");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("excel", "npy", "hdf5");
  }
}
