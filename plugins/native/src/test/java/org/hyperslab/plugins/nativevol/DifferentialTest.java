package org.hyperslab.plugins.nativevol;

import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.differential.Conversions;
import org.hyperslab.testkit.differential.Differential;
import org.hyperslab.testkit.differential.SwmrDifferential;
import org.junit.jupiter.api.Test;

/**
 * Random histories by turns with the HDF5 C library, of which a model in plain Java knows what they
 * should leave.
 */
class DifferentialTest {

  private static final int FEW = Effort.times(24, 60);
  private static final int MANY = 2000;

  @Test
  void fewAlternatingHistoriesMatchTheModelForEveryReader() {
    try (Differential tester = new Differential(Hdf5.session("native"))) {
      tester.run(Seeds.draw(), 0, FEW);
    }
  }

  @Campaign
  @Test
  void manyAlternatingHistoriesMatchTheModelForEveryReader() {
    try (Differential tester = new Differential(Hdf5.session("native"))) {
      tester.run(Seeds.draw(), FEW, MANY);
    }
  }

  @Test
  void readersFindFlushedContentInAFewFiles() {
    try (SwmrDifferential tester = new SwmrDifferential(Hdf5.session("native"))) {
      tester.run(Seeds.draw(), 0, FEW / 3);
    }
  }

  @Campaign
  @Test
  void readersFindFlushedContentInManyFiles() {
    try (SwmrDifferential tester = new SwmrDifferential(Hdf5.session("native"))) {
      tester.run(Seeds.draw(), FEW / 3, MANY / 8);
    }
  }

  @Test
  void fewConversionsMatchTheLibraryBitByBit() {
    try (Session session = Hdf5.session("native")) {
      new Conversions(session).run(Seeds.draw(), 20 * FEW);
    }
  }

  @Campaign
  @Test
  void manyConversionsMatchTheLibraryBitByBit() {
    try (Session session = Hdf5.session("native")) {
      new Conversions(session).run(Seeds.draw() + MANY, 5 * MANY);
    }
  }
}
