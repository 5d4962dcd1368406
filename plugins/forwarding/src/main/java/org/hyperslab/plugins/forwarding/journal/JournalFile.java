package org.hyperslab.plugins.forwarding.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.DurableFile;
import org.hyperslab.vol.base.Scheduling;

/**
 * Writes a journal: records that are appended and never changed. A journal begins with
 *
 * <pre>
 *   0         8           12       16           32           40       44
 *   +---------+-----------+--------+------------+------------+--------+
 *   | magic 8 | version 4 | CRC32C | nonce 16   | promised 8 | CRC32C |
 *   +---------+-----------+--------+------------+------------+--------+
 * </pre>
 *
 * where the nonce is a random number, the first CRC covers magic, version and nonce, and the second
 * the nonce and the promised length: the length of the journal that was on storage when records
 * were last acknowledged. It is written after every forced write, before anyone is notified, so
 * that what a crash has torn is distinguished from what was damaged later. Each record is
 *
 * <pre>
 *   0        4      8         12         20         28         36        44       76
 *   +--------+------+---------+----------+----------+----------+---------+--------+------+---------+
 *   | CRC32C | kind | body 4  | payload 8| sequence | number 8 | second 8| MAC 32 | body | payload |
 *   +--------+------+---------+----------+----------+----------+---------+--------+------+---------+
 * </pre>
 *
 * All numbers are little-endian. The CRC covers all bytes after it; the MAC is that of {@link
 * JournalSeal}. The CRC detects a record that is torn or damaged, the MAC one that this server has
 * not written: see {@link JournalReader}.
 *
 * <p>{@link #commit} forces in groups: one forced write serves all waiting callers. A partly
 * written record, for example because the disk is full, is truncated, because a reader would stop
 * there. If that fails, or forcing fails, the content of storage is unknown and the journal is
 * broken: it accepts and promises nothing more.
 *
 * <p>Thread rule: any thread. Its locks are held during input and output on the journal itself,
 * never while anything else is awaited.
 */
final class JournalFile implements AutoCloseable {

  /** The first bytes: {@code HLSJRNL} and a line feed. */
  static final long MAGIC = 0x0A_4C_4E_52_4A_53_4C_48L;

  static final int VERSION_AT = 8;
  static final int VERSION = 3;
  static final int CHECK_AT = 12;
  static final int NONCE_AT = 16;
  static final int PROMISED_AT = NONCE_AT + JournalSeal.NONCE_BYTES;
  static final int START = PROMISED_AT + 12;
  static final int MAC_AT = 44;
  static final int HEAD = MAC_AT + JournalKey.MAC_BYTES;
  static final long VIEW_BYTES = 1L << 30;

  private final Path path;
  private final FileChannel channel;
  private final JournalSeal seal;
  private final byte[] nonce;
  private final Thread committer;

  /** Held while a record is appended. */
  private final Object appending = new Object();

  private List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private long size;
  private boolean closed;

  /** The reason why the journal is broken; null if it is not. */
  private StorageException broken;

  private JournalFile(
      Path path,
      FileChannel channel,
      JournalSeal seal,
      byte[] nonce,
      long size,
      Scheduling scheduling) {
    this.path = path;
    this.nonce = nonce;
    this.channel = channel;
    this.seal = seal;
    this.size = size;
    this.committer = scheduling.start("hyperslab-journal", this::commitGroups);
  }

  /**
   * Creates a journal with its first records, atomically.
   *
   * @throws StorageException if it cannot be written
   */
  static JournalFile create(
      Path path, JournalKey key, List<JournalRecord> first, Scheduling scheduling) {
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
      writePromised(channel, nonce, size);
      channel.force(true);
      DurableFile.rename(fresh, path);
      return new JournalFile(path, channel, seal, nonce, size, scheduling);
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
    start.putLong(0, MAGIC).putInt(VERSION_AT, VERSION).put(NONCE_AT, nonce);
    start.putInt(CHECK_AT, checkOf(start));
    while (start.hasRemaining()) {
      channel.write(start);
    }
  }

  /** Writes the promised length in place, in one piece. */
  private static void writePromised(FileChannel channel, byte[] nonce, long promised)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0, promised).putInt(8, checkOf(nonce, promised));
    while (bytes.hasRemaining()) {
      channel.write(bytes, (long) PROMISED_AT + bytes.position());
    }
  }

  /** {@return the checksum of magic, version and nonce} */
  static int checkOf(ByteBuffer start) {
    CRC32C crc = new CRC32C();
    crc.update(start.slice(0, CHECK_AT));
    crc.update(start.slice(NONCE_AT, JournalSeal.NONCE_BYTES));
    return (int) crc.getValue();
  }

  /** {@return the checksum of the promised length} */
  static int checkOf(byte[] nonce, long promised) {
    CRC32C crc = new CRC32C();
    crc.update(nonce);
    crc.update(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, promised));
    return (int) crc.getValue();
  }

  static StorageException failed(Path path, IOException e) {
    return new StorageException(
        "journal: actual=" + e + ", expected=written or read, at=" + path, e);
  }

  /**
   * Appends a record, atomically.
   *
   * @throws StorageException if it cannot be written, or the journal is broken
   */
  void append(JournalRecord record) {
    synchronized (appending) {
      requireWhole();
      appendNext(record);
    }
  }

  /**
   * Appends a record of something that has already happened. If that fails, durability cannot be
   * promised until the file is flushed and another journal starts.
   */
  void note(JournalRecord record) {
    try {
      append(record);
    } catch (StorageException refused) {
      breakWith(refused);
    }
  }

  private void appendNext(JournalRecord record) {
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
    head.putInt(4, record.kind().number());
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
  static List<ByteBuffer> parts(JournalRecord record) {
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
        long written = size();
        channel.force(false);
        writePromised(channel, nonce, written);
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
      DurableFile.force(path.getParent());
    } catch (IOException e) {
      throw failed(path, e);
    }
  }
}
