package org.hyperslab.plugins.forwarding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.StorageException;

/**
 * Stores a journal: records that are appended and never changed. A journal begins with
 *
 * <pre>
 *   0         8           12  16                            32
 *   +---------+-----------+---+-----------------------------+
 *   | magic 8 | version 4 | 0 | random number, the nonce 16 |
 *   +---------+-----------+---+-----------------------------+
 * </pre>
 *
 * and each record is
 *
 * <pre>
 *   0        4      8         12         20         28         36        44       76
 *   +--------+------+---------+----------+----------+----------+---------+--------+------+---------+
 *   | CRC32C | kind | body 4  | payload 8| sequence | number 8 | second 8| MAC 32 | body | payload |
 *   +--------+------+---------+----------+----------+----------+---------+--------+------+---------+
 * </pre>
 *
 * All numbers are little-endian. The CRC covers all bytes after it; the MAC is that of {@link
 * JournalSeal}. The CRC detects a torn record left by a crash: a reader stops there, and none of
 * the torn record was acknowledged. The MAC detects a record that this server has not written: a
 * reader then refuses the journal.
 *
 * <p>{@link #commit} forces in groups: one forced write serves all waiting callers. A partly
 * written record, for example because the disk is full, is truncated, because a reader would stop
 * there. If that fails, or forcing fails, the content of storage is unknown and the journal is
 * broken: it accepts and promises nothing more.
 *
 * <p>Thread rule: appending is confined to one thread at a time; any thread may commit.
 */
final class JournalFile implements AutoCloseable {

  /** The first bytes: {@code HLSJRNL} and a line feed. */
  private static final long MAGIC = 0x0A_4C_4E_52_4A_53_4C_48L;

  private static final int VERSION = 2;
  private static final int NONCE_AT = 16;
  private static final int START = NONCE_AT + JournalSeal.NONCE_BYTES;
  private static final int MAC_AT = 44;
  private static final int HEAD = MAC_AT + JournalKey.MAC_BYTES;
  private static final long VIEW_BYTES = 1L << 30;

  private final Path path;
  private final FileChannel channel;
  private final JournalSeal seal;
  private final Thread committer;
  private List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private long size;
  private boolean closed;

  /** The reason why the journal is broken; null if it is not. */
  private StorageException broken;

  private JournalFile(Path path, FileChannel channel, JournalSeal seal, long size) {
    this.path = path;
    this.channel = channel;
    this.seal = seal;
    this.size = size;
    this.committer =
        Thread.ofPlatform().daemon().name("hyperslab-journal").start(this::commitGroups);
  }

  /**
   * Creates a journal with its first records, atomically.
   *
   * @throws StorageException if it cannot be written
   */
  static JournalFile create(Path path, JournalKey key, List<JournalRecord> first) {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              fresh,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      byte[] nonce = new byte[JournalSeal.NONCE_BYTES];
      new SecureRandom().nextBytes(nonce);
      JournalSeal seal = new JournalSeal(key, nonce);
      writeStart(channel, nonce);
      long size = START;
      for (JournalRecord record : first) {
        size += write(channel, seal, record);
      }
      channel.force(true);
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      forceFolder(path.getParent());
      return new JournalFile(path, channel, seal, size);
    } catch (IOException e) {
      closeQuietly(channel, e);
      throw failed(path, e);
    }
  }

  private static void closeQuietly(FileChannel channel, IOException cause) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private static void writeStart(FileChannel channel, byte[] nonce) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(START).order(ByteOrder.LITTLE_ENDIAN);
    start.putLong(0, MAGIC).putInt(8, VERSION).put(NONCE_AT, nonce);
    while (start.hasRemaining()) {
      channel.write(start);
    }
  }

  static void forceFolder(Path folder) throws IOException {
    force(folder);
  }

  /** Forces the content of a file or a folder to storage. */
  static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static StorageException failed(Path path, IOException e) {
    return new StorageException(
        "journal: actual=" + e + ", expected=written or read, at=" + path, e);
  }

  /**
   * Appends a record, atomically.
   *
   * @throws StorageException if it cannot be written, or the journal is broken
   */
  void append(JournalRecord record) {
    requireWhole();
    try {
      long bytes = write(channel, seal, record);
      synchronized (this) {
        size += bytes;
      }
    } catch (IOException e) {
      StorageException failure = failed(path, e);
      try {
        channel.truncate(size());
        channel.position(size());
      } catch (IOException torn) {
        failure.addSuppressed(torn);
        breakWith(failure);
      }
      throw failure;
    }
  }

  /** Marks the journal as broken: it accepts no further records and commits. */
  synchronized void breakWith(StorageException cause) {
    broken = broken == null ? cause : broken;
  }

  synchronized boolean isBroken() {
    return broken != null;
  }

  private synchronized void requireWhole() {
    if (broken != null) {
      throw new StorageException(
          "journal: actual=broken before ("
              + broken.getMessage()
              + "), expected=intact; flush or close the file",
          broken);
    }
  }

  private static long write(FileChannel channel, JournalSeal seal, JournalRecord record)
      throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(4, record.kind().ordinal());
    head.putInt(8, record.body().length);
    head.putLong(12, record.payloadBytes());
    head.putLong(20, record.sequence());
    head.putLong(28, record.number());
    head.putLong(36, record.second());
    List<ByteBuffer> parts = parts(record);
    head.put(MAC_AT, seal.of(head.slice(4, MAC_AT - 4), parts));
    CRC32C crc = new CRC32C();
    crc.update(head.slice(4, HEAD - 4));
    parts.forEach(part -> crc.update(part.duplicate()));
    head.putInt(0, (int) crc.getValue());
    parts.addFirst(head);
    long total = HEAD + record.body().length + record.payloadBytes();
    ByteBuffer[] all = parts.toArray(new ByteBuffer[0]);
    long written = 0;
    while (written < total) {
      written += channel.write(all);
    }
    seal.advance();
    return total;
  }

  /** {@return the body and the payload of a record} */
  private static List<ByteBuffer> parts(JournalRecord record) {
    List<ByteBuffer> parts = new ArrayList<>();
    parts.add(ByteBuffer.wrap(record.body()));
    for (MemorySegment part : record.payload()) {
      for (long at = 0; at < part.byteSize(); at += VIEW_BYTES) {
        parts.add(part.asSlice(at, Math.min(VIEW_BYTES, part.byteSize() - at)).asByteBuffer());
      }
    }
    return parts;
  }

  /** {@return the number of bytes appended} */
  synchronized long size() {
    return size;
  }

  /** {@return a future that completes when all records appended before are on storage} */
  CompletableFuture<Void> commit() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    synchronized (this) {
      if (closed) {
        // The file itself is made durable before its journal is closed.
        return CompletableFuture.completedFuture(null);
      }
      if (broken != null) {
        return CompletableFuture.failedFuture(broken);
      }
      waiting.add(done);
      notifyAll();
    }
    return done;
  }

  private void commitGroups() {
    while (true) {
      List<CompletableFuture<Void>> group;
      synchronized (this) {
        while (waiting.isEmpty() && !closed) {
          try {
            wait();
          } catch (InterruptedException e) {
            continue; // Closing, not an interrupt, ends this thread.
          }
        }
        if (waiting.isEmpty()) {
          return;
        }
        group = waiting;
        waiting = new ArrayList<>();
      }
      try {
        channel.force(false);
        group.forEach(each -> each.complete(null));
      } catch (IOException e) {
        StorageException failure = failed(path, e);
        breakWith(failure);
        group.forEach(each -> each.completeExceptionally(failure));
      }
    }
  }

  /** Closes the journal after completing all waiting commits. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    boolean interrupted = false;
    while (committer.isAlive()) {
      try {
        committer.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(path, e);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Closes and deletes the journal. */
  void delete() {
    close();
    deleteFile(path);
  }

  static void deleteFile(Path path) {
    try {
      Files.deleteIfExists(path);
      forceFolder(path.getParent());
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  /**
   * Reads the records of a journal up to the first torn one.
   *
   * @throws CorruptFileException if the file is not a journal, or has a record that was not written
   *     with this key at this position; the records read before are authentic
   */
  static void read(Path path, JournalKey key, Consumer<JournalRecord> reader) {
    try (FileChannel in = FileChannel.open(path, StandardOpenOption.READ)) {
      JournalSeal seal = new JournalSeal(key, nonce(in, path));
      long size = in.size();
      long at = START;
      while (size - at >= HEAD) {
        ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
        readFully(in, head, at);
        int kind = head.getInt(4);
        long body = head.getInt(8);
        long payload = head.getLong(12);
        long left = size - at - HEAD;
        boolean plausible =
            kind >= 0
                && kind < JournalRecord.Kind.values().length
                && body >= 0
                && payload >= 0
                && body <= left
                && payload <= left - body;
        JournalRecord record = plausible ? record(in, head.clear(), at) : null;
        if (record == null) {
          return;
        }
        byte[] written = new byte[JournalKey.MAC_BYTES];
        head.get(MAC_AT, written);
        if (!MessageDigest.isEqual(seal.of(head.slice(4, MAC_AT - 4), parts(record)), written)) {
          throw refused(
              path, at, "a record that this server did not write there, expected=its own");
        }
        seal.advance();
        reader.accept(record);
        at += HEAD + body + payload;
      }
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static byte[] nonce(FileChannel in, Path path) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(START).order(ByteOrder.LITTLE_ENDIAN);
    if (in.size() < START) {
      throw refused(path, 0, in.size() + " bytes, expected=at least " + START);
    }
    readFully(in, start, 0);
    if (start.getLong(0) != MAGIC || start.getInt(8) != VERSION) {
      throw refused(path, 0, "no journal of version " + VERSION + ", expected=one");
    }
    byte[] nonce = new byte[JournalSeal.NONCE_BYTES];
    start.get(NONCE_AT, nonce);
    return nonce;
  }

  private static CorruptFileException refused(Path path, long at, String actual) {
    return new CorruptFileException(
        path.getFileName().toString(), "journal", at, "actual=" + actual);
  }

  private static JournalRecord record(FileChannel in, ByteBuffer head, long at) throws IOException {
    byte[] body = new byte[head.getInt(8)];
    readFully(in, ByteBuffer.wrap(body), at + HEAD);
    long payload = head.getLong(12);
    CRC32C crc = new CRC32C();
    crc.update(head.slice(4, HEAD - 4));
    crc.update(body);
    MemorySegment bytes = Arena.ofAuto().allocate(Math.max(1, payload), 8);
    for (long done = 0; done < payload; done += VIEW_BYTES) {
      ByteBuffer view = bytes.asSlice(done, Math.min(VIEW_BYTES, payload - done)).asByteBuffer();
      readFully(in, view, at + HEAD + body.length + done);
      crc.update(view.flip());
    }
    if ((int) crc.getValue() != head.getInt(0)) {
      return null;
    }
    return new JournalRecord(
        JournalRecord.Kind.values()[head.getInt(4)],
        head.getLong(20),
        head.getLong(28),
        head.getLong(36),
        body,
        payload == 0 ? List.of() : List.of(bytes.asSlice(0, payload)));
  }

  private static void readFully(FileChannel in, ByteBuffer into, long at) throws IOException {
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
