package org.hyperslab.plugins.forwarding.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories find the faults of {@link Mutant}, each of which is put into the engine alone. */
class MutantsTest {

  private static final int HISTORIES = 150;

  @TempDir private Path folder;

  @Test
  void placesOfTheFaultsExist() throws Exception {
    Path project = Path.of(System.getProperty("hyperslab.root"));
    for (Mutant mutant : Mutant.all()) {
      String text = Files.readString(project.resolve(mutant.file()));
      int at = text.indexOf(mutant.from());
      assertThat(at).as(mutant.name()).isNotNegative();
      assertThat(text.indexOf(mutant.from(), at + 1)).as(mutant.name()).isNegative();
    }
  }

  /** Faults that histories have never found are left out: nothing depends on what they do. */
  @Test
  void historiesFindTheFaults() throws Exception {
    assumeTrue(
        Boolean.getBoolean("hyperslab.mutants"), "takes minutes; -Dhyperslab.mutants=true runs it");
    MutantTrial trial = new MutantTrial(Path.of(System.getProperty("hyperslab.root")), folder);
    List<String> survivors = new ArrayList<>();
    for (Mutant mutant : Mutant.all()) {
      if (!Mutant.UNSEEN.contains(mutant.name()) && trial.run(mutant, HISTORIES) == null) {
        survivors.add(mutant.name());
      }
    }
    assertThat(survivors).as("faults that histories found before").isEmpty();
  }
}
