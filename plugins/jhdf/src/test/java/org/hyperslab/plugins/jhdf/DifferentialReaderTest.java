package org.hyperslab.plugins.jhdf;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.differential.Differential;
import org.junit.jupiter.api.Test;

/** Tests that jHDF reads the files of random histories correctly, unless it refuses them. */
final class DifferentialReaderTest {

  private static final int FEW = 40;
  private static final int MANY = 200;

  @Test
  void jhdfReadsTheFilesOfAFewHistories() {
    assertThat(readDatasets(0, FEW)).isPositive();
  }

  @Campaign
  @Test
  void jhdfReadsTheFilesOfManyHistories() {
    assertThat(readDatasets(FEW, MANY)).isGreaterThan(MANY / 10);
  }

  private static int readDatasets(int first, int count) {
    try (Session jhdf = Hdf5.session(new JhdfConnector());
        Differential tester = new Differential(Hdf5.session("native"), jhdf)) {
      tester.run(Seeds.draw(), first, count);
      return tester.readByAnother();
    }
  }
}
