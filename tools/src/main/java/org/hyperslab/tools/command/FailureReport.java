package org.hyperslab.tools.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Pattern;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.io.NameBytes;
import picocli.CommandLine;

/**
 * Reports the failure of a command in words for users.
 *
 * <p>Thread rule: no state.
 */
public final class FailureReport {

  private static final Pattern JAVA_NAME =
      Pattern.compile("\\bjavax?(\\.[a-z]\\w*)+\\.[A-Z]\\w*(Exception|Error): ");

  private FailureReport() {}

  /**
   * Returns the message of a failure and, if it does not contain it, that of the failure of this
   * library which led to it. A file that is unusable says so at the next call, not why.
   */
  private static String withRoot(Exception failure) {
    Throwable root = failure;
    while (root.getCause() instanceof HyperslabException deeper) {
      root = deeper;
    }
    String text = failure.getMessage();
    String reason = root.getMessage();
    return reason == null || text.contains(reason) ? text : text + "; because of: " + reason;
  }

  /**
   * {@return a message without the names of Java's exceptions, which say nothing to users}
   *
   * @param message the message
   */
  public static String inWords(String message) {
    return message == null
        ? "no reason is known"
        : JAVA_NAME
            .matcher(message)
            .replaceAll("")
            .replace("No space left on device", "no space left on the device");
  }

  /** Returns the failure of input or output that caused an exception; null if there is none. */
  private static IOException inputOrOutput(Exception failure) {
    return switch (failure) {
      case IOException known -> known;
      case UncheckedIOException wrapper -> wrapper.getCause();
      default -> null;
    };
  }

  private static String message(IOException failure) {
    if (!(failure instanceof FileSystemException known)) {
      return "file system: actual=" + failure.getMessage() + ", expected=success";
    }
    String reason =
        switch (known) {
          case NoSuchFileException _ -> "no such file or folder";
          case AccessDeniedException _ -> "access denied";
          case FileAlreadyExistsException _ -> "exists already";
          default -> known.getReason() == null ? known.toString() : known.getReason();
        };
    return "file system: actual=" + reason + ", at=" + known.getFile();
  }

  /**
   * Prints why a command failed: a message for failures that users can mend, and the stack as well
   * for other ones, or if the environment variable {@code HYPERSLAB_STACKTRACE} is set.
   *
   * @param failure the exception
   * @param command the command's name, with that of the program
   * @param err receives the message
   * @return the exit code
   */
  public static int report(Exception failure, String command, PrintWriter err) {
    if (failure instanceof StandardOutput.Failure incomplete) {
      return incomplete.report(command, err);
    }
    boolean expected = failure instanceof HyperslabException || inputOrOutput(failure) != null;
    String message =
        failure instanceof HyperslabException
            ? withRoot(failure)
            : expected ? message(inputOrOutput(failure)) : failure.toString();
    err.println(command + ": " + NameBytes.spelling(inWords(message)));
    if (!expected || System.getenv("HYPERSLAB_STACKTRACE") != null) {
      failure.printStackTrace(err);
    }
    return CommandLine.ExitCode.SOFTWARE;
  }
}
