package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.plugins.mpiio.agree.Agreement;
import org.hyperslab.plugins.mpiio.agree.ComparedCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that unusual failures of one rank end the call on all ranks. */
final class RootErrorsTest {

  private static final int RANKS = 3;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"Create", "Flush"})
  void errorOfTheJvmOnRankZeroIsThrownOnAll(String kind) {
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          Agreement agreement = new Agreement(comm, Duration.ofSeconds(30).toNanos());
          ComparedCall call = new ComparedCall(kind, "the same");
          assertThatThrownBy(() ->
                  agreement.requireFromRoot(
                      call,
                      () -> {
                        throw new NoClassDefFoundError("injected");
                      }))
              .isInstanceOf(InternalErrorException.class)
              .hasMessageContaining("NoClassDefFoundError: injected");
          assertThat(agreement.requireFromRoot(call, () -> new byte[] {7})).containsExactly(7);
        });
  }

  @Test
  void rankThatCannotOpenTheFileIsReportedOnAll() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[10]);
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          RawFiles files = new RawFiles(new Agreement(comm), MpiioOptions.DEFAULT);
          Path mine = comm.rank() == 1 ? folder.resolve("absent") : file;
          assertThatThrownBy(() -> files.open(mine.toString(), OpenOptions.READ))
              .isInstanceOf(NotFoundException.class)
              .hasMessageContaining("absent")
              .hasMessageContaining("rank 1 of 3");
        });
  }
}
