package org.hyperslab.plugins.nativevol.file;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.plugins.nativevol.store.OverlayStore;

/**
 * The journal that makes overwriting durable metadata atomic, and the marker that commits it.
 * Offsets are absolute, in bytes of the store; all integers are little-endian.
 *
 * <pre>
 *   journal, beyond the end of the file            marker, over the superblock's first bytes
 *    8  "HSLABJNL"                                 8  0x89 'H' 'S' 'J' \r \n 0x1A \n
 *    8  version 1                                  8  offset of the journal
 *    8  offset of the superblock                   4  CRC-32C of the 16 bytes before
 *    8  size of the store when applied             4  zero
 *    8  bytes of all entries
 *       entries: 8 offset, 8 length, the bytes; the last one is the superblock
 *    4  CRC-32C of everything before
 * </pre>
 *
 * <p>Applying the journal is idempotent: every entry is the new content of its place. The
 * superblock comes last and overwrites the marker.
 *
 * <p>Thread rule: no state other than the store's.
 */
final class Journal {

  private static final byte[] MAGIC = {'H', 'S', 'L', 'A', 'B', 'J', 'N', 'L'};
  private static final byte[] MARKER = {(byte) 0x89, 'H', 'S', 'J', '\r', '\n', (byte) 0x1A, '\n'};
  private static final byte[] SIGNATURE = {
    (byte) 0x89, 'H', 'D', 'F', '\r', '\n', (byte) 0x1A, '\n'
  };
  private static final int HEADER_BYTES = 40;
  private static final int ENTRY_HEADER_BYTES = 16;
  private static final int MARKER_BYTES = 24;
  private static final int CHECKED_MARKER_BYTES = 16;
  private static final int CRC_BYTES = 4;
  private static final int VERSION = 1;
  private static final int FIRST_USER_BLOCK = 512;
  private static final int COPY_BYTES = 1 << 20;
  private static final String STRUCTURE = "Hyperslab journal";

  private final ByteStore store;
  private final long offset;
  private final long superblockOffset;
  private final long finalSize;
  private final long entryBytes;

  private Journal(
      ByteStore store, long offset, long superblockOffset, long finalSize, long entryBytes) {
    this.store = store;
    this.offset = offset;
    this.superblockOffset = superblockOffset;
    this.finalSize = finalSize;
    this.entryBytes = entryBytes;
  }

  /** Writes a journal, entry by entry. Confined to one thread. */
  static final class Writer {
    private final ByteStore store;
    private final long offset;
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer buffer =
        ByteBuffer.allocate(COPY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long written;

    /**
     * Begins a journal at {@code offset}.
     *
     * @param superblockOffset the offset of the superblock
     * @param finalSize the size of the store after the journal is applied
     * @param entryBytes the sum of {@link Journal#entryBytes} over all entries
     */
    Writer(ByteStore store, long offset, long superblockOffset, long finalSize, long entryBytes) {
      this.store = store;
      this.offset = offset;
      buffer.put(MAGIC).putLong(VERSION).putLong(superblockOffset).putLong(finalSize);
      buffer.putLong(entryBytes);
    }

    /** Adds the new content of a place. */
    void add(long at, byte[] bytes, int length) {
      room(ENTRY_HEADER_BYTES);
      buffer.putLong(at).putLong(length);
      for (int done = 0; done < length; ) {
        room(1);
        int part = Math.min(length - done, buffer.remaining());
        buffer.put(bytes, done, part);
        done += part;
      }
    }

    /** Completes the journal. */
    void finish() {
      drain();
      buffer.putInt((int) crc.getValue());
      drain();
    }

    private void room(int bytes) {
      if (buffer.remaining() < bytes) {
        drain();
      }
    }

    private void drain() {
      buffer.flip();
      crc.update(buffer.duplicate());
      store.write(offset + written, MemorySegment.ofBuffer(buffer));
      written += buffer.limit();
      buffer.clear();
    }
  }

  /** Returns the size of an entry with {@code length} bytes of content, in bytes. */
  static long entryBytes(long length) {
    return ENTRY_HEADER_BYTES + length;
  }

  /** Writes the marker over the superblock, which commits the journal. */
  static void mark(ByteStore store, long superblockOffset, long journalOffset) {
    byte[] marker = new byte[MARKER_BYTES];
    view(marker).put(MARKER).putLong(journalOffset);
    view(marker).putInt(CHECKED_MARKER_BYTES, crcOfMarker(marker));
    store.write(superblockOffset, MemorySegment.ofArray(marker));
  }

  /**
   * Returns the journal that is to be applied to a store, or null if there is none.
   *
   * @throws CorruptFileException if there is a marker but no intact journal
   */
  static Journal find(ByteStore store) {
    long size = store.size();
    long at = 0;
    while (at >= 0 && at <= size - MARKER_BYTES) {
      byte[] bytes = bytes(store, at, MARKER_BYTES);
      int crc = view(bytes).getInt(CHECKED_MARKER_BYTES);
      if (startsWith(bytes, MARKER) && crc == crcOfMarker(bytes)) {
        return read(store, at, view(bytes).getLong(MARKER.length));
      }
      if (startsWith(bytes, SIGNATURE)) {
        return null;
      }
      at = at == 0 ? FIRST_USER_BLOCK : at * 2;
    }
    return null;
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static int crcOfMarker(byte[] marker) {
    CRC32C crc = new CRC32C();
    crc.update(marker, 0, CHECKED_MARKER_BYTES);
    return (int) crc.getValue();
  }

  private static Journal read(ByteStore store, long superblockOffset, long offset) {
    long size = store.size();
    if (offset < 0 || offset > size - HEADER_BYTES - CRC_BYTES) {
      throw corrupt(store, offset, "journal actual=none there, size of file=" + size);
    }
    byte[] bytes = bytes(store, offset, HEADER_BYTES);
    ByteBuffer header = view(bytes);
    if (!startsWith(bytes, MAGIC) || header.getLong(8) != VERSION) {
      throw corrupt(store, offset, "journal signature or version actual=unknown");
    }
    long entryBytes = header.getLong(32);
    if (entryBytes < 0 || entryBytes > size - offset - HEADER_BYTES - CRC_BYTES) {
      throw corrupt(store, offset, "entries actual=" + entryBytes + " bytes, size of file=" + size);
    }
    if (header.getLong(16) != superblockOffset) {
      throw corrupt(
          store,
          offset,
          "superblock actual=" + header.getLong(16) + ", expected=" + superblockOffset);
    }
    long finalSize = header.getLong(24);
    if (finalSize < 0 || finalSize > offset) {
      throw corrupt(
          store,
          offset,
          "size after it is applied actual=" + finalSize + ", expected=0.." + offset);
    }
    Journal journal = new Journal(store, offset, superblockOffset, finalSize, entryBytes);
    journal.checkCrc();
    return journal;
  }

  private void checkCrc() {
    CRC32C crc = new CRC32C();
    long end = offset + HEADER_BYTES + entryBytes;
    for (long at = offset; at < end; ) {
      int part = (int) Math.min(COPY_BYTES, end - at);
      crc.update(bytes(store, at, part), 0, part);
      at += part;
    }
    if (view(bytes(store, end, CRC_BYTES)).getInt(0) != (int) crc.getValue()) {
      throw corrupt(store, offset, "checksum of the journal is wrong");
    }
  }

  /** An action on an entry. */
  @FunctionalInterface
  private interface Entry {
    void accept(long at, long contentOffset, long length);
  }

  private void forEach(Entry action) {
    long end = offset + HEADER_BYTES + entryBytes;
    for (long at = offset + HEADER_BYTES; at < end; ) {
      if (end - at < ENTRY_HEADER_BYTES) {
        throw corrupt(store, at, "entry header is cut off");
      }
      ByteBuffer header = view(bytes(store, at, ENTRY_HEADER_BYTES));
      long length = header.getLong(8);
      at += ENTRY_HEADER_BYTES;
      if (length < 0 || length > end - at || header.getLong(0) < 0) {
        throw corrupt(store, at, "entry length actual=" + length);
      }
      action.accept(header.getLong(0), at, length);
      at += length;
    }
  }

  /**
   * Writes all entries to their places, the superblock last, and truncates the journal.
   *
   * @param durable whether each step is made durable before the next
   */
  void apply(boolean durable) {
    forEach((at, content, length) -> {
      if (at != superblockOffset) {
        copy(content, at, length);
      }
    });
    force(durable);
    forEach((at, content, length) -> {
      if (at == superblockOffset) {
        putSuperblock(content, length);
      }
    });
    force(durable);
    store.truncate(finalSize);
  }

  /** Overwrites the marker by the superblock; if that fails half-way, the marker is restored. */
  private void putSuperblock(long content, long length) {
    try {
      copy(content, superblockOffset, length);
    } catch (StorageException failure) {
      try {
        mark(store, superblockOffset, offset);
      } catch (StorageException again) {
        failure.addSuppressed(again);
      }
      throw failure;
    }
  }

  private void force(boolean durable) {
    if (durable) {
      store.force(true);
    }
  }

  private void copy(long from, long to, long length) {
    for (long done = 0; done < length; ) {
      int part = (int) Math.min(COPY_BYTES, length - done);
      store.write(to + done, MemorySegment.ofArray(bytes(store, from + done, part)));
      done += part;
    }
  }

  /** Returns a view of the store as it will be once the journal is applied, without changing it. */
  ByteStore overlay() {
    Map<Long, byte[]> patches = new TreeMap<>();
    forEach((at, content, length) -> {
      for (long done = 0; done < length; ) {
        int part = (int) Math.min(COPY_BYTES, length - done);
        patches.put(at + done, bytes(store, content + done, part));
        done += part;
      }
    });
    return new OverlayStore(store, patches, finalSize);
  }

  private static byte[] bytes(ByteStore store, long at, int length) {
    byte[] bytes = new byte[length];
    store.read(at, MemorySegment.ofArray(bytes));
    return bytes;
  }

  private static ByteBuffer view(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static CorruptFileException corrupt(ByteStore store, long offset, String problem) {
    return new CorruptFileException(store.name(), STRUCTURE, offset, problem);
  }
}
