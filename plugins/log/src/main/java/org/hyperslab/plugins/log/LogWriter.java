package org.hyperslab.plugins.log;

import static org.hyperslab.plugins.log.LogFormat.HEAD;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.DurableFile;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.vol.Uninterrupted;

/**
 * Appends records to a log, whose layout {@link LogFormat} describes. Small records are collected
 * in memory and written in few large requests; large ones are written from their own memory.
 *
 * <p>{@link #commit} forces in groups: one force serves all callers that wait, and appending goes
 * on meanwhile. If a write fails, what was collected is kept and is written by the next attempt; if
 * a force fails, the content of storage is unknown, and the log accepts nothing more.
 *
 * <p>Thread rule: any thread. Its monitor is held while the log itself is written, never while it
 * is forced or anything else is awaited.
 */
final class LogWriter implements AutoCloseable {

  private static final int STAGING_BYTES = 4 << 20;

  private final Path path;
  private final byte[] nonce;
  private final ByteBuffer staging =
      ByteBuffer.allocate(STAGING_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private FileChannel channel;

  /** The length of the file; what is staged follows it. */
  private long written;

  private long forced;
  private boolean forcing;

  /** The reason why nothing more is accepted; null if there is none. */
  private StorageException broken;

  private LogWriter(Path path, byte[] nonce, FileChannel channel, long written, long forced) {
    this.path = path;
    this.nonce = nonce;
    this.channel = channel;
    this.written = written;
    this.forced = forced;
  }

  /**
   * Creates a log with its first record, which is on storage when this returns.
   *
   * @param path the log
   * @param note what the log belongs to
   * @param mark the mark that it starts from
   * @throws StorageException if it cannot be written
   */
  static LogWriter create(Path path, LogNote note, long mark) {
    LogWriter log = new LogWriter(path, note.nonce(), null, 0, 0);
    log.startAnew(note, mark);
    return log;
  }

  /**
   * Replaces the log by one without records. What was in it must be in the part, whose marker must
   * say so, because a crash may leave the log without its records.
   *
   * @param note what the log belongs to
   * @param mark the mark that it starts from
   */
  synchronized void startAnew(LogNote note, long mark) {
    Uninterrupted.await(this, () -> forcing);
    try {
      replace(note, mark);
    } catch (IOException full) {
      if (channel == null) {
        throw failed(full);
      }
      replaceInOwnSpace(note, mark, full);
    }
    staging.clear();
    written = LogFormat.START + LogFormat.padded(HEAD + note.bytes().length);
    forced = written;
  }

  /** Frees the space of the records, for the log that takes the place of this one. */
  private void replaceInOwnSpace(LogNote note, long mark, IOException full) {
    try {
      channel.truncate(LogFormat.START);
      channel.force(true);
      replace(note, mark);
    } catch (IOException e) {
      e.addSuppressed(full);
      throw failed(e);
    }
  }

  private void replace(LogNote note, long mark) throws IOException {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    FileChannel next = null;
    try {
      next = opened(fresh);
      write(next, LogFormat.start(nonce), 0);
      write(next, first(note, mark), LogFormat.START);
      next.force(true);
      DurableFile.rename(fresh, path);
    } catch (IOException e) {
      if (next != null) {
        next.close();
      }
      Files.deleteIfExists(fresh);
      throw e;
    }
    if (channel != null) {
      channel.close();
    }
    channel = next;
  }

  private static FileChannel opened(Path fresh) throws IOException {
    return FileChannel.open(
        fresh,
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE),
        OwnFiles.ownerOnly(fresh));
  }

  /**
   * Opens a log that a process has left, to append what its migration has to say.
   *
   * @param path the log
   * @param nonce its random number
   * @param end the end of its last intact record; what follows is cut off
   */
  static LogWriter reopen(Path path, byte[] nonce, long end) {
    LogWriter log = new LogWriter(path, nonce, null, end, 0);
    try {
      log.channel =
          FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE).truncate(end);
    } catch (IOException e) {
      throw log.failed(e);
    }
    return log;
  }

  /** {@return the first record} */
  private ByteBuffer first(LogNote note, long mark) {
    byte[] body = note.bytes();
    ByteBuffer head = head(LogRecord.Kind.START, mark, 0, body, 0).putLong(LogFormat.FORCED_AT, 0);
    List<ByteBuffer> parts = List.of(ByteBuffer.wrap(body));
    head.putInt(LogFormat.CRC_AT, LogFormat.checkOf(nonce, LogFormat.START, head, parts));
    ByteBuffer bytes = LogFormat.buffer((int) LogFormat.padded(HEAD + body.length));
    return bytes.put(0, head, 0, HEAD).put(HEAD, body);
  }

  private ByteBuffer head(
      LogRecord.Kind kind, long number, long second, byte[] body, long payload) {
    return LogFormat.buffer(HEAD)
        .putInt(0, LogFormat.RECORD_MAGIC)
        .putInt(LogFormat.KIND_AT, kind.ordinal())
        .putInt(LogFormat.BODY_AT, body.length)
        .putLong(LogFormat.PAYLOAD_AT, payload)
        .putLong(LogFormat.NUMBER_AT, number)
        .putLong(LogFormat.SECOND_AT, second)
        .putLong(LogFormat.FORCED_AT, forced);
  }

  private StorageException failed(IOException e) {
    return new StorageException("log: actual=" + e + ", expected=written or read, at=" + path, e);
  }

  /**
   * Appends a record without a payload.
   *
   * @return the offset of its end
   */
  synchronized long append(LogRecord.Kind kind, long number, long second) {
    append(kind, number, second, new byte[0], List.of());
    return end();
  }

  /**
   * Appends elements, unless the log would become longer than allowed.
   *
   * @param kind what the elements are
   * @param address the address of the dataset
   * @param message the write
   * @param mostBytes the greatest length of the log
   * @return the place of the record; empty if there is no room
   */
  synchronized Optional<LogRecord.Place> append(
      LogRecord.Kind kind, long address, EncodedMessage message, long mostBytes) {
    long total = HEAD + message.control().length + message.payloadBytes();
    return end() + LogFormat.padded(total) > mostBytes
        ? Optional.empty()
        : Optional.of(append(kind, address, 0, message.control(), message.payload()));
  }

  /**
   * Appends a record.
   *
   * @param payload accessible by the calling thread, and not used afterwards
   * @return the place of the record
   * @throws StorageException if it cannot be written; then it is not in the log
   */
  synchronized LogRecord.Place append(
      LogRecord.Kind kind, long number, long second, byte[] body, List<MemorySegment> payload) {
    requireWhole();
    long payloadBytes = 0;
    for (MemorySegment part : payload) {
      payloadBytes += part.byteSize();
    }
    long total = LogFormat.padded(HEAD + body.length + payloadBytes);
    if (total > staging.remaining()) {
      writeStaged();
    }
    long at = end();
    ByteBuffer head = head(kind, number, second, body, payloadBytes);
    if (total <= staging.remaining()) {
      stage(head, at, body, payload);
    } else {
      writeThrough(head, at, body, payload);
      written = at + total;
    }
    return new LogRecord.Place(at, body.length, payloadBytes);
  }

  private void stage(ByteBuffer head, long at, byte[] body, List<MemorySegment> payload) {
    int start = staging.position();
    staging.put(head.duplicate()).put(body);
    MemorySegment memory = MemorySegment.ofBuffer(staging.duplicate().clear());
    for (MemorySegment part : payload) {
      memory.asSlice(staging.position(), part.byteSize()).copyFrom(part);
      staging.position(staging.position() + (int) part.byteSize());
    }
    int content = start + HEAD;
    List<ByteBuffer> parts = List.of(staging.slice(content, staging.position() - content));
    staging.putInt(start + LogFormat.CRC_AT, LogFormat.checkOf(nonce, at, head, parts));
    while (staging.position() % 8 != 0) {
      staging.put((byte) 0);
    }
  }

  /** Writes a record from its own memory, its head last. Nothing is staged. */
  private void writeThrough(ByteBuffer head, long at, byte[] body, List<MemorySegment> payload) {
    CRC32C crc = LogFormat.begin(nonce, at, head);
    crc.update(body);
    long position = at + HEAD;
    try {
      write(channel, ByteBuffer.wrap(body), position);
      position += body.length;
      for (MemorySegment part : payload) {
        for (long from = 0; from < part.byteSize(); from += STAGING_BYTES) {
          long length = Math.min(STAGING_BYTES, part.byteSize() - from);
          ByteBuffer block = view(part.asSlice(from, length));
          crc.update(block.duplicate());
          write(channel, block, position);
          position += length;
        }
      }
      head.putInt(LogFormat.CRC_AT, (int) crc.getValue());
      write(channel, head.duplicate(), at);
      pad(position);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void pad(long position) throws IOException {
    int rest = (int) (LogFormat.padded(position) - position);
    write(channel, ByteBuffer.allocate(rest), position);
  }

  /** {@return memory that a channel can write: the memory itself, or a copy in the staging area} */
  private ByteBuffer view(MemorySegment part) {
    if (part.isNative()) {
      return part.asByteBuffer();
    }
    ByteBuffer copy = staging.duplicate().clear().limit((int) part.byteSize());
    MemorySegment.ofBuffer(copy).copyFrom(part);
    return copy;
  }

  private static void write(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
    long position = at;
    while (bytes.hasRemaining()) {
      position += channel.write(bytes, position);
    }
  }

  /** Writes what is collected; if that fails, it stays collected. */
  private void writeStaged() {
    ByteBuffer collected = staging.duplicate().flip();
    int length = collected.remaining();
    try {
      write(channel, collected, written);
    } catch (IOException e) {
      throw failed(e);
    }
    written += length;
    staging.clear();
  }

  /** Gives all records to the system, so that they survive the process. */
  synchronized void write() {
    requireWhole();
    writeStaged();
  }

  /** {@return the length of the log with all records} */
  synchronized long end() {
    return written + staging.position();
  }

  private void requireWhole() {
    if (broken != null) {
      throw new StorageException(
          "log: actual=broken before (" + broken.getMessage() + "), expected=intact", broken);
    }
  }

  /**
   * Waits until the log is on storage up to an offset.
   *
   * @param upTo the offset of the end of a record
   */
  void commit(long upTo) {
    long goal;
    FileChannel forcedChannel;
    synchronized (this) {
      Uninterrupted.await(this, () -> forcing && forced < upTo && broken == null);
      requireWhole();
      if (forced >= upTo) {
        return;
      }
      writeStaged();
      forcing = true;
      goal = written;
      forcedChannel = channel;
    }
    IOException failure = null;
    try {
      forcedChannel.force(false);
      write(forcedChannel, LogFormat.promised(nonce, goal), LogFormat.PROMISED_AT);
    } catch (IOException e) {
      failure = e;
    }
    synchronized (this) {
      forcing = false;
      if (failure == null) {
        forced = goal;
      } else {
        broken = failed(failure);
      }
      notifyAll();
    }
    if (failure != null) {
      throw failed(failure);
    }
  }

  /**
   * Reads the payload of a record, and checks it.
   *
   * @param record the record
   * @param into as long as the payload
   * @throws org.hyperslab.error.CorruptFileException if it is not what was appended
   */
  void read(LogRecord.Place record, MemorySegment into) {
    FileChannel from;
    synchronized (this) {
      if (record.at() >= written) {
        int position = (int) (record.payloadAt() - written);
        MemorySegment collected = MemorySegment.ofBuffer(staging.duplicate().clear());
        into.copyFrom(collected.asSlice(position, into.byteSize()));
        return;
      }
      from = channel;
    }
    LogReader.payload(path, from, nonce, record, into);
  }

  @Override
  public synchronized void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
