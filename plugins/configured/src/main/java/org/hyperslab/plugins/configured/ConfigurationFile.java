package org.hyperslab.plugins.configured;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.configured.document.Document;

/**
 * Reads the text of a configuration file. A configuration decides where data goes and how safe it
 * is, so only the user and root may write it.
 */
final class ConfigurationFile {

  /** UTF-8 takes at most four bytes for a character. */
  private static final int MAX_BYTES = 4 * Document.MAX_CHARACTERS;

  /** Belongs to the user of the process, on systems that have it. */
  private static final Path PROCESS = Path.of("/proc/self");

  private ConfigurationFile() {}

  static String text(Path file) {
    try {
      requireTrusted(file);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(file))).toString();
    } catch (NoSuchFileException e) {
      throw new NotFoundException("configuration file " + file + " does not exist", e);
    } catch (CharacterCodingException e) {
      throw new InvalidUseException("configuration file " + file + " is not text in UTF-8", e);
    } catch (IOException e) {
      throw new StorageException("configuration file " + file + " cannot be read: " + e, e);
    }
  }

  private static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new InvalidUseException(
            "configuration file " + file + " is longer than " + MAX_BYTES + " bytes");
      }
      return bytes;
    }
  }

  private static void requireTrusted(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    PosixFileAttributes attributes = view.readAttributes();
    String owner = attributes.owner().getName();
    if (!owner.equals("root") && !owner.equals(user())) {
      throw new InvalidUseException(
          "configuration file "
              + file
              + " belongs to "
              + owner
              + "; it must belong to the user of this process or to root");
    }
    if (attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new InvalidUseException(
          "configuration file " + file + " may be written by everybody; chmod o-w " + file);
    }
  }

  /** Returns the user of this process as the system names the owners of files. */
  private static String user() {
    try {
      return Files.getOwner(PROCESS).getName();
    } catch (IOException e) {
      return System.getProperty("user.name");
    }
  }
}
