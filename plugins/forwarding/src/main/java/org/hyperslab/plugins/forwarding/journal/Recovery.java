package org.hyperslab.plugins.forwarding.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.DurableFile;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.codec.DecodeLimits;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.EncodingCache;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TypeOperation;

/**
 * Replays the journals of a server, each on its own: what happens to one file concerns no other.
 *
 * <p>A replay that fails or is killed leaves the file's metadata and the journal unchanged: the
 * file changes when it is flushed at the end of the replay, and then has no marker any more. The
 * journal is kept, and is replayed again before the file is next opened.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Recovery {

  /** The suffix of the name of a journal that was refused. */
  static final String SET_ASIDE = ".refused";

  /** The suffix of the name of the copy of a damaged journal. */
  private static final String DAMAGED = ".damaged";

  /** The suffix of the name of a journal whose file does not exist. */
  static final String WITHOUT_FILE = ".orphan";

  private static final ValueLayout.OfLong LITTLE =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Connector connector;
  private final EncodingCache recurring = new EncodingCache();
  private final JournalFolder folder;
  private final JournalKey key;
  private final UnaryOperator<Operation<?>> door;
  private final JournalWatch watch;

  /**
   * The name of the file of which also the intact records behind damaged ones are replayed, and
   * failures are passed over; empty if all has to be intact.
   */
  private Optional<String> salvaging = Optional.empty();

  /**
   * Creates a recovery.
   *
   * @param connector carries the operations out
   * @param folder the folder of the journals
   * @param key authenticates the journals
   * @param door checks each operation
   * @param watch is told what becomes of each journal
   */
  Recovery(
      Connector connector,
      JournalFolder folder,
      JournalKey key,
      UnaryOperator<Operation<?>> door,
      JournalWatch watch) {
    this.connector = connector;
    this.folder = folder;
    this.key = key;
    this.door = door;
    this.watch = watch;
  }

  /** What has become of a journal: a line for people, and whether its file can be served. */
  private record Outcome(String line, boolean served) {}

  String run() {
    StringBuilder report = new StringBuilder();
    List<Path> journals;
    try (Stream<Path> all = Files.list(folder.path())) {
      journals = all.filter(path -> path.toString().endsWith(".journal")).sorted().toList();
    } catch (IOException e) {
      throw new StorageException("folder of journals: actual=" + e + ", at=" + folder.path(), e);
    }
    folder.deleteUnfinished();
    for (Path journal : journals) {
      report.append(reported(journal)).append(System.lineSeparator());
    }
    return report.toString();
  }

  private String reported(Path journal) {
    try {
      return one(journal);
    } catch (RuntimeException failed) {
      return kept(journal, failed);
    }
  }

  private static String kept(Path journal, RuntimeException failed) {
    return journal.getFileName()
        + ": not replayed, and kept until the file is opened: "
        + Connectors.causeOf(failed).getMessage();
  }

  /**
   * Replays one journal.
   *
   * @param journal the journal
   * @return a line for the report
   * @throws HyperslabException if that is not possible now; the journal is kept
   */
  String one(Path journal) {
    String name = journal.getFileName().toString();
    try {
      Outcome outcome = replayOrSetAside(journal);
      if (outcome.served) {
        watch.replayed(name, outcome.line);
      } else {
        watch.notReplayed(name, outcome.line);
      }
      return outcome.line;
    } catch (RuntimeException failed) {
      watch.notReplayed(name, kept(journal, failed));
      throw failed;
    }
  }

  /**
   * Gives up the edits of a file whose journal is missing: takes the marker away.
   *
   * @param name the name of the file
   * @return a line for the report
   * @throws HyperslabException if the file cannot be opened
   */
  String giveUp(String name) {
    Handle file = Handle.fresh();
    require(new FileOperation.Open(file, name, OpenOptions.EDIT));
    try {
      Location root = Location.of(file);
      if (!Boolean.TRUE.equals(result(new AttributeOperation.Exists(root, FileJournal.MARKER)))) {
        return name + ": no journal";
      }
      require(new AttributeOperation.Delete(root, FileJournal.MARKER));
      require(new FileOperation.Flush(file));
    } finally {
      attempt(new FileOperation.Close(file));
    }
    return name
        + ": its journal is missing; the file is served as its last flush has left it, without the"
        + " edits that were acknowledged as durable afterwards";
  }

  /**
   * Replays what is intact of one journal, also behind damaged parts, and keeps a copy of it.
   *
   * @param journal the journal
   * @param name the name of its file, in case the journal has lost it
   * @return a line for the report
   */
  String salvage(Path journal, String name) {
    Path copy = journal.resolveSibling(journal.getFileName() + DAMAGED);
    try {
      Files.copy(journal, copy, StandardCopyOption.REPLACE_EXISTING);
      DurableFile.force(copy);
      DurableFile.force(copy.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw JournalFile.failed(journal, e);
    }
    salvaging = Optional.of(name);
    try {
      JournalEnd end = JournalReader.salvage(journal, key, record -> {});
      return one(journal)
          + "; "
          + end.skipped()
          + " damaged parts left out, all of it kept as "
          + copy.getFileName();
    } finally {
      salvaging = Optional.empty();
    }
  }

  /** The state of the replay of one journal. */
  private final class Replay {
    final Handle file = Handle.fresh();

    /** The handles here of those in the journal, which the server may still have in use. */
    final Map<Long, Handle> handles = new HashMap<>();

    final Set<Handle> open = new HashSet<>();
    final Set<Handle> files = new HashSet<>();
    OpenOptions options = OpenOptions.EDIT;
    String path;
    final Set<Long> refusedBefore = new HashSet<>();
    long marker = Long.MAX_VALUE;
    long recorded;
    long replayed;
    long refused;

    /** The failure of the storage that has ended the replay; null if there was none. */
    StorageException stopped;

    void learn(JournalRecord record) {
      if (record.kind() == JournalRecord.Kind.START) {
        started(record);
      }
      recorded += record.kind() == JournalRecord.Kind.OPERATION ? 1 : 0;
      if (record.kind() == JournalRecord.Kind.REFUSED) {
        refusedBefore.add(record.number());
      }
    }

    private void started(JournalRecord record) {
      Operation<?> operation =
          OperationCodec.decode(
              new EncodedMessage(record.body(), record.payload()), DecodeLimits.DEFAULT);
      if (record.number() == FileJournal.VERSION && operation instanceof FileOperation.Open open) {
        path = open.name();
        options = editing(open.options());
      }
    }

    void apply(JournalRecord record) {
      if (stopped != null) {
        return;
      }
      switch (record.kind()) {
        case START, REFUSED -> {}
        case FILE_OPENED -> {
          Handle handle = here(record.number());
          close(handle);
          attempt(new FileOperation.Open(handle, path, options));
          files.add(handle);
        }
        case OBJECT_OPENED -> {
          Handle handle = here(record.number());
          if (record.sequence() <= marker && !open.contains(handle)) {
            attempt(new ObjectOperation.OpenToken(handle, file, new ObjectToken(record.second())));
            open.add(handle);
          }
        }
        case CLOSED -> close(here(record.number()));
        case OPERATION -> {
          if (record.sequence() > marker && !refusedBefore.contains(record.sequence())) {
            replay(record);
          }
        }
      }
    }

    private Handle here(long recorded) {
      return handles.computeIfAbsent(recorded, _ -> Handle.fresh());
    }

    private void close(Handle handle) {
      if (open.remove(handle)) {
        attempt(new ObjectOperation.Close(handle));
      }
      if (files.remove(handle)) {
        attempt(new FileOperation.Close(handle));
      }
    }

    private void replay(JournalRecord record) {
      Operation<?> operation =
          OperationCodec.decode(
              new EncodedMessage(record.body(), record.payload()),
              DecodeLimits.DEFAULT,
              handle -> here(SessionRequest.handle(record.number(), handle)).id(),
              recurring);
      replayed++;
      operation.opens().ifPresent(open::add);
      Throwable failure = attempt(operation);
      if (failure instanceof AlreadyExistsException) {
        failure = attempt(opening(operation));
      }
      if (failure instanceof StorageException storage
          && salvaging.isEmpty()
          && !isOnOtherFiles(operation)) {
        stopped = storage;
      }
      refused += failure == null ? 0 : 1;
    }
  }

  /**
   * Returns whether an operation is on elements in raw files. These may be missing, as they were
   * when the operation failed first; all others failed for a reason that may pass.
   */
  private boolean isOnOtherFiles(Operation<?> operation) {
    return operation instanceof DatasetOperation<?>
        && result(new DatasetOperation.Describe(operation.subject())) instanceof DatasetInfo info
        && info.options().layout() instanceof Layout.External;
  }

  private <R> R result(Operation<R> operation) {
    return connector.submit(operation).toCompletableFuture().exceptionally(e -> null).join();
  }

  /** {@return an opening in place of a creation, because the object exists} */
  private static Operation<?> opening(Operation<?> operation) {
    return switch (operation) {
      case GroupOperation.Create o -> new ObjectOperation.Open(o.group(), o.at());
      case DatasetOperation.Create o -> new ObjectOperation.Open(o.dataset(), o.at());
      case TypeOperation.Commit o -> new ObjectOperation.Open(o.type(), o.at());
      default -> new ObjectOperation.Describe(Location.of(operation.subject()));
    };
  }

  /** {@return options for editing with the bounds and properties of another opening} */
  private static OpenOptions editing(OpenOptions as) {
    return as.withWritable(true).withSwmr(false);
  }

  /** Checks an operation; a replay that does not come to its end leaves the file unchanged. */
  private Operation<?> admitted(Operation<?> operation) {
    Operation<?> admitted = door.apply(operation);
    return admitted instanceof FileOperation.Open open
        ? new FileOperation.Open(
            open.file(),
            open.name(),
            open.options().withProperty(JournalingConnector.DROP_UNFLUSHED, "true"))
        : admitted;
  }

  private Throwable attempt(Operation<?> operation) {
    try {
      connector.submit(admitted(operation)).toCompletableFuture().join();
      return null;
    } catch (CompletionException e) {
      return Connectors.causeOf(e);
    } catch (HyperslabException refusedAtTheDoor) {
      return refusedAtTheDoor;
    }
  }

  private void require(Operation<?> operation) {
    if (attempt(operation) instanceof HyperslabException failure) {
      throw failure;
    }
  }

  private JournalEnd read(Path journal, Consumer<JournalRecord> reader) {
    return salvaging.isPresent()
        ? JournalReader.salvage(journal, key, reader)
        : JournalReader.read(journal, key, reader);
  }

  /** Replays a journal after checking all of it, or sets it aside. */
  private Outcome replayOrSetAside(Path journal) {
    Replay replay = new Replay();
    JournalEnd end;
    try {
      end = read(journal, replay::learn);
    } catch (CorruptFileException forged) {
      return setAside(journal, SET_ASIDE, forged);
    }
    if (end.isDamaged() && salvaging.isEmpty()) {
      throw new CorruptFileException(
          journal.getFileName().toString(),
          "journal",
          end.at(),
          "actual="
              + end
              + ", expected=intact; edits acknowledged as durable are lost or wait behind the"
              + " damage: stop the server, and replay what is intact with stage --root DIR"
              + " --recover "
              + (replay.path == null ? "FILE" : replay.path));
    }
    replay.path = replay.path == null ? salvaging.orElse(null) : replay.path;
    return replay(journal, replay);
  }

  private static Outcome setAside(Path journal, String suffix, HyperslabException why) {
    Path aside = journal.resolveSibling(journal.getFileName() + suffix);
    move(journal, aside);
    return new Outcome(
        journal.getFileName()
            + ": not replayed, and set aside as "
            + aside.getFileName()
            + ": "
            + why.getMessage(),
        false);
  }

  private static void move(Path from, Path to) {
    try {
      DurableFile.rename(from, to);
    } catch (IOException e) {
      throw new StorageException(
          "journal: actual=" + e + ", expected=to be set aside, at=" + from, e);
    }
  }

  private Outcome replay(Path journal, Replay replay) {
    if (replay.path == null) {
      // Left by a crash during its creation: it never had any content.
      JournalFile.deleteFile(journal);
      return new Outcome(journal.getFileName() + ": of no file", true);
    }
    Throwable unopened = attempt(new FileOperation.Open(replay.file, replay.path, replay.options));
    if (unopened instanceof NotFoundException missing) {
      return setAside(journal, WITHOUT_FILE, missing);
    }
    if (unopened != null && replay.recorded == 0 && folder.isEmpty(replay.path)) {
      // Left by a crash while the file was created: nothing in it was acknowledged.
      JournalFile.deleteFile(journal);
      return new Outcome(replay.path + ": empty, and nothing in it was acknowledged", true);
    }
    if (unopened instanceof HyperslabException failure) {
      throw failure;
    }
    boolean finished = false;
    try {
      finish(journal, replay);
      finished = true;
    } finally {
      if (!finished) {
        attempt(new FileOperation.Close(replay.file));
      }
    }
    return new Outcome(
        replay.path
            + ": "
            + replay.replayed
            + " operations replayed"
            + (replay.refused == 0 ? "" : ", " + replay.refused + " refused as before"),
        true);
  }

  private void finish(Path journal, Replay replay) {
    Location root = Location.of(replay.file);
    boolean unfinished =
        Boolean.TRUE.equals(
            connector
                .submit(new AttributeOperation.Exists(root, FileJournal.MARKER))
                .toCompletableFuture()
                .join());
    if (unfinished) {
      MemorySegment value = Arena.ofAuto().allocate(8);
      require(
          new AttributeOperation.Read(
              root, FileJournal.MARKER, Datatypes.I64LE, DataBuffer.of(value)));
      replay.marker = value.get(LITTLE, 0);
      read(journal, replay::apply);
    }
    replay.open.forEach(handle -> attempt(new ObjectOperation.Close(handle)));
    replay.files.forEach(handle -> attempt(new FileOperation.Close(handle)));
    if (replay.stopped != null) {
      throw replay.stopped;
    }
    if (unfinished) {
      require(new AttributeOperation.Delete(root, FileJournal.MARKER));
      require(new FileOperation.Flush(replay.file));
    }
    require(new FileOperation.Close(replay.file));
    JournalFile.deleteFile(journal);
  }
}
