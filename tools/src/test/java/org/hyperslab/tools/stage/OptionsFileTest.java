package org.hyperslab.tools.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tests files of options. */
final class OptionsFileTest {

  @TempDir private Path folder;

  @Command(name = "sample")
  private static final class Sample {
    @Option(names = "--memory", defaultValue = "7")
    private long memory;

    @Option(names = {"-r", "--root"})
    private String root;

    @Option(names = "--peers", split = ",")
    private List<String> peers = List.of();

    @Option(names = "--quiet")
    private boolean quiet;

    @Option(names = "--config")
    private Path config;
  }

  private Sample read(String text, String... words) throws IOException {
    Sample sample = new Sample();
    CommandLine line = new CommandLine(sample);
    line.parseArgs(words);
    Path file = Files.writeString(folder.resolve("options"), text);
    OptionsFile.apply(file, line, new Sample(), Set.of("--config"));
    return sample;
  }

  @Test
  void optionsAreSet() throws IOException {
    Sample sample =
        read("# a comment\r\n\n memory = 5 \nroot=/a b = #c\npeers = x,y\nquiet\n# root = /z\n");
    assertThat(sample.memory).isEqualTo(5);
    assertThat(sample.root).isEqualTo("/a b = #c");
    assertThat(sample.peers).containsExactly("x", "y");
    assertThat(sample.quiet).isTrue();
    assertThat(read("quiet = false\n").quiet).isFalse();
    assertThat(read("").memory).isEqualTo(7);
  }

  @Test
  void theCommandLineWins() throws IOException {
    Sample sample = read("memory = 5\nroot = /a\npeers = x,y\n", "--memory=7", "-r", "/b");
    assertThat(sample.memory).as("also if it says the default").isEqualTo(7);
    assertThat(sample.root).isEqualTo("/b");
    assertThat(sample.peers).containsExactly("x", "y");
  }

  private void refuses(String text, String... messages) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContainingAll(messages)
        .hasMessageContaining(folder.resolve("options").toString());
  }

  @Test
  void whatIsNoOptionIsRefused() {
    refuses("\nmemry = 5\n", "actual=memry", "did you mean memory", "line 2");
    refuses("memory = 5\nmemory = 6\n", "actual=memory again", "line 2");
    refuses("-memory = 5\n", "actual=-memory");
    refuses("r = /a\n", "actual=r,");
    refuses("= 5\n", "line 1");
    refuses("config = x\n", "actual=config");
    refuses("\nquiet\nmemory = five\nroot = /a\n", "--memory", "'five' is not a long", "line 3");
    refuses("root = /a\nmemory\n", "--memory", "line 2");
    refuses("quiet = maybe\n", "--quiet", "line 1");
  }

  @Test
  void valuesOfUnknownNamesAreNotRepeated() {
    assertThat(catchThrowable(() -> read("token = my-secret\n")))
        .message()
        .doesNotContain("my-secret");
  }

  @Test
  void aFileIsShort() {
    refuses("#".repeat(OptionsFile.MOST_BYTES + 1), "actual=more than 65536 bytes");
    assertThatThrownBy(() ->
            OptionsFile.apply(
                Path.of("/dev/zero"), new CommandLine(new Sample()), new Sample(), Set.of()))
        .isInstanceOf(InvalidUseException.class);
  }
}
