package org.hyperslab.plugins.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.LocalPaths;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.base.Scheduling;

/**
 * Finds and migrates the logs that programs have left.
 *
 * <p>Thread rule: any thread.
 */
public final class FileLogs {

  /**
   * The log of a file.
   *
   * @param log the path of the log
   * @param logBytes its length; -1 if it is missing
   * @param part the path of the file that will replace the file
   * @param partBytes its length; -1 if it is missing
   * @param isInUse whether a program writes the file or migrates the log
   * @param isEdited whether another program has edited, created or deleted the file meanwhile
   */
  public record Status(
      Path log, long logBytes, Path part, long partBytes, boolean isInUse, boolean isEdited) {}

  /** What happens to a file that another program has edited since its log began. */
  public enum Conflict {
    /** The migration is refused, and all is kept. */
    REFUSE,
    /** The file is replaced. */
    OVERWRITE
  }

  private FileLogs() {}

  private static LogNames names(Path file) throws IOException {
    Path path = LocalPaths.of(file.toString());
    if (!Files.isDirectory(path.toAbsolutePath().getParent())) {
      throw new NotFoundException("file: actual=" + file + ", expected=in a folder that exists");
    }
    return LogNames.of(path);
  }

  /**
   * Describes the log of a file.
   *
   * @param file the file, which need not exist
   * @return its log; empty if it has none
   * @throws HyperslabException if what is beside the file is no note of a log, or another user's
   */
  public static Optional<Status> status(Path file) {
    try {
      LogNames names = names(file);
      if (!LogRecovery.isLeft(names)) {
        return Optional.empty();
      }
      LogNote note = LogNote.read(names.note());
      FileIdentity now = FileIdentity.of(names.file());
      boolean isThere = Files.exists(names.part());
      boolean published = !isThere && now.key().equals(note.part());
      return Optional.of(
          new Status(
              note.log(),
              length(note.log()),
              names.part(),
              length(names.part()),
              isThere && isLocked(names.part()),
              !published && !now.equals(note.before())));
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static long length(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : -1;
  }

  private static boolean isLocked(Path part) {
    try (Connector connector = Connectors.create(Connectors.FALLBACK)) {
      Handle handle = Handle.fresh();
      LogMigration.done(
          connector,
          new FileOperation.Open(handle, part.toString(), LogOpening.unflushed(OpenOptions.EDIT)));
      LogMigration.done(connector, new FileOperation.Close(handle));
      return false;
    } catch (StorageException locked) {
      return true;
    } catch (HyperslabException unreadable) {
      return false;
    }
  }

  /**
   * Migrates the log of a file. It can be begun again if it is interrupted.
   *
   * @param file the file, which need not exist
   * @param conflict what happens if another program has edited the file
   * @return a line for people; empty if the file has no log
   * @throws HyperslabException if that is not possible; all is kept
   */
  public static Optional<String> drain(Path file, Conflict conflict) {
    try (Connector connector = Connectors.create(Connectors.FALLBACK)) {
      LogNames names = names(file);
      if (!LogRecovery.isLeft(names)) {
        return Optional.empty();
      }
      LogOptions options = LogOptions.ofMigration(conflict == Conflict.OVERWRITE);
      LogContext context = LogContext.of(connector, options, Scheduling.ofJvm());
      try {
        return Optional.of(new LogRecovery(context, names).run());
      } finally {
        context.close();
      }
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  /**
   * Gives up what is in the log of a file only: the file stays as it is, and part, note and log are
   * deleted.
   *
   * @param file the file
   * @return whether there was a log
   * @throws HyperslabException if a program uses it, or it belongs to another user
   */
  public static boolean discard(Path file) {
    Optional<Status> status = status(file);
    if (status.isEmpty()) {
      return false;
    }
    if (status.get().isInUse()) {
      throw new StorageException(
          "log of " + file + ": actual=in use by a program, expected=left; close the file there");
    }
    try {
      LogNames names = names(file);
      LogPublication.discard(names, LogNote.read(names.note()));
      return true;
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static StorageException failed(Path file, IOException e) {
    return new StorageException("log: actual=" + e + ", expected=read, at=" + file, e);
  }
}
