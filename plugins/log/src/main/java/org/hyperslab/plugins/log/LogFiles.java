package org.hyperslab.plugins.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.LocalPaths;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Operation;

/**
 * The files of a connector, by their paths: which are logged, and how many handles programs have.
 * One file is opened, closed or deleted by one thread at a time; a file that has a log which nobody
 * uses is migrated before it is opened.
 *
 * <p>Thread rule: any thread.
 */
final class LogFiles {

  private final LogContext context;
  private final Map<Path, Entry> entries = new ConcurrentHashMap<>();

  /** A file that is open, or being opened. */
  private static final class Entry {
    final ReentrantLock turn = new ReentrantLock();
    int users;
    int handles;
    int plainHandles;
    LoggedFile logged;
    LogSession ending;

    boolean isUsed() {
      return users > 0 || handles > 0 || plainHandles > 0 || ending != null;
    }
  }

  /**
   * A handle of a file.
   *
   * @param path the path of the file
   * @param name the name that the program gave
   * @param logged the file; null if it is open for reading and not logged
   */
  record OpenFile(Path path, String name, LoggedFile logged) {}

  /** The result of opening a file. */
  record Opened(OpenFile file, FileInfo info) {}

  LogFiles(LogContext context) {
    this.context = context;
  }

  /** {@return the names of a file that can be logged; empty for other names and openings} */
  static Optional<LogNames> names(String name, OpenOptions options) {
    if (name.contains("://") || options.swmr() || options.properties().containsKey("driver")) {
      return Optional.empty();
    }
    try {
      Path path = LocalPaths.of(name).toAbsolutePath();
      boolean possible =
          path.getFileName() != null
              && Files.isDirectory(path.getParent())
              && (Files.isRegularFile(path) || !Files.exists(path));
      return possible ? Optional.of(LogNames.of(path)) : Optional.empty();
    } catch (InvalidPathException | IOException unusual) {
      return Optional.empty(); // the connector below says what is wrong
    }
  }

  private <R> R on(LogNames names, BiFunction<Entry, LogNames, R> action) {
    Entry entry =
        entries.compute(
            names.file(),
            (path, known) -> {
              Entry used = known == null ? new Entry() : known;
              used.users++;
              return used;
            });
    entry.turn.lock();
    try {
      return action.apply(entry, names);
    } finally {
      entry.turn.unlock();
      entries.computeIfPresent(
          names.file(),
          (path, known) -> {
            known.users--;
            return known.isUsed() ? known : null;
          });
    }
  }

  /** Creates a file. */
  Opened create(FileOperation.Create create, LogNames names) {
    return on(
        names,
        (entry, same) -> {
          finish(entry, names);
          boolean refused =
              entry.logged != null
                  || entry.plainHandles > 0
                  || create.options().exclusive() && Files.exists(names.file());
          if (refused && entry.logged == null) {
            return plain(entry, names, create, create.name());
          }
          if (refused) {
            throw new InvalidUseException(
                "file to create: actual=open in this program, expected=closed, at="
                    + create.name());
          }
          return logged(
              entry,
              create.name(),
              attempt(names, () -> new LogOpening(context, names).create(create)));
        });
  }

  /** Opens a file. */
  Opened open(FileOperation.Open open, LogNames names) {
    return on(
        names,
        (entry, same) -> {
          finish(entry, names);
          if (entry.logged != null) {
            return again(entry, open);
          }
          if (!open.options().writable() || entry.plainHandles > 0 || !Files.exists(names.file())) {
            return plain(entry, names, open, open.name());
          }
          return logged(
              entry, open.name(), attempt(names, () -> new LogOpening(context, names).open(open)));
        });
  }

  /** An action that may fail with an error of the system. */
  @FunctionalInterface
  private interface Attempt<R> {
    R run() throws IOException;
  }

  private static <R> R attempt(LogNames names, Attempt<R> action) {
    try {
      return action.run();
    } catch (IOException e) {
      throw LogPublication.failed(names, e);
    }
  }

  private static Opened logged(Entry entry, String name, LogOpening.Opened opened) {
    entry.logged = opened.file();
    entry.handles = 1;
    Path path = opened.file().session().names().file();
    return new Opened(new OpenFile(path, name, opened.file()), named(opened.info(), name));
  }

  private Opened again(Entry entry, FileOperation.Open open) {
    LogSession session = entry.logged.session();
    FileOperation.Open part =
        new FileOperation.Open(
            open.file(),
            session.names().part().toString(),
            open.options().writable() ? LogOpening.unflushed(open.options()) : open.options());
    FileInfo info = LogMigration.done(context.below(), part);
    entry.handles++;
    return new Opened(
        new OpenFile(session.names().file(), open.name(), entry.logged), named(info, open.name()));
  }

  private Opened plain(Entry entry, LogNames names, Operation<FileInfo> operation, String name) {
    FileInfo info = LogMigration.done(context.below(), operation);
    entry.plainHandles++;
    return new Opened(new OpenFile(names.file(), name, null), info);
  }

  /** {@return properties of a file under the name that the program gave} */
  static FileInfo named(FileInfo info, String name) {
    return new FileInfo(
        name,
        info.writable(),
        info.superblockVersion(),
        info.sizeBytes(),
        info.freeBytes(),
        info.creation(),
        info.fileNumber());
  }

  /** Waits for a migration in the background, or carries out one that a process has left. */
  private void finish(Entry entry, LogNames names) {
    if (entry.ending != null) {
      LogSession ending = entry.ending;
      entry.ending = null;
      ending.awaitEnd();
    }
    if (entry.logged == null && LogRecovery.isLeft(names)) {
      new LogRecovery(context, names).run();
    }
  }

  /** Closes a handle of a file. */
  <R> CompletionStage<R> close(OpenFile file, Operation<R> closing) {
    LogNames names = attempt(null, () -> LogNames.of(file.path()));
    return on(
        names,
        (entry, same) -> {
          if (file.logged() == null) {
            entry.plainHandles--;
            return settled(context.below().submit(closing));
          }
          if (entry.handles > 1) {
            entry.handles--;
            file.logged().commit();
            return settled(context.below().submit(closing));
          }
          entry.handles = 0;
          entry.logged = null;
          entry.ending = file.logged().session();
          try {
            return file.logged().end(closing);
          } finally {
            if (entry.ending.isOver()) {
              entry.ending = null;
            }
          }
        });
  }

  private static <R> CompletionStage<R> settled(CompletionStage<R> stage) {
    stage.toCompletableFuture().exceptionally(failure -> null).join();
    return stage;
  }

  /** Deletes a file that is not open, with its log. */
  CompletionStage<Void> delete(FileOperation.Delete delete, LogNames names) {
    return on(
        names,
        (entry, same) -> {
          if (entry.logged != null) {
            throw new InvalidUseException(
                "file to delete: actual=open in this program, expected=closed, at="
                    + delete.name());
          }
          finish(entry, names);
          return settled(context.below().submit(delete));
        });
  }

  /** {@return whether there is a file, if this class knows it} */
  Optional<CompletableFuture<Boolean>> exists(LogNames names) {
    return on(
        names,
        (entry, same) -> {
          if (entry.logged != null) {
            return Optional.of(CompletableFuture.completedFuture(true));
          }
          finish(entry, names);
          return Optional.empty();
        });
  }

  /** Waits for all migrations in the background; returns the failures. */
  List<HyperslabException> awaitAll() {
    List<HyperslabException> failures = new ArrayList<>();
    for (Entry entry : entries.values()) {
      LogSession ending = entry.ending;
      if (ending != null) {
        ending.awaitEnd();
        Optional.ofNullable(ending.failure()).ifPresent(failures::add);
      }
    }
    return failures;
  }
}
