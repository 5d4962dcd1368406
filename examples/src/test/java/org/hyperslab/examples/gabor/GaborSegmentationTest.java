package org.hyperslab.examples.gabor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.plugins.mpiio.MpiioConnector;
import org.hyperslab.plugins.mpiio.MpiioOptions;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.vol.Connector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the labels are right, and that all variants write the same bytes. */
final class GaborSegmentationTest {

  private static final int SIZE = 192;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"true, progress=thread", "false, progress=wait", "false, progress=thread"})
  void allVariantsWriteTheSameBytesAndFindThePatches(boolean hdf5, String hints) {
    run(folder, hdf5, hints, 3);
    if (hdf5) {
      for (int filter = 0; filter < 12; filter++) {
        String name = "texture-%02d.h5".formatted(filter);
        Oracle.h5diff()
            .run(file("blocking", name).toString(), file("tested", name).toString())
            .orFail();
        Oracle.h5diff()
            .run(file("blocking", name).toString(), file("started", name).toString())
            .orFail();
      }
    }
  }

  @Test
  void texturesDoNotDependOnTheNumberOfRanks() throws IOException {
    run(folder, false, "progress=wait", 1);
    Path many = folder.resolve("many");
    run(many, false, "progress=wait", 4);
    for (int filter = 0; filter < 12; filter++) {
      Path file = Path.of("tested", "texture-%02d.raw".formatted(filter));
      assertThat(Files.mismatch(folder.resolve(file), many.resolve(file))).isEqualTo(-1);
    }
  }

  @Test
  void sizesBelowOneAreRefused() {
    assertThatThrownBy(
            () -> new GaborSegmentation.Settings(folder, 0, 1, null, Hints.defaults(), null, 0))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("gabor: actual=0 pixels, 1 channels");
  }

  private Path file(String variant, String name) {
    return folder.resolve(variant).resolve(name);
  }

  private static void run(Path folder, boolean hdf5, String text, int ranks) {
    Hints hints = Hints.parse(text);
    MpiioOptions options = MpiioOptions.DEFAULT.withHints(hints);
    ThreadWorld.of(ranks)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(world -> {
          try (Connector connector = hdf5 ? MpiioConnector.over(world, options) : null) {
            run(world, new GaborSegmentation.Settings(folder, SIZE, 3, connector, hints, null, 0));
          }
        });
  }

  private static void run(Communicator world, GaborSegmentation.Settings settings) {
    GaborSegmentation gabor = new GaborSegmentation(world, settings);
    gabor.prepare();
    for (GaborSegmentation.Variant variant : GaborSegmentation.Variant.values()) {
      assertThat(gabor.run(variant).right()).isGreaterThan(0.8);
    }
    world.barrier();
    gabor.requireSameBytes(GaborSegmentation.Variant.BLOCKING, GaborSegmentation.Variant.STARTED);
    gabor.requireSameBytes(GaborSegmentation.Variant.BLOCKING, GaborSegmentation.Variant.TESTED);
  }
}
