package org.hyperslab.plugins.compacting;

import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.differential.Differential;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories by turns with the HDF5 C library, through connectors that delay, merge or keep
 * what they pass on.
 */
class StackDifferentialTest {

  private static final int FEW = Effort.times(6, 30);
  private static final int MANY = 300;

  @ParameterizedTest
  @ValueSource(strings = {"compacting | native", "async | native", "caching | native"})
  void fewHistoriesMatchTheModelThroughAStack(String stack) {
    try (Differential tester = new Differential(Hdf5.session(stack))) {
      tester.run(Seeds.draw(), 0, FEW);
    }
  }

  @Campaign
  @Test
  void manyHistoriesMatchTheModelThroughTheWholeStack() {
    try (Differential tester =
        new Differential(Hdf5.session("caching | async | compacting | native"))) {
      tester.run(Seeds.draw(), FEW, MANY);
    }
  }
}
