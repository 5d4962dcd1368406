package org.hyperslab.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Another process that is talked to line by line, so that what happens in two processes happens in
 * a known order without waiting.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class Dialogue implements AutoCloseable {

  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;

  private Dialogue(Process process) {
    this.process = process;
    answers = process.inputReader(StandardCharsets.UTF_8);
    questions = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Python with h5py; the test is skipped where it is not installed. The script reads lines with
   * {@code input()} and prints answers; standard output is not buffered.
   *
   * @param environment variables that are added
   */
  public static Dialogue h5py(String script, Map<String, String> environment, String... arguments) {
    List<String> words = new ArrayList<>(List.of(script));
    words.addAll(List.of(arguments));
    return new Dialogue(Oracle.h5py().start(environment, words.toArray(String[]::new)));
  }

  /**
   * A program that reads lines and prints answers, whose standard output is not buffered.
   *
   * @param environment variables that are added
   */
  public static Dialogue with(
      Oracle program, Map<String, String> environment, List<String> arguments) {
    return new Dialogue(program.start(environment, arguments.toArray(String[]::new)));
  }

  /**
   * Another JVM with this one's class path, and a class's main method.
   *
   * @param environment variables that are added
   */
  public static Dialogue java(Class<?> main, Map<String, String> environment, String... arguments) {
    ProcessBuilder builder =
        new ProcessBuilder(ChildJvm.command(256, main, arguments)).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      return new Dialogue(builder.start());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Says a line. */
  public void say(String line) {
    try {
      questions.write(line + "\n");
      questions.flush();
    } catch (IOException failure) {
      throw new UncheckedIOException("the other process has ended: " + rest(), failure);
    }
  }

  /**
   * The next line that the process says.
   *
   * @throws AssertionError if it has ended
   */
  public String hear() {
    return listen()
        .orElseThrow(() -> new AssertionError("the other process has ended without an answer"));
  }

  /** The next line that the process says; empty if it has ended. */
  public Optional<String> listen() {
    try {
      return Optional.ofNullable(answers.readLine());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Says a line and hears the answer. */
  public String ask(String line) {
    say(line);
    return hear();
  }

  /** The process's number. */
  public long pid() {
    return process.pid();
  }

  /** Ends it as kill -9 does, and waits until it is gone. */
  public void kill() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  private String rest() {
    return answers.lines().reduce("", (all, line) -> all + line + "\n");
  }

  @Override
  public void close() {
    kill();
  }
}
