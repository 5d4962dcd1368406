package org.hyperslab.plugins.forwarding.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.hyperslab.error.CorruptFileException;

/**
 * Reads the records of a journal, whose format {@link JournalFile} describes.
 *
 * <p>A record that is not intact ends the journal. If it lies behind what was promised, a crash has
 * torn it; otherwise the journal is damaged, and what follows may be intact: {@link #salvage} looks
 * for it.
 *
 * <p>Thread rule: confined to one thread.
 */
final class JournalReader {

  /** The most records that salvaging assumes to be lost in one damaged part. */
  private static final int MOST_LOST = 64;

  /** The most bytes that salvaging checks at places where no record begins. */
  private static final long MOST_TRIED = 8L << 30;

  private final Path path;
  private final FileChannel in;
  private final JournalKey key;
  private final Consumer<JournalRecord> reader;
  private final boolean salvaging;
  private long promised;
  private long size;
  private byte[] nonce;
  private JournalSeal seal;
  private long tried;

  private JournalReader(
      Path path,
      FileChannel in,
      JournalKey key,
      boolean salvaging,
      Consumer<JournalRecord> reader) {
    this.path = path;
    this.in = in;
    this.key = key;
    this.salvaging = salvaging;
    this.reader = reader;
  }

  /**
   * Reads the records of a journal up to the first one that is not intact.
   *
   * @param path the journal
   * @param key the key of the server
   * @param reader receives the records
   * @return the way in which the journal ended
   * @throws CorruptFileException if a record was not written with this key at this position; the
   *     records read before are authentic
   */
  static JournalEnd read(Path path, JournalKey key, Consumer<JournalRecord> reader) {
    return read(path, key, false, reader);
  }

  /**
   * Reads all intact records of a journal, also those behind damaged ones.
   *
   * @param path the journal
   * @param key the key of the server
   * @param reader receives the records
   * @return the way in which the journal ended
   */
  static JournalEnd salvage(Path path, JournalKey key, Consumer<JournalRecord> reader) {
    return read(path, key, true, reader);
  }

  private static JournalEnd read(
      Path path, JournalKey key, boolean salvaging, Consumer<JournalRecord> reader) {
    try (FileChannel in = FileChannel.open(path, StandardOpenOption.READ)) {
      return new JournalReader(path, in, key, salvaging, reader).read();
    } catch (IOException e) {
      throw JournalFile.failed(path, e);
    }
  }

  private JournalEnd read() throws IOException {
    size = in.size();
    if (!readStart()) {
      return new JournalEnd(0, 0, Math.max(1, size), 0);
    }
    long at = JournalFile.START;
    long records = 0;
    int skipped = 0;
    while (true) {
      JournalRecord record = next(at);
      if (record == null && salvaging && at < promised) {
        skipped++;
        long found = search(at);
        at = found < 0 ? at : found;
        record = found < 0 ? null : next(at);
      }
      if (record == null) {
        return new JournalEnd(records, at, promised, skipped);
      }
      seal.advance();
      reader.accept(record);
      records++;
      at += JournalFile.HEAD + record.body().length + record.payloadBytes();
    }
  }

  /** Reads what precedes the records; returns whether it is intact. */
  private boolean readStart() throws IOException {
    ByteBuffer start = ByteBuffer.allocate(JournalFile.START).order(ByteOrder.LITTLE_ENDIAN);
    if (size < JournalFile.START) {
      return false;
    }
    readFully(start, 0);
    if (!isStart(start) && !(salvaging && isRepaired(start))) {
      return false;
    }
    if (start.getInt(JournalFile.VERSION_AT) != JournalFile.VERSION) {
      throw new CorruptFileException(
          path.getFileName().toString(),
          "journal",
          0,
          "actual=of version "
              + start.getInt(JournalFile.VERSION_AT)
              + ", expected="
              + JournalFile.VERSION);
    }
    nonce = new byte[JournalSeal.NONCE_BYTES];
    start.get(JournalFile.NONCE_AT, nonce);
    seal = new JournalSeal(key, nonce);
    long stored = start.getLong(JournalFile.PROMISED_AT);
    boolean intact =
        start.getInt(JournalFile.PROMISED_AT + 8) == JournalFile.checkOf(nonce, stored);
    promised = intact ? stored : size + 1; // unknown: everything, and more
    return true;
  }

  private static boolean isStart(ByteBuffer start) {
    return start.getLong(0) == JournalFile.MAGIC
        && start.getInt(JournalFile.CHECK_AT) == JournalFile.checkOf(start);
  }

  /** Turns one changed bit back; returns whether that has made the start intact. */
  private static boolean isRepaired(ByteBuffer start) {
    for (int bit = 0; bit < JournalFile.PROMISED_AT * 8; bit++) {
      byte changed = start.get(bit / 8);
      start.put(bit / 8, (byte) (changed ^ 1 << bit % 8));
      if (isStart(start)) {
        return true;
      }
      start.put(bit / 8, changed);
    }
    return false;
  }

  /** Returns the record at an offset, or null if there is no intact one. */
  private JournalRecord next(long at) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(JournalFile.HEAD).order(ByteOrder.LITTLE_ENDIAN);
    JournalRecord record = intact(at, head);
    if (record == null || isSealed(head, record)) {
      return record;
    }
    throw new CorruptFileException(
        path.getFileName().toString(),
        "journal",
        at,
        "actual=a record that this server did not write there, expected=its own");
  }

  private boolean isSealed(ByteBuffer head, JournalRecord record) {
    byte[] written = new byte[JournalKey.MAC_BYTES];
    head.get(JournalFile.MAC_AT, written);
    ByteBuffer sealed = head.slice(4, JournalFile.MAC_AT - 4);
    return MessageDigest.isEqual(seal.of(sealed, JournalFile.parts(record)), written);
  }

  /** Returns the record at an offset if its checksum is right; otherwise null. */
  private JournalRecord intact(long at, ByteBuffer head) throws IOException {
    long left = size - at - JournalFile.HEAD;
    if (left < 0) {
      return null;
    }
    readFully(head.clear(), at);
    int kind = head.getInt(4);
    long body = head.getInt(8);
    long payload = head.getLong(12);
    boolean plausible =
        JournalRecord.Kind.isKnown(kind)
            && body >= 0
            && payload >= 0
            && body <= left
            && payload <= left - body;
    tried += JournalFile.HEAD + (plausible ? body + payload : 0);
    return plausible ? record(head.clear(), at) : null;
  }

  private JournalRecord record(ByteBuffer head, long at) throws IOException {
    byte[] body = new byte[head.getInt(8)];
    readFully(ByteBuffer.wrap(body), at + JournalFile.HEAD);
    long payload = head.getLong(12);
    CRC32C crc = new CRC32C();
    crc.update(head.slice(4, JournalFile.HEAD - 4));
    crc.update(body);
    MemorySegment bytes = Arena.ofAuto().allocate(Math.max(1, payload), 8);
    for (long done = 0; done < payload; done += JournalFile.VIEW_BYTES) {
      long part = Math.min(JournalFile.VIEW_BYTES, payload - done);
      ByteBuffer view = bytes.asSlice(done, part).asByteBuffer();
      readFully(view, at + JournalFile.HEAD + body.length + done);
      crc.update(view.flip());
    }
    if ((int) crc.getValue() != head.getInt(0)) {
      return null;
    }
    return new JournalRecord(
        JournalRecord.Kind.of(head.getInt(4)),
        head.getLong(20),
        head.getLong(28),
        head.getLong(36),
        body,
        payload == 0 ? List.of() : List.of(bytes.asSlice(0, payload)));
  }

  /**
   * Looks for the next authentic record behind a damaged one, and positions the seal at it.
   *
   * @param damaged the offset of the damaged record
   * @return the offset of the next one; -1 if there is none
   */
  private long search(long damaged) throws IOException {
    long place = seal.place();
    tried = 0;
    ByteBuffer head = ByteBuffer.allocate(JournalFile.HEAD).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = damaged + 1; at <= size - JournalFile.HEAD && tried < MOST_TRIED; at++) {
      JournalRecord record = intact(at, head);
      for (int lost = 1; record != null && lost <= MOST_LOST; lost++) {
        seal.moveTo(place + lost);
        if (isSealed(head, record)) {
          return at;
        }
      }
    }
    return -1;
  }

  private void readFully(ByteBuffer into, long at) throws IOException {
    long from = at;
    while (into.hasRemaining()) {
      int read = in.read(into, from);
      if (read < 0) {
        throw new IOException("journal became shorter while it was read");
      }
      from += read;
    }
  }
}
