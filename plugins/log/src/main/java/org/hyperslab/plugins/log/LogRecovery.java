package org.hyperslab.plugins.log;

import static org.hyperslab.plugins.log.LogMigration.done;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.codec.DecodeLimits;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.ElementKind;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;

/**
 * Migrates a log that a process has left. Whatever was committed is brought into the part, which
 * then takes the place of the file; what was not committed is dropped. Killed at any point, it does
 * the same when it is begun again.
 *
 * <p>The part's lock keeps a second migration away.
 *
 * <p>Thread rule: confined to one thread.
 */
final class LogRecovery {

  private final LogContext context;
  private final LogNames names;
  private final Connector below;
  private LogNote note;

  /** Stands for elements that need not be known. */
  private MemorySegment scratch = MemorySegment.ofArray(new byte[0]);

  LogRecovery(LogContext context, LogNames names) {
    this.context = context;
    this.names = names;
    this.below = context.below();
  }

  /** {@return whether a file has a log} */
  static boolean isLeft(LogNames names) {
    return Files.exists(names.note());
  }

  /**
   * Migrates the log of a file.
   *
   * @return a line for people
   * @throws HyperslabException if it cannot be migrated; all is kept
   */
  String run() {
    try {
      note = LogNote.read(names.note());
      if (!note.file().equals(names.file())) {
        throw new InvalidUseException(
            "log: actual=of " + note.file() + ", expected=of " + names.file());
      }
      FileIdentity part = FileIdentity.of(names.part());
      if (!part.isFile()) {
        return withoutPart();
      }
      if (!part.key().equals(note.part())) {
        throw new CorruptFileException(
            names.part().toString(),
            "part of a logged file",
            CorruptFileException.NO_OFFSET,
            "actual=another file than the log's, expected=file " + note.part());
      }
      OwnFiles.requireOwner(names.part());
      return withPart();
    } catch (IOException e) {
      throw LogPublication.failed(names, e);
    }
  }

  /** Deletes note and log of a part that has taken the place of the file. */
  private String withoutPart() throws IOException {
    FileIdentity now = FileIdentity.of(names.file());
    if (!now.key().equals(note.part())) {
      throw new NotFoundException(
          "part of a logged file: actual=missing, expected="
              + names.part()
              + "; `hyperslab drain --discard FILE` gives up what is in the log only");
    }
    LogPublication.deleteNotes(names, note);
    return names.file() + ": migrated before";
  }

  private String withPart() throws IOException {
    if (!Files.exists(note.log())) {
      throw new NotFoundException(
          "log of "
              + names.file()
              + ": actual=missing, expected="
              + note.log()
              + "; mount its disk, or give up what is in it only with"
              + " `hyperslab drain --discard FILE`");
    }
    OwnFiles.requireOwn(note.log());
    Handle part = Handle.fresh();
    Optional<HyperslabException> unopened = opened(part);
    if (unopened.isPresent()) {
      if (unopened.get() instanceof StorageException locked) {
        throw locked;
      }
      return unflushedOr(unopened.get());
    }
    boolean complete = false;
    try {
      String report = migrated(part);
      complete = true;
      return report;
    } finally {
      if (!complete) {
        below
            .submit(new FileOperation.Close(part))
            .toCompletableFuture()
            .exceptionally(e -> null)
            .join();
      }
    }
  }

  private Optional<HyperslabException> opened(Handle part) {
    try {
      done(
          below,
          new FileOperation.Open(
              part, names.part().toString(), LogOpening.unflushed(OpenOptions.EDIT)));
      return Optional.empty();
    } catch (HyperslabException failure) {
      return Optional.of(failure);
    }
  }

  /** A part that was never flushed need not be a file that can be opened. */
  private String unflushedOr(HyperslabException failure) {
    try (LogReader reader = new LogReader(note.log())) {
      List<LogRecord> records = records(reader);
      boolean committed =
          startOf(records) > 0
              || records.stream().anyMatch(each -> each.kind() == LogRecord.Kind.COMPLETE);
      if (committed) {
        throw failure;
      }
    }
    return nothing();
  }

  private String nothing() {
    LogPublication.discard(names, note);
    return names.file() + ": nothing was flushed";
  }

  private List<LogRecord> records(LogReader reader) {
    List<LogRecord> records = reader.records();
    if (!records.isEmpty() && !Arrays.equals(records.getFirst().body(), note.bytes())) {
      throw new CorruptFileException(
          note.log().toString(),
          "log",
          LogFormat.START,
          "actual=of another file or time, expected=" + "that of " + names.file());
    }
    return records;
  }

  private String migrated(Handle part) {
    long marker = LogMarker.of(below, part);
    try (LogReader reader = new LogReader(note.log())) {
      List<LogRecord> records = records(reader);
      boolean complete = records.stream().anyMatch(each -> each.kind() == LogRecord.Kind.COMPLETE);
      if (marker == 0 && !complete) {
        if (startOf(records) == 0) {
          done(below, new FileOperation.Close(part));
          return nothing();
        }
        throw corrupt("actual=no marker, expected=that of mark " + startOf(records));
      }
      int writes = marker == 0 ? 0 : migrate(part, reader, LogState.of(records, marker, note));
      if (marker != 0) {
        if (!complete) {
          complete(records, marker);
        }
        LogMarker.remove(below, part);
        done(below, new FileOperation.Flush(part));
      }
      done(below, new FileOperation.Close(part));
      LogPublication.publish(names, note, true, context.options().overwrite());
      return names.file() + ": " + writes + " writes migrated";
    }
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(
        names.part().toString(), "part of a logged file", CorruptFileException.NO_OFFSET, problem);
  }

  /** {@return the mark from which a log starts; -1 if all of its records were cut off} */
  private static long startOf(List<LogRecord> records) {
    return records.isEmpty() ? -1 : records.getFirst().number();
  }

  private void complete(List<LogRecord> records, long marker) {
    long end = records.isEmpty() ? LogFormat.START : records.getLast().place().next();
    try (LogWriter log = LogWriter.reopen(note.log(), note.nonce(), end)) {
      if (records.isEmpty()) {
        log.append(LogRecord.Kind.START, Math.abs(marker), 0, note.bytes(), List.of());
      }
      log.commit(log.append(LogRecord.Kind.COMPLETE, 0, 0));
    }
  }

  /** Brings the committed elements into the part; returns the number of writes. */
  private int migrate(Handle part, LogReader reader, LogState state) {
    Map<Long, List<LogRecord>> byDataset = new LinkedHashMap<>();
    for (LogRecord record : state.toMigrate()) {
      byDataset.computeIfAbsent(record.number(), absent -> new ArrayList<>()).add(record);
    }
    int writes = 0;
    for (Map.Entry<Long, List<LogRecord>> each : byDataset.entrySet()) {
      writes += migrate(part, reader, each.getKey(), each.getValue());
    }
    return writes;
  }

  private int migrate(Handle part, LogReader reader, long address, List<LogRecord> records) {
    Optional<DatasetInfo> info = describe(part, address);
    if (info.isEmpty()) {
      return 0; // it had no link, and is gone
    }
    LogMigration.Target target = LogMigration.Target.of(new DataKey(0, address), info.get());
    ElementKind kind = target.kind();
    long[] extent = info.get().space().dims();
    List<LoggedWrite> batch = new ArrayList<>();
    long bytes = 0;
    for (LogRecord record : records) {
      batch.add(new LoggedWrite(record.place(), region(record, kind, extent), 0));
      bytes += record.payloadBytes();
      if (bytes >= LogMigration.BATCH_BYTES) {
        context.migration().write(part, target, batch, reader::payload);
        context.pace().waitAfter(bytes);
        batch.clear();
        bytes = 0;
      }
    }
    if (!batch.isEmpty()) {
      context.migration().write(part, target, batch, reader::payload);
    }
    return records.size();
  }

  private Optional<DatasetInfo> describe(Handle part, long address) {
    Handle dataset = Handle.fresh();
    try {
      done(below, new ObjectOperation.OpenToken(dataset, part, new ObjectToken(address)));
      return Optional.of(done(below, new DatasetOperation.Describe(dataset)));
    } catch (StorageException failure) {
      throw failure;
    } catch (HyperslabException gone) {
      return Optional.empty();
    } finally {
      below
          .submit(new ObjectOperation.Close(dataset))
          .toCompletableFuture()
          .exceptionally(e -> null)
          .join();
    }
  }

  /** Decodes which elements a record holds; its payload is read later. */
  private Region region(LogRecord record, ElementKind kind, long[] extent) {
    if (scratch.byteSize() < record.payloadBytes()) {
      scratch = Arena.ofAuto().allocate(record.payloadBytes());
    }
    EncodedMessage message =
        new EncodedMessage(record.body(), List.of(scratch.asSlice(0, record.payloadBytes())));
    if (OperationCodec.decode(message, DecodeLimits.DEFAULT) instanceof DatasetOperation.Write write
        && write.transfer().memoryType().equals(kind.type())) {
      return Region.of(write.transfer().fileSelection(), extent);
    }
    throw new CorruptFileException(
        note.log().toString(),
        "log",
        record.at(),
        "actual=no write of " + kind.type().describe() + ", expected=one");
  }
}
