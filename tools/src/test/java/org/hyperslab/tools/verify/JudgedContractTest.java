package org.hyperslab.tools.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.testkit.contract.ConnectorContract;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Judges the files that the contract suite writes through the native connector by other engines:
 * h5dump must print the same text; a copy by the C library must read the same; jHDF must read the
 * same values. Ordinary runs judge the files of one test in four, chosen by its name, so that the
 * order of tests does not matter.
 */
@ExtendWith(ConnectorContract.SampledCases.class)
final class JudgedContractTest extends ConnectorContract {

  /** The files of one in this number of tests are judged. */
  private static final int OF = Effort.times(4, 1);

  private static FileJudges judges;

  private boolean isJudged;

  @BeforeAll
  static void startJudges() {
    judges = FileJudges.start();
  }

  @AfterAll
  static void closeJudges() {
    if (judges != null) {
      System.out.println(judges.summary());
      judges.close();
    }
  }

  @BeforeEach
  void choose(TestInfo test) {
    String name = test.getTestMethod().orElseThrow() + test.getDisplayName();
    isJudged = Math.floorMod(name.hashCode(), OF) == 0;
  }

  @Override
  protected ConnectorFixture fixture() {
    return new JudgedFixture(TemporaryFolder.create("judged"), () -> isJudged);
  }

  /**
   * Provides files that are judged when they are closed.
   *
   * @param folder has the files
   * @param isJudged whether the files of the present test are judged
   */
  private record JudgedFixture(TemporaryFolder folder, BooleanSupplier isJudged)
      implements ConnectorFixture {

    @Override
    public Connector connect() {
      return Connectors.create("native");
    }

    @Override
    public String fileName(String base) {
      return folder.file(base).toString();
    }

    @Override
    public Optional<Path> path(String name) {
      return Optional.of(Path.of(name));
    }

    @Override
    public void close() {
      try (folder;
          Stream<Path> files = java.nio.file.Files.list(folder.path())) {
        if (isJudged.getAsBoolean()) {
          files.filter(java.nio.file.Files::isRegularFile).sorted().forEach(judges::judge);
        }
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }
}
