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
 * Another process that exchanges lines with the test, so that events in two processes occur in a
 * known order without sleeps.
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
   * Starts Python with h5py; skips the test if that is not installed. The script reads lines with
   * {@code input()} and prints answers; its standard output is not buffered.
   *
   * @param script the text of the script
   * @param environment variables that are added
   * @param arguments its arguments
   * @return the running process
   */
  public static Dialogue h5py(String script, Map<String, String> environment, String... arguments) {
    List<String> words = new ArrayList<>(List.of(script));
    words.addAll(List.of(arguments));
    return new Dialogue(Oracle.h5py().start(environment, words.toArray(String[]::new)));
  }

  /**
   * Starts a program that reads lines and prints answers, and does not buffer its standard output.
   *
   * @param program the program
   * @param environment variables that are added
   * @param arguments its arguments
   * @return the running process
   */
  public static Dialogue with(
      Oracle program, Map<String, String> environment, List<String> arguments) {
    return new Dialogue(program.start(environment, arguments.toArray(String[]::new)));
  }

  /**
   * Starts the main method of a class in another JVM with the class path of this one.
   *
   * @param main the class
   * @param environment variables that are added
   * @param arguments its arguments
   * @return the running process
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

  /**
   * Sends a line to the process.
   *
   * @param line the line, without its end
   */
  public void say(String line) {
    try {
      questions.write(line + "\n");
      questions.flush();
    } catch (IOException failure) {
      throw new UncheckedIOException("the other process has ended: " + rest(), failure);
    }
  }

  /**
   * Waits for the next line that the process prints.
   *
   * @return the line
   * @throws AssertionError if it has ended
   */
  public String hear() {
    return listen()
        .orElseThrow(() -> new AssertionError("the other process has ended without an answer"));
  }

  /**
   * Waits for the next line that the process prints.
   *
   * @return the line; empty if the process has ended
   */
  public Optional<String> listen() {
    try {
      return Optional.ofNullable(answers.readLine());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Sends a line to the process and waits for the answer.
   *
   * @param line the line, without its end
   * @return the answer
   */
  public String ask(String line) {
    say(line);
    return hear();
  }

  /** {@return the number of the process} */
  public long pid() {
    return process.pid();
  }

  /** Kills the process as kill -9 does, and waits for its end. */
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
