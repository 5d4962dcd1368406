package org.hyperslab.remote;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.StorageException;

/**
 * Asks the program that a profile of AWS names as {@code credential_process} for a key. It prints a
 * JSON object with {@code AccessKeyId}, {@code SecretAccessKey} and, for a key of a session, {@code
 * SessionToken}.
 *
 * <p>Thread rule: no state.
 */
final class AwsKeyProcess {

  private static final int SECONDS = 60;
  private static final int MOST_BYTES = 1 << 16;
  private static final Pattern WORD =
      Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|(\\S+)");

  private AwsKeyProcess() {}

  /**
   * Runs a program.
   *
   * @param command the program and its arguments, quoted as for a shell
   * @param profile the profile that names it, for messages
   * @return the key
   * @throws StorageException if the program cannot be run, fails, or prints no key; the message has
   *     nothing of what it printed
   */
  static S3Settings.Credentials ask(String command, String profile) {
    String printed = printed(command, profile);
    Optional<String> id = member(printed, "AccessKeyId");
    Optional<String> secret = member(printed, "SecretAccessKey");
    if (id.isEmpty() || secret.isEmpty()) {
      throw failed("no key", profile, null);
    }
    return new S3Settings.Credentials(id.get(), secret.get(), member(printed, "SessionToken"));
  }

  private static String printed(String command, String profile) {
    Process process = null;
    try {
      process =
          new ProcessBuilder(words(command))
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      InputStream out = process.getInputStream();
      byte[] bytes = CompletableFuture.supplyAsync(() -> bytes(out)).get(SECONDS, TimeUnit.SECONDS);
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw failed("no end in " + SECONDS + " s", profile, null);
      }
      if (process.exitValue() != 0) {
        throw failed("exit code " + process.exitValue(), profile, null);
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException | ExecutionException notRun) {
      throw failed("a program that cannot be run", profile, notRun);
    } catch (TimeoutException late) {
      throw failed("nothing in " + SECONDS + " s", profile, late);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw failed("an interrupt", profile, interrupt);
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
    }
  }

  private static byte[] bytes(InputStream out) {
    try (out) {
      return out.readNBytes(MOST_BYTES);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns the words of a command, without their quotes. */
  static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(command);
    while (matcher.find()) {
      String quoted =
          matcher.group(1) == null ? null : matcher.group(1).replaceAll("\\\\(.)", "$1");
      words.add(
          quoted != null ? quoted : matcher.group(2) != null ? matcher.group(2) : matcher.group(3));
    }
    return words;
  }

  /** Returns a text of a JSON object whose texts have no escapes but that of a slash. */
  private static Optional<String> member(String json, String name) {
    Matcher matcher =
        Pattern.compile("\"" + name + "\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\/)+)\"").matcher(json);
    return matcher.find() ? Optional.of(matcher.group(1).replace("\\/", "/")) : Optional.empty();
  }

  private static StorageException failed(String actual, String profile, Throwable cause) {
    return new StorageException(
        "credential_process: actual="
            + actual
            + ", expected=JSON with AccessKeyId and SecretAccessKey, at=profile "
            + profile,
        cause);
  }
}
