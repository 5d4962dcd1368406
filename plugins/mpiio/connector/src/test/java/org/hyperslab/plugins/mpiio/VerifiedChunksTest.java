package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.testkit.filter.FaultyFilter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code verify=write} where each rank encodes the chunks that it owns. */
class VerifiedChunksTest {

  private static final int RANKS = 2;
  private static final int EACH = 100;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {FaultyFilter.ALWAYS, FaultyFilter.LOSES_BITS})
  void everyRankLearnsOfADamagedChunk(int fault) {
    CreateOptions options =
        CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withProperty("verify", "write"));
    Path file = folder.resolve("a.h5");
    int[] numbers = IntStream.range(0, EACH).toArray();
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          try (MpiioConnector connector = MpiioConnector.over(comm, MpiioOptions.DEFAULT);
              Session session = Hdf5.session(connector);
              H5File opened = session.create(file, options)) {
            FilterSpec filter = FilterSpec.of(FaultyFilter.ID, fault);
            try (Dataset x =
                opened
                    .datasetBuilder("x")
                    .type(int.class)
                    .shape(RANKS * EACH)
                    .options(o -> o.chunked(EACH).filter(filter))
                    .create()) {
              Selection mine =
                  Selection.box(new long[] {(long) EACH * comm.rank()}, new long[] {EACH});
              Throwable thrown =
                  catchThrowable(
                      () -> x.writeAsync(mine, numbers, TransferOptions.COLLECTIVE).join());
              if (fault == FaultyFilter.LOSES_BITS) {
                assertThat(thrown).isNull();
              } else {
                assertThat(thrown)
                    .hasRootCauseInstanceOf(UnsupportedFeatureException.class)
                    .hasStackTraceContaining("not stored");
              }
            }
          }
        });
  }
}
