package org.hyperslab.tools.edit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the command {@code clear}. */
final class ClearCommandTest {

  /** The address of the root group's header in the file of a superblock of version 3. */
  private static final int ROOT_HEADER = 48;

  @TempDir private Path folder;

  @Test
  void opensAFileOfACrashedWriter() throws IOException {
    Path path = folder.resolve("dead.h5");
    Files.copy(Corpus.file("misc/latest_h5clear_sec2_v3.h5"), path);
    assertThat(CommandRun.of("ls", path.toString()).code()).isNotZero();
    assertThat(CommandRun.of("clear", "-s", path.toString()).code()).isZero();
    assertThat(CommandRun.of("ls", path.toString()).code()).isZero();
    assertThat(CommandRun.of("clear", "-s", path.toString()).code()).isZero();
    Hdf5.open(path).close();
  }

  @Test
  void removesTheMarkOfAFileWhoseRootGroupIsDamaged() throws IOException {
    Path ours = folder.resolve("ours.h5");
    Path theirs = folder.resolve("theirs.h5");
    byte[] damaged = Files.readAllBytes(Corpus.file("misc/latest_h5clear_sec2_v3.h5"));
    damaged[ROOT_HEADER + 12] ^= 1;
    Files.write(ours, damaged);
    Files.write(theirs, damaged);
    Oracle.program("h5clear").run("-s", theirs.toString()).orFail();
    CommandRun run = CommandRun.of("clear", "--increment=0", "-s", ours.toString());
    assertThat(run.code()).isZero();
    assertThat(run.err()).contains("the mark is removed", "object header: checksum");
    assertThat(Files.readAllBytes(ours)).isEqualTo(Files.readAllBytes(theirs));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-m", "--image"})
  void removesTheImageOfAMetadataCache(String option) throws IOException {
    Path path = folder.resolve("image.h5");
    Files.copy(Corpus.file("misc/h5clear_mdc_image.h5"), path);
    Oracle h5dump = Oracle.h5dump();
    String content = h5dump.run(path.toString()).orFail().output();
    assertThat(CommandRun.of("clear", option, path.toString()))
        .isEqualTo(new CommandRun(0, "", ""));
    assertThat(h5dump.run(path.toString()).orFail().output()).isEqualTo(content);
    assertThat(Oracle.program("h5clear").run("-m", path.toString()).orFail().text())
        .contains("No cache image in the file");
    assertThat(CommandRun.of("clear", option, path.toString()).code()).isZero();
  }

  @Test
  void aTruncatedFileIsStillAFailure() throws IOException {
    Path path = folder.resolve("short.h5");
    byte[] whole = Files.readAllBytes(Corpus.file("misc/latest_h5clear_sec2_v3.h5"));
    Files.write(path, Arrays.copyOf(whole, whole.length - 1));
    assertThat(Oracle.program("h5clear").run("-s", path.toString()).exitCode()).isEqualTo(1);
    CommandRun run = CommandRun.of("clear", "-s", path.toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("truncated file");
  }

  @Test
  void missingOptionIsNamedAndHelpExplainsIt() {
    CommandRun run = CommandRun.of("clear", "a.h5");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("[-s]", "--increment", "Usage: hyperslab clear", " FILE");
    assertThat(CommandRun.of("clear", "--help").out()).contains("crashes", "-s, --status");
  }

  @Test
  void refusesPathsThatAreNoFiles() {
    assertThat(CommandRun.of("clear", "-s", folder.resolve("none.h5").toString()).code())
        .isEqualTo(1);
    assertThat(CommandRun.of("clear", folder.resolve("none.h5").toString()).code()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "h5clear_fsm_persist_equal.h5",
        "h5clear_fsm_persist_greater.h5",
        "h5clear_fsm_persist_less.h5",
        "h5clear_fsm_persist_user_greater.h5",
        "h5clear_fsm_persist_user_less.h5",
        "h5clear_sec2_v0.h5"
      })
  void movesTheEndAsTheLibraryDoes(String name) throws IOException {
    Oracle tool = Oracle.program("h5clear");
    for (String increment : new String[] {"--increment", "--increment=0", "--increment=512"}) {
      Path ours = folder.resolve("ours.h5");
      Path theirs = folder.resolve("theirs.h5");
      Files.copy(Corpus.file("misc/" + name), ours, StandardCopyOption.REPLACE_EXISTING);
      Files.copy(ours, theirs, StandardCopyOption.REPLACE_EXISTING);
      String size = tool.run("--filesize", theirs.toString()).orFail().output();
      assertThat(CommandRun.of("clear", "--filesize", ours.toString()).out()).isEqualTo(size);
      assertThat(CommandRun.of("clear", increment, ours.toString()).code()).isZero();
      tool.run(increment, theirs.toString()).orFail();
      String moved = tool.run("--filesize", theirs.toString()).orFail().output();
      assertThat(tool.run("--filesize", ours.toString()).orFail().output()).isEqualTo(moved);
      assertThat(CommandRun.of("dump", ours.toString()).out())
          .isEqualTo(CommandRun.of("dump", theirs.toString()).out().replace("theirs", "ours"))
          .doesNotContain("unable");
    }
  }

  @Test
  void refusesANegativeIncrement() {
    CommandRun run = CommandRun.of("clear", "--increment=-1", "any.h5");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("actual=-1, expected=at least 0");
  }
}
