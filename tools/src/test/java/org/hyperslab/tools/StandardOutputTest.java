package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.tools.command.StandardOutput;
import org.hyperslab.tools.command.Streams;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what commands do when their output cannot be written. */
final class StandardOutputTest {

  private static final int ENDED_BY_SIGPIPE = 141;
  private static final int ELEMENTS = 200_000;

  @TempDir private Path folder;
  private Path in;

  /** Fails after some bytes, and counts the attempts to write more. */
  private static final class FailingStream extends OutputStream {
    private final String reason;
    private int attempts;

    FailingStream(String reason) {
      this.reason = reason;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[1], 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      attempts++;
      throw new IOException(reason);
    }
  }

  @BeforeEach
  void createInput() {
    in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("numbers", new double[ELEMENTS]).close();
    }
  }

  private CommandRun run(OutputStream out, String words) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code;
    try (PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      Streams streams = new Streams(StandardOutput.stream(out), errStream);
      code = Main.runAndFlush(streams, words.replace("IN", in.toString()).split(" "));
    }
    return new CommandRun(code, "", err.toString(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump IN", "ls -d IN", "diff -v IN IN", "stat IN", "ls --help", "--help"})
  void incompleteOutputIsAnError(String words) {
    CommandRun run = run(new FailingStream("No space left on device"), words);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("standard output").contains("No space left on device");
    assertThat(run.err()).doesNotContain("\tat ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump IN", "ls -d IN", "diff -v IN IN", "stat IN", "ls --help"})
  void commandsEndSilentlyWhenTheirReaderHasEnded(String words) {
    FailingStream pipe = new FailingStream("Broken pipe");
    CommandRun run = run(pipe, words);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ENDED_BY_SIGPIPE);
    assertThat(pipe.attempts).as("writes after the reader has ended").isLessThanOrEqualTo(2);
  }

  @Test
  void aClosedOutputIsNotAnError() {
    CommandRun run = run(new FailingStream("Bad file descriptor"), "ls IN");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
  }
}
