package org.hyperslab.plugins.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.store.DurableFile;
import org.hyperslab.format.store.LocalPaths;

/**
 * What a log belongs to: a text beside the file, repeated in the first record of the log. Both must
 * be equal, so that neither a log of another file of that name nor one of an earlier time is used.
 *
 * @param nonce a random number
 * @param log the log
 * @param file the canonical file
 * @param part the number of the file that will replace it
 * @param before the canonical file when the log began
 */
@SuppressWarnings("ArrayRecordComponent") // never compared: bytes() is
record LogNote(byte[] nonce, Path log, Path file, String part, FileIdentity before) {

  private static final String TITLE = "hyperslab log 1";
  private static final int MAX_BYTES = 1 << 16;

  /** {@return a random number for a new log} */
  static byte[] freshNonce() {
    byte[] nonce = new byte[LogFormat.NONCE_BYTES];
    new SecureRandom().nextBytes(nonce);
    return nonce;
  }

  /** {@return the text, in UTF-8} */
  byte[] bytes() {
    String text =
        TITLE
            + "\nnonce="
            + HexFormat.of().formatHex(nonce)
            + "\nlog="
            + log
            + "\nfile="
            + file
            + "\npart="
            + part
            + "\nbefore="
            + before
            + "\n";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes the text beside the file, durably. */
  void write(Path beside) throws IOException {
    DurableFile.write(beside, path -> Files.write(path, bytes()));
  }

  /**
   * Reads the text beside a file.
   *
   * @throws org.hyperslab.error.InvalidUseException if another user has written it
   * @throws CorruptFileException if it is none
   */
  static LogNote read(Path beside) throws IOException {
    OwnFiles.requireOwn(beside);
    if (Files.size(beside) > MAX_BYTES) {
      throw corrupt(beside, "longer than " + MAX_BYTES + " bytes", null);
    }
    String text = new String(Files.readAllBytes(beside), StandardCharsets.UTF_8);
    Map<String, String> values = new HashMap<>();
    String[] lines = text.split("\n");
    for (String line : lines) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    try {
      if (!lines[0].equals(TITLE)) {
        throw corrupt(beside, lines[0].isEmpty() ? "empty" : "another text", null);
      }
      byte[] nonce = HexFormat.of().parseHex(values.get("nonce"));
      if (nonce.length != LogFormat.NONCE_BYTES) {
        throw corrupt(beside, "a nonce of " + nonce.length + " bytes", null);
      }
      return new LogNote(
          nonce,
          LocalPaths.of(values.get("log")),
          LocalPaths.of(values.get("file")),
          values.getOrDefault("part", ""),
          FileIdentity.parse(values.getOrDefault("before", "")));
    } catch (IllegalArgumentException | NullPointerException e) {
      throw corrupt(beside, "incomplete", e);
    }
  }

  private static CorruptFileException corrupt(Path beside, String actual, Exception cause) {
    return new CorruptFileException(
        beside.toString(),
        "note of a log",
        CorruptFileException.NO_OFFSET,
        "actual=" + actual + ", expected=" + TITLE,
        cause);
  }
}
