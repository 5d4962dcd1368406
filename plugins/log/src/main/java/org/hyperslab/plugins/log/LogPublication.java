package org.hyperslab.plugins.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.DurableFile;

/**
 * The last step of a migration: the part, which is complete, takes the name of the file in one
 * step. A reader that has the old file open keeps it.
 *
 * <p>Each step may be repeated: whoever finds the part gone and the file in its place only deletes
 * what is left.
 *
 * <p>Thread rule: no state; one thread for each file.
 */
final class LogPublication {

  private LogPublication() {}

  /**
   * Puts the part in the place of the file, and deletes note and log.
   *
   * @param names the files
   * @param note what the log belongs to
   * @param forces whether the file must survive a power cut
   * @param overwrite whether it replaces a file that another program has edited or created
   * @throws StorageException if it does not; part and log are kept
   */
  static void publish(LogNames names, LogNote note, boolean forces, boolean overwrite) {
    try {
      FileIdentity now = FileIdentity.of(names.file());
      if (!now.equals(note.before()) && !overwrite) {
        throw new StorageException(
            "migration of "
                + names.file()
                + ": actual=the file was "
                + (now.isFile() ? "edited or created" : "deleted")
                + " by another program since the log began, expected=unchanged. Both are kept:"
                + " `hyperslab drain --overwrite FILE` takes what the log has,"
                + " `hyperslab drain --discard FILE` what the file has");
      }
      if (forces) {
        DurableFile.replace(names.part(), names.file());
      } else {
        Files.move(
            names.part(),
            names.file(),
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
      }
      deleteNotes(names, note);
    } catch (IOException e) {
      throw failed(names, e);
    }
  }

  /** Deletes part, note and log, so that the file is what it was. */
  static void discard(LogNames names, LogNote note) {
    try {
      deleteNotes(names, note);
      Files.deleteIfExists(names.part());
    } catch (IOException e) {
      throw failed(names, e);
    }
  }

  /** Deletes note and log of a file that is in its place; the log last, as nothing names it. */
  static void deleteNotes(LogNames names, LogNote note) throws IOException {
    if (Files.exists(names.note())
        && Arrays.equals(LogNote.read(names.note()).nonce(), note.nonce())) {
      Files.deleteIfExists(names.note());
      DurableFile.force(names.note().getParent());
    }
    Path log = note.log();
    Files.deleteIfExists(log.resolveSibling(log.getFileName() + ".new"));
    Files.deleteIfExists(log);
  }

  static StorageException failed(LogNames names, IOException e) {
    return new StorageException(
        "migration: actual=" + e + ", expected=done, at=" + names.file(), e);
  }
}
