package org.hyperslab.tools.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests several numbers of clients in one run, and options from a file. */
final class FfbenchCommandTest {

  @TempDir private Path folder;

  @Test
  void runsEachNumberOfClientsAsAFileSays() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("small.properties"),
            "clients=2,4\nrows=2\ncolumns=8\nrepeats=2\nlatency-micros=10\nscenario=ROWS,STEAL\n");
    Path out = folder.resolve("out");
    CommandRun run =
        CommandRun.of(
            "ffbench", "--config", config.toString(), "--out", out.toString(), "--repeats", "1");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("FFbench: 2 clients, 2 rows of 8, ")
        .contains("FFbench: 4 clients, 2 rows of 8, ")
        .contains("10 µs a request");
    assertThat(out.resolve("ffbench.txt")).content().contains("FFbench: 4 clients");
    assertThat(out.resolve("ffbench-4.png")).isNotEmptyFile();
  }

  @Test
  void wrongLinesOfTheFileAreNamed() throws IOException {
    Path unknown = Files.writeString(folder.resolve("unknown"), "customers=3\n");
    CommandRun run = CommandRun.of("ffbench", "--config", unknown.toString());
    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains("actual=customers, expected=an option of ffbench");
    Path wrong = Files.writeString(folder.resolve("wrong"), "clients=many\n");
    run = CommandRun.of("ffbench", "--config", wrong.toString());
    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains("'many' is not an int").contains("at=" + wrong);
  }
}
