package org.hyperslab.plugins.log;

import static org.hyperslab.plugins.log.LogMigration.done;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/**
 * Begins the logging of a file: a part, the log, and last the note, from which on they count.
 *
 * <p>The part of a new file is a new file, that of an existing one a copy, which shares its space
 * with the file where the file system can do that. While a file is logged, it is open for reading,
 * so that its lock keeps other editors away, and lets readers in.
 *
 * <p>Thread rule: one thread for each file.
 */
final class LogOpening {

  /** The property of an opening with which closing does not flush. */
  private static final String DROP_UNFLUSHED = "dropUnflushed";

  private final LogContext context;
  private final LogNames names;
  private final Connector below;

  LogOpening(LogContext context, LogNames names) {
    this.context = context;
    this.names = names;
    this.below = context.below();
  }

  /** {@return options with which only the log decides when the part is flushed} */
  static OpenOptions unflushed(OpenOptions options) {
    return options.withProperty(DROP_UNFLUSHED, "true");
  }

  /** The result of an opening. */
  record Opened(LoggedFile file, FileInfo info) {}

  /** Creates a file, which takes its place when it is migrated. */
  Opened create(FileOperation.Create create) throws IOException {
    FileIdentity before = FileIdentity.of(names.file());
    if (before.isFile()) {
      requireReplaceable();
    }
    Handle guard = before.isFile() ? guard(create.options().access(), true) : null;
    CreateOptions options =
        create.options().toBuilder()
            .exclusive(false)
            .access(unflushed(create.options().access()))
            .build();
    return begun(
        guard,
        before,
        create.options().access(),
        true,
        () ->
            done(below, new FileOperation.Create(create.file(), names.part().toString(), options)));
  }

  /** Opens a file for editing, which is replaced when it is migrated. */
  Opened open(FileOperation.Open open) throws IOException {
    requireReplaceable();
    Handle guard = guard(open.options(), false);
    FileIdentity before = FileIdentity.of(names.file());
    return begun(
        guard,
        before,
        open.options(),
        false,
        () -> {
          copy();
          return done(
              below,
              new FileOperation.Open(
                  open.file(), names.part().toString(), unflushed(open.options())));
        });
  }

  private void copy() {
    try {
      Files.copy(
          names.file(),
          names.part(),
          StandardCopyOption.COPY_ATTRIBUTES,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw LogPublication.failed(names, e);
    }
  }

  /** Checks that replacing the file changes neither its owner nor another name of it. */
  private void requireReplaceable() throws IOException {
    if (names.file().getFileSystem() != FileSystems.getDefault()
        || !names.file().getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return;
    }
    if (!Files.isRegularFile(names.file())) {
      throw new InvalidUseException(
          "file to log: actual=no regular file, expected=one, at=" + names.file());
    }
    if (((Number) Files.getAttribute(names.file(), "unix:nlink")).longValue() > 1) {
      throw new InvalidUseException(
          "file to log: actual=a file with several names, of which a migration would replace one,"
              + " expected=one name; use another connector, at="
              + names.file());
    }
    OwnFiles.requireOwner(names.file());
  }

  /** Opens the file for reading; whether that is possible does not matter if it is replaced. */
  private Handle guard(OpenOptions access, boolean replaced) {
    Handle guard = Handle.fresh();
    OpenOptions reading =
        OpenOptions.READ.withLocking(access.locking()).toBuilder()
            .properties(access.properties())
            .build();
    try {
      done(below, new FileOperation.Open(guard, names.file().toString(), reading));
      return guard;
    } catch (HyperslabException failure) {
      if (replaced && !(failure instanceof StorageException)) {
        return null; // what is no HDF5 file may be replaced by one
      }
      throw failure;
    }
  }

  /** Opens or creates the part under the handle of the program. */
  @FunctionalInterface
  private interface PartOpening {
    FileInfo run();
  }

  private Opened begun(
      Handle guard, FileIdentity before, OpenOptions access, boolean isNew, PartOpening opening)
      throws IOException {
    Handle part = Handle.fresh();
    Handle program = null;
    boolean begun = false;
    try {
      FileInfo info = opening.run();
      OpenOptions own = unflushed(access.withWritable(true));
      done(below, new FileOperation.Open(part, names.part().toString(), own));
      ObjectInfo root = done(below, new ObjectOperation.Describe(Location.of(part)));
      boolean forces = access.durability() == Durability.POWER_CUT;
      byte[] nonce = LogNote.freshNonce();
      LogNote note =
          new LogNote(
              nonce,
              names.logIn(context.options().folder(), nonce),
              names.file(),
              FileIdentity.of(names.part()).key(),
              before);
      LogWriter log = LogWriter.create(note.log(), note, 0);
      note.write(names.note());
      LogSession.OpenParts opened = new LogSession.OpenParts(part, guard, root.fileNumber(), isNew);
      LogSession session = new LogSession(below, names, note, log, opened, forces);
      begun = true;
      return new Opened(new LoggedFile(context, session), info);
    } finally {
      if (!begun) {
        giveUp(guard, part);
      }
    }
  }

  /** Deletes what was begun; the failure that caused it is thrown by the caller. */
  private void giveUp(Handle guard, Handle part) {
    close(part);
    if (guard != null) {
      close(guard);
    }
  }

  private void close(Handle handle) {
    below
        .submit(new FileOperation.Close(handle))
        .toCompletableFuture()
        .exceptionally(never -> null)
        .join();
  }
}
