package org.hyperslab.plugins.configured;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.vol.Connectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which connectors open a file, by its rules and by what the program is configured with. */
class FileChoicesTest {

  private static final String RULES =
      """
      version: 1
      files:
        - match: "*.h5"
          connector: compacting | native
        - match: hinted.*
          hints: {cb_nodes: 4}
      """;

  /** With {@code native} below, each rank would write the file alone. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          a.h5;      native;               compacting | native
          a.nc;      native;               native
          a.h5;      mpiio;                compacting | mpiio
          a.h5;      async | mpiio io=own; compacting | mpiio io=own
          hinted.nc; mpiio;                mpiio cb_nodes=4
          hinted.nc; mpiio cb_nodes=2;     mpiio cb_nodes=2
          hinted.nc; native;               native
          hinted.h5; mpiio;                compacting | mpiio cb_nodes=4
          """)
  void rulesChooseStacks(String name, String program, String chosen) {
    Configuration configuration = Configuration.parse(RULES, "x.yaml");
    assertThat(
            FileChoices.stack(name, configuration.rulesFor(name), Connectors.parse(program), false)
                .options()
                .toString())
        .isEqualTo(chosen);
  }
}
