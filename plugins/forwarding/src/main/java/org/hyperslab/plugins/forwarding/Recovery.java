package org.hyperslab.plugins.forwarding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
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
 * Replays the journals of a server.
 *
 * <p>A crash during a replay leaves the file and the journal unchanged: the file changes only when
 * it is closed, and then has no marker any more.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Recovery {

  /** The suffix of the name of a journal that was refused. */
  private static final String SET_ASIDE = ".refused";

  /** The suffix of the name of a journal whose file does not exist. */
  private static final String WITHOUT_FILE = ".orphan";

  private static final ValueLayout.OfLong LITTLE =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Connector connector;
  private final EncodingCache recurring = new EncodingCache();
  private final Path folder;
  private final JournalKey key;
  private final UnaryOperator<Operation<?>> door;

  Recovery(Connector connector, Path folder, JournalKey key, UnaryOperator<Operation<?>> door) {
    this.connector = connector;
    this.folder = folder;
    this.key = key;
    this.door = door;
  }

  String run() {
    StringBuilder report = new StringBuilder();
    List<Path> journals;
    try (Stream<Path> all = Files.list(folder)) {
      journals = all.filter(path -> path.toString().endsWith(".journal")).sorted().toList();
    } catch (IOException e) {
      throw new StorageException("folder of journals: actual=" + e + ", at=" + folder, e);
    }
    for (Path journal : journals) {
      report.append(one(journal)).append(System.lineSeparator());
    }
    return report.toString();
  }

  /** Replays one journal and returns a line for the report. */
  String one(Path journal) {
    return replayOrSetAside(journal);
  }

  /** The state of the replay of one journal. */
  private final class Replay {
    final Handle file = Handle.fresh();
    final Set<Handle> open = new HashSet<>();
    final Set<Handle> files = new HashSet<>();
    OpenOptions options = OpenOptions.EDIT;
    String path;
    final Set<Long> refusedBefore = new HashSet<>();
    long marker = Long.MAX_VALUE;
    long replayed;
    long refused;

    void learn(JournalRecord record) {
      if (record.kind() == JournalRecord.Kind.START) {
        started(record);
      }
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
      switch (record.kind()) {
        case START, REFUSED -> {}
        case FILE_OPENED -> {
          Handle handle = new Handle(record.number());
          close(handle);
          attempt(new FileOperation.Open(handle, path, options));
          files.add(handle);
        }
        case OBJECT_OPENED -> {
          Handle handle = new Handle(record.number());
          if (record.sequence() <= marker && !open.contains(handle)) {
            attempt(new ObjectOperation.OpenToken(handle, file, new ObjectToken(record.second())));
            open.add(handle);
          }
        }
        case CLOSED -> close(new Handle(record.number()));
        case OPERATION -> {
          if (record.sequence() > marker && !refusedBefore.contains(record.sequence())) {
            replay(record);
          }
        }
      }
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
              handle -> JournalingConnector.handle(record.number(), handle),
              recurring);
      replayed++;
      operation.opens().ifPresent(open::add);
      Throwable failure = attempt(operation);
      if (failure instanceof AlreadyExistsException) {
        failure = attempt(opening(operation));
      }
      refused += failure == null ? 0 : 1;
    }
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
    return new OpenOptions(
        true,
        false,
        as.locking(),
        as.durability(),
        as.low(),
        as.high(),
        as.cacheBytes(),
        as.threads(),
        as.properties());
  }

  private Throwable attempt(Operation<?> operation) {
    try {
      connector.submit(door.apply(operation)).toCompletableFuture().join();
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

  /** Replays a journal after checking all of it, or sets it aside. */
  private String replayOrSetAside(Path journal) {
    Replay replay = new Replay();
    try {
      JournalFile.read(journal, key, replay::learn);
    } catch (CorruptFileException forged) {
      return setAside(journal, SET_ASIDE, forged);
    }
    return replay(journal, replay);
  }

  private static String setAside(Path journal, String suffix, HyperslabException why) {
    Path aside = journal.resolveSibling(journal.getFileName() + suffix);
    move(journal, aside);
    return journal.getFileName()
        + ": not replayed, and set aside as "
        + aside.getFileName()
        + ": "
        + why.getMessage();
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new StorageException(
          "journal: actual=" + e + ", expected=to be set aside, at=" + from, e);
    }
  }

  private String replay(Path journal, Replay replay) {
    if (replay.path == null) {
      // Left by a crash during its creation: it never had any content.
      JournalFile.deleteFile(journal);
      return journal.getFileName() + ": of no file";
    }
    Throwable unopened = attempt(new FileOperation.Open(replay.file, replay.path, replay.options));
    if (unopened instanceof NotFoundException missing) {
      return setAside(journal, WITHOUT_FILE, missing);
    }
    if (unopened instanceof HyperslabException failure) {
      throw failure;
    }
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
      JournalFile.read(journal, key, replay::apply);
      require(new AttributeOperation.Delete(root, FileJournal.MARKER));
    }
    replay.open.forEach(handle -> attempt(new ObjectOperation.Close(handle)));
    replay.files.forEach(handle -> attempt(new FileOperation.Close(handle)));
    require(new FileOperation.Close(replay.file));
    JournalFile.deleteFile(journal);
    return replay.path
        + ": "
        + replay.replayed
        + " operations replayed"
        + (replay.refused == 0 ? "" : ", " + replay.refused + " refused as before");
  }
}
