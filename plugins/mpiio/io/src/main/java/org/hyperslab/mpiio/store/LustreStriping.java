package org.hyperslab.mpiio.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Queries the striping of a file or directory with Lustre's command {@code lfs}, and creates files
 * with a given striping. The system property {@value #COMMAND} names another command.
 */
public final class LustreStriping {

  static final String COMMAND = "hyperslab.lfs";

  private static final Pattern COUNT = Pattern.compile("stripe_count:\\s*(-?\\d+)");
  private static final Pattern SIZE = Pattern.compile("stripe_size:\\s*(\\d+)");
  private static final long WAIT_SECONDS = 5;
  private static final int MAX_TEXT = 1 << 16;

  private LustreStriping() {}

  static FileSystemTraits of(Path path, FileSystemTraits traits) {
    return run("getstripe", "-d", path.toString()).map(text -> parse(text, traits)).orElse(traits);
  }

  /**
   * Creates an empty file, which must not exist, with the given number and length of stripes.
   *
   * @return whether the file was created
   */
  static boolean create(Path path, Hints.Striping striping) {
    List<String> arguments = new ArrayList<>(List.of("setstripe"));
    if (striping.factor() > 0) {
      arguments.addAll(List.of("-c", Integer.toString(striping.factor())));
    }
    if (striping.unitBytes() > 0) {
      arguments.addAll(List.of("-S", Long.toString(striping.unitBytes())));
    }
    arguments.add(path.toString());
    return run(arguments.toArray(String[]::new)).isPresent();
  }

  /** Returns the output of the command; empty if it does not exist or fails. */
  private static Optional<String> run(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty(COMMAND, "lfs"));
    command.addAll(List.of(arguments));
    try {
      Process lfs = new ProcessBuilder(command).redirectErrorStream(true).start();
      lfs.getOutputStream().close();
      String text = new String(lfs.getInputStream().readNBytes(MAX_TEXT), StandardCharsets.UTF_8);
      boolean ended = lfs.waitFor(WAIT_SECONDS, TimeUnit.SECONDS);
      return ended && lfs.exitValue() == 0 ? Optional.of(text) : Optional.empty();
    } catch (IOException noCommand) {
      return Optional.empty();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * {@return the traits with the striping in the command's output, if any}
   *
   * @param text the text
   * @param traits the file system
   */
  public static FileSystemTraits parse(String text, FileSystemTraits traits) {
    Matcher count = COUNT.matcher(text);
    Matcher size = SIZE.matcher(text);
    if (!count.find() || !size.find()) {
      return traits;
    }
    int stripes = (int) Math.min(Integer.MAX_VALUE, Math.max(1, Long.parseLong(count.group(1))));
    return traits.striped(Long.parseLong(size.group(1)), stripes);
  }
}
