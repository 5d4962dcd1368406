package org.hyperslab.plugins.libhdf5.call;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import java.util.Optional;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.NotFoundException;

/**
 * The error numbers of the operating system behind failures. Programs find them in libhdf5's
 * messages: h5py raises FileNotFoundError if one contains {@code errno = 2}.
 *
 * <p>Thread rule: any thread.
 */
enum SystemErrors {
  NOT_PERMITTED(1, "Operation not permitted"),
  NO_FILE(2, "No such file or directory"),
  INPUT_OUTPUT(5, "Input/output error"),
  LOCKED(11, "Resource temporarily unavailable"),
  NO_MEMORY(12, "Cannot allocate memory"),
  DENIED(13, "Permission denied"),
  EXISTS(17, "File exists"),
  NO_FOLDER(20, "Not a directory"),
  IS_FOLDER(21, "Is a directory"),
  INVALID(22, "Invalid argument"),
  MANY_FILES_IN_SYSTEM(23, "Too many open files in system"),
  MANY_FILES(24, "Too many open files"),
  BUSY(26, "Text file busy"),
  TOO_LARGE(27, "File too large"),
  NO_SPACE(28, "No space left on device"),
  READ_ONLY(30, "Read-only file system"),
  LONG_NAME(36, "File name too long"),
  LOOP(40, "Too many levels of symbolic links"),
  STALE(116, "Stale file handle"),
  QUOTA(122, "Disk quota exceeded");

  private static final int MOST_CAUSES = 20;

  private final int number;
  private final String text;

  SystemErrors(int number, String text) {
    this.number = number;
    this.text = text;
  }

  /** Returns the words in which libhdf5 reports this error. */
  String words() {
    return "errno = " + number + ", error message = '" + text + "'";
  }

  /**
   * Returns the error behind a failure; empty if the system reported none.
   *
   * @param failure the failure
   * @param opening whether a file was being opened or created, so that what is missing or exists is
   *     a file
   */
  static Optional<SystemErrors> behind(Throwable failure, boolean opening) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++, cause = cause.getCause()) {
      Optional<SystemErrors> found = cause instanceof IOException io ? of(io) : Optional.empty();
      if (found.isPresent()) {
        return found;
      }
    }
    return opening ? inOpening(failure) : Optional.empty();
  }

  private static Optional<SystemErrors> of(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> Optional.of(NO_FILE);
      case FileAlreadyExistsException _ -> Optional.of(EXISTS);
      case AccessDeniedException _ -> Optional.of(DENIED);
      case NotDirectoryException _ -> Optional.of(NO_FOLDER);
      case FileSystemLoopException _ -> Optional.of(LOOP);
      default -> named(String.valueOf(failure.getMessage()));
    };
  }

  /** Returns the error with whose text a message of the JVM ends. */
  private static Optional<SystemErrors> named(String message) {
    for (SystemErrors each : values()) {
      if (message.endsWith(each.text)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  private static Optional<SystemErrors> inOpening(Throwable failure) {
    String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return switch (failure) {
      case NotFoundException _ -> Optional.of(NO_FILE);
      case AlreadyExistsException _ -> Optional.of(EXISTS);
      default ->
          message.contains("actual=a directory")
              ? Optional.of(IS_FOLDER)
              : message.startsWith("lock") ? Optional.of(LOCKED) : Optional.empty();
    };
  }
}
