package org.hyperslab.tools.command;

import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.UnfinishedFile;

/**
 * Keeps commands from overwriting a file that they read, and writes files that get their name when
 * they are complete.
 */
public final class OutputFile {

  private OutputFile() {}

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {

    /**
     * Writes the content to a file.
     *
     * @param path the file to create
     * @throws IOException if it cannot be written
     */
    void writeTo(Path path) throws IOException;
  }

  /**
   * Writes a file, which gets its name when it is complete. If that fails, or the process is
   * interrupted, an older file remains as it is.
   *
   * @param out the file, replaced if it exists
   * @param content writes the content
   * @throws IOException if the file cannot be written or renamed
   */
  public static void write(Path out, Content content) throws IOException {
    try (UnfinishedFile file = UnfinishedFile.of(out)) {
      content.writeTo(file.path());
      file.finish();
    }
  }

  /** Writes the text of a file. */
  @FunctionalInterface
  public interface Text {

    /**
     * Writes the text.
     *
     * @param text where to write it
     * @throws IOException if it cannot be written
     */
    void writeTo(Writer text) throws IOException;
  }

  /**
   * Writes a text file of any length like {@link #write}.
   *
   * @param out the file, replaced if it exists
   * @param content writes the text
   * @throws IOException if the file cannot be written or renamed
   */
  public static void writeLong(Path out, Text content) throws IOException {
    write(
        out,
        path -> {
          try (Writer text = Files.newBufferedWriter(path)) {
            content.writeTo(text);
          }
        });
  }

  /**
   * Writes a text file like {@link #write}.
   *
   * @param out the file, replaced if it exists
   * @param text its content
   * @throws IOException if the file cannot be written or renamed
   */
  public static void writeText(Path out, CharSequence text) throws IOException {
    write(out, path -> Files.writeString(path, text));
  }

  /**
   * Checks that an output is not the input, which may be named by another path, a link or a {@code
   * file:} URI. Call it before the output is opened.
   *
   * @param in the name of the file to read: a path or a URI
   * @param out the file to write
   * @throws InvalidUseException if both are the same file
   * @throws StorageException if the files cannot be compared
   */
  public static void requireOther(String in, Path out) {
    if (localPath(in).filter(path -> isSame(path, out)).isPresent()) {
      throw new InvalidUseException(
          "file to write: actual=the file to read, expected=another file, at=" + out);
    }
  }

  private static Optional<Path> localPath(String name) {
    try {
      Path path = Path.of(name);
      boolean isUri = name.startsWith("file:") && !Files.exists(path);
      return Optional.of(isUri ? Path.of(URI.create(name)) : path);
    } catch (IllegalArgumentException | FileSystemNotFoundException notLocal) {
      return Optional.empty();
    }
  }

  private static boolean isSame(Path in, Path out) {
    try {
      return Files.exists(in) && Files.exists(out) && Files.isSameFile(in, out);
    } catch (IOException failure) {
      throw new StorageException(
          "compare files: actual=" + failure + ", expected=success, at=" + out, failure);
    }
  }
}
