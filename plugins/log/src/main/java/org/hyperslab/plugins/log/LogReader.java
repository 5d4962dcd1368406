package org.hyperslab.plugins.log;

import static org.hyperslab.plugins.log.LogFormat.HEAD;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.StorageException;

/**
 * Reads the records of a log that a process has left, whose layout {@link LogFormat} describes.
 *
 * <p>A record that is not intact ends the log. What lies behind it was torn by a crash, unless it
 * was on storage before: then the log is damaged, and nothing of it is used. What was on storage is
 * known from the promised length, and from marks behind the record, which say how much was on
 * storage when they were appended.
 *
 * <p>Thread rule: confined to one thread.
 */
final class LogReader implements AutoCloseable {

  private static final int BLOCK = 1 << 20;

  private final Path path;
  private final FileChannel channel;
  private byte[] nonce = new byte[LogFormat.NONCE_BYTES];
  private long promised;

  LogReader(Path path) {
    this.path = path;
    try {
      this.channel = FileChannel.open(path, StandardOpenOption.READ);
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static StorageException failed(Path path, IOException e) {
    return new StorageException("log: actual=" + e + ", expected=read, at=" + path, e);
  }

  private CorruptFileException corrupt(long at, String problem) {
    return new CorruptFileException(path.toString(), "log", at, problem);
  }

  /**
   * Reads all records.
   *
   * @return the intact records; the first one is a {@link LogRecord.Kind#START}. None if all were
   *     cut off, for another log to take the place of this one
   * @throws CorruptFileException if this is no log, or records are damaged that were on storage
   */
  List<LogRecord> records() {
    try {
      readStart();
      List<LogRecord> records = new ArrayList<>();
      long size = channel.size();
      if (size == LogFormat.START) {
        return records;
      }
      long at = LogFormat.START;
      while (at < size) {
        Optional<LogRecord> next = recordAt(at, size);
        if (next.isEmpty()) {
          requireTorn(at, size, promised);
          break;
        }
        records.add(next.get());
        at = next.get().place().next();
      }
      if (at < promised) {
        throw damaged(at, promised);
      }
      if (records.isEmpty() || records.getFirst().kind() != LogRecord.Kind.START) {
        throw corrupt(LogFormat.START, "actual=no first record, expected=one; see docs/log.md");
      }
      return records;
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private void readStart() throws IOException {
    ByteBuffer start = read(0, LogFormat.START);
    if (start == null
        || start.getLong(0) != LogFormat.MAGIC
        || start.getInt(LogFormat.CHECK_AT) != LogFormat.checkOf(start)) {
      throw corrupt(0, "actual=other content, expected=the start of a log");
    }
    if (start.getInt(LogFormat.VERSION_AT) != LogFormat.VERSION) {
      throw corrupt(
          LogFormat.VERSION_AT,
          "actual=version "
              + start.getInt(LogFormat.VERSION_AT)
              + ", expected="
              + LogFormat.VERSION);
    }
    start.get(LogFormat.NONCE_AT, nonce);
    long length = start.getLong(LogFormat.PROMISED_AT);
    ByteBuffer expected = LogFormat.promised(nonce, length);
    boolean whole = start.getInt(LogFormat.PROMISED_AT + 8) == expected.getInt(8);
    promised = whole ? length : 0;
  }

  /** Reads bytes; returns null if the log ends before. */
  private ByteBuffer read(long at, int bytes) throws IOException {
    ByteBuffer into = LogFormat.buffer(bytes);
    while (into.hasRemaining()) {
      if (channel.read(into, at + into.position()) < 0) {
        return null;
      }
    }
    return into.clear();
  }

  /** {@return the record at an offset, if an intact one is there} */
  private Optional<LogRecord> recordAt(long at, long size) throws IOException {
    if (size - at < HEAD) {
      return Optional.empty();
    }
    ByteBuffer head = read(at, HEAD);
    if (head == null || head.getInt(0) != LogFormat.RECORD_MAGIC) {
      return Optional.empty();
    }
    int kind = head.getInt(LogFormat.KIND_AT);
    int body = head.getInt(LogFormat.BODY_AT);
    long payload = head.getLong(LogFormat.PAYLOAD_AT);
    if (kind < 0
        || kind >= LogRecord.Kind.values().length
        || body < 0
        || body > LogFormat.MAX_BODY
        || payload < 0
        || payload > size - at - HEAD - body) {
      return Optional.empty();
    }
    ByteBuffer content = read(at + HEAD, body);
    if (content == null) {
      return Optional.empty();
    }
    CRC32C crc = LogFormat.begin(nonce, at, head);
    crc.update(content.duplicate());
    for (long done = 0; done < payload; done += BLOCK) {
      ByteBuffer block = read(at + HEAD + body + done, (int) Math.min(BLOCK, payload - done));
      if (block == null) {
        return Optional.empty();
      }
      crc.update(block);
    }
    if ((int) crc.getValue() != head.getInt(LogFormat.CRC_AT)) {
      return Optional.empty();
    }
    return Optional.of(
        new LogRecord(
            LogRecord.Kind.values()[kind],
            at,
            head.getLong(LogFormat.NUMBER_AT),
            head.getLong(LogFormat.SECOND_AT),
            head.getLong(LogFormat.FORCED_AT),
            content.array(),
            payload));
  }

  /** Refuses a record that is not intact although it was on storage. */
  private void requireTorn(long at, long size, long known) throws IOException {
    long onStorage = known;
    for (long from = at + 8; from + HEAD <= size; from += BLOCK) {
      ByteBuffer block = read(from, (int) Math.min(BLOCK, size - from));
      for (int i = 0; block != null && i + 4 <= block.limit(); i += 8) {
        if (block.getInt(i) == LogFormat.RECORD_MAGIC) {
          Optional<LogRecord> record = recordAt(from + i, size);
          onStorage = Math.max(onStorage, record.map(LogRecord::forced).orElse(0L));
        }
      }
    }
    if (at < onStorage) {
      throw damaged(at, onStorage);
    }
  }

  private CorruptFileException damaged(long at, long onStorage) {
    return corrupt(
        at,
        "actual=a damaged record, expected=an intact one: "
            + onStorage
            + " bytes were on storage. Nothing of the log is used, and it is kept; the file has"
            + " the state of its last migration");
  }

  /** {@return the random number of the log, after {@link #records}} */
  byte[] nonce() {
    return nonce;
  }

  /**
   * Reads the payload of a record that {@link #records} has returned, and checks it.
   *
   * @param into as long as the payload
   * @throws CorruptFileException if it has changed since
   */
  void payload(LogRecord.Place record, MemorySegment into) {
    payload(path, channel, nonce, record, into);
  }

  /** Reads the payload of a record, and checks it. */
  static void payload(
      Path path, FileChannel from, byte[] nonce, LogRecord.Place record, MemorySegment into) {
    List<ByteBuffer> views = new ArrayList<>();
    LogFormat.addViews(views, into);
    ByteBuffer front = LogFormat.buffer(HEAD + record.bodyBytes());
    try {
      long at = fill(from, front, record.at());
      for (ByteBuffer view : views) {
        at = fill(from, view.duplicate(), at);
      }
    } catch (IOException e) {
      throw failed(path, e);
    }
    List<ByteBuffer> parts = new ArrayList<>(views);
    parts.addFirst(front.slice(HEAD, record.bodyBytes()));
    int check = front.getInt(LogFormat.CRC_AT);
    ByteBuffer head = front.slice(0, HEAD);
    if (check != LogFormat.checkOf(nonce, record.at(), head, parts)) {
      throw new CorruptFileException(
          path.toString(), "log", record.at(), "actual=a damaged record, expected=an intact one");
    }
  }

  /** Reads until a buffer is full or the log ends; returns the offset after what was read. */
  private static long fill(FileChannel from, ByteBuffer into, long at) throws IOException {
    long position = at;
    while (into.hasRemaining()) {
      int count = from.read(into, position);
      if (count < 0) {
        break;
      }
      position += count;
    }
    return position;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(path, e);
    }
  }
}
