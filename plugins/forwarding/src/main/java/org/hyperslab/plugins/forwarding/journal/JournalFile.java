package org.hyperslab.plugins.forwarding.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.hyperslab.error.StorageException;

/**
 * Records on storage, appended and never changed.
 *
 * <pre>
 *   0        4      8         12         20         28         36        44
 *   +--------+------+---------+----------+----------+----------+---------+------+---------+
 *   | CRC32C | kind | body 4  | payload 8| sequence | number 8 | second 8| body | payload |
 *   +--------+------+---------+----------+----------+----------+---------+------+---------+
 * </pre>
 *
 * All little-endian; the CRC is that of everything behind it. A reader stops at the first record
 * that is not whole: a torn end is what a crash leaves, and nothing in it was acknowledged.
 *
 * <p>{@link #commit} forces in groups: all that wait are served by one forced write.
 *
 * <p>Thread rule: appending is confined to one thread at a time; any thread may commit.
 */
final class JournalFile implements AutoCloseable {

  private static final int HEAD = 44;
  private static final long VIEW_BYTES = 1L << 30;

  private final Path path;
  private final FileChannel channel;
  private final Thread committer;
  private List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private long size;
  private boolean closed;

  private JournalFile(Path path, FileChannel channel, long size) {
    this.path = path;
    this.channel = channel;
    this.size = size;
    this.committer =
        Thread.ofPlatform().daemon().name("hyperslab-journal").start(this::commitGroups);
  }

  /**
   * Creates a journal whose first records are given: it is there whole, or not at all.
   *
   * @throws StorageException if storage refuses
   */
  static JournalFile create(Path path, List<JournalRecord> first) {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    try {
      FileChannel channel =
          FileChannel.open(
              fresh,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      long size = 0;
      for (JournalRecord record : first) {
        size += write(channel, record);
      }
      channel.force(true);
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      forceFolder(path.getParent());
      return new JournalFile(path, channel, size);
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static void forceFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static StorageException failed(Path path, IOException e) {
    return new StorageException(
        "journal: actual=" + e + ", expected=written or read, at=" + path, e);
  }

  /** Appends a record. */
  void append(JournalRecord record) {
    try {
      long bytes = write(channel, record);
      synchronized (this) {
        size += bytes;
      }
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static long write(FileChannel channel, JournalRecord record) throws IOException {
    ByteBuffer head =
        ByteBuffer.allocate(HEAD + record.body().length).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(4, record.kind().ordinal());
    head.putInt(8, record.body().length);
    head.putLong(12, record.payloadBytes());
    head.putLong(20, record.sequence());
    head.putLong(28, record.number());
    head.putLong(36, record.second());
    head.put(HEAD, record.body());
    CRC32C crc = new CRC32C();
    crc.update(head.array(), 4, head.capacity() - 4);
    List<ByteBuffer> parts = new ArrayList<>();
    parts.add(head);
    for (MemorySegment part : record.payload()) {
      for (long at = 0; at < part.byteSize(); at += VIEW_BYTES) {
        ByteBuffer view =
            part.asSlice(at, Math.min(VIEW_BYTES, part.byteSize() - at)).asByteBuffer();
        crc.update(view.duplicate());
        parts.add(view);
      }
    }
    head.putInt(0, (int) crc.getValue());
    long total = HEAD + record.body().length + record.payloadBytes();
    ByteBuffer[] all = parts.toArray(new ByteBuffer[0]);
    long written = 0;
    while (written < total) {
      written += channel.write(all);
    }
    return total;
  }

  /** Bytes appended. */
  synchronized long size() {
    return size;
  }

  /** Completes when everything appended before is on storage. */
  CompletableFuture<Void> commit() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    synchronized (this) {
      if (closed) {
        // Whoever closes a journal has made the file itself durable before.
        return CompletableFuture.completedFuture(null);
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
            continue; // Nobody has a reason to interrupt; closing ends this thread.
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
        group.forEach(each -> each.completeExceptionally(failure));
      }
    }
  }

  /** Closes it; those that wait are served first. */
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

  /** Closes and deletes it. */
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

  /** Hands out the records of a journal up to its whole end. */
  static void read(Path path, Consumer<JournalRecord> reader) {
    try (FileChannel in = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = in.size();
      long at = 0;
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
        JournalRecord record = plausible ? record(in, head, at) : null;
        if (record == null) {
          return;
        }
        reader.accept(record);
        at += HEAD + body + payload;
      }
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static JournalRecord record(FileChannel in, ByteBuffer head, long at) throws IOException {
    byte[] body = new byte[head.getInt(8)];
    readFully(in, ByteBuffer.wrap(body), at + HEAD);
    long payload = head.getLong(12);
    CRC32C crc = new CRC32C();
    crc.update(head.array(), 4, HEAD - 4);
    crc.update(body);
    MemorySegment bytes = java.lang.foreign.Arena.ofAuto().allocate(Math.max(1, payload), 8);
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
