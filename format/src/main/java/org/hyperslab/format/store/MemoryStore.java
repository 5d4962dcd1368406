package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.hyperslab.error.StorageException;

/**
 * A store in the Java heap whose blocks are allocated when they are first written; for files in
 * memory and for tests.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public final class MemoryStore implements ByteStore {

  /** The size of the blocks in which memory is allocated. */
  public static final int BLOCK_BYTES = 1 << 16;

  /** The default limit on the length: 64 GiB, far more than a Java heap can hold. */
  public static final long DEFAULT_LIMIT_BYTES = 1L << 36;

  private static final MemorySegment ZEROS =
      MemorySegment.ofArray(new byte[BLOCK_BYTES]).asReadOnly();

  private final String name;
  private final long limitBytes;
  private volatile MemorySegment[] blocks = new MemorySegment[0];
  private volatile long size;
  private volatile boolean closed;

  /**
   * Creates an empty store.
   *
   * @param name the name for errors
   */
  public MemoryStore(String name) {
    this(name, DEFAULT_LIMIT_BYTES);
  }

  /**
   * Creates an empty store that refuses to grow beyond {@code limitBytes}, like a full disk.
   *
   * @param name the name for errors
   * @param limitBytes the largest size in bytes
   */
  public MemoryStore(String name, long limitBytes) {
    this.name = name;
    this.limitBytes = Math.min(limitBytes, (long) Integer.MAX_VALUE * BLOCK_BYTES);
  }

  /**
   * {@return a store that holds a copy of {@code content}}
   *
   * @param name the name for errors
   * @param content the bytes; they are copied
   */
  public static MemoryStore copyOf(String name, byte[] content) {
    MemoryStore store = new MemoryStore(name);
    store.write(0, MemorySegment.ofArray(content));
    return store;
  }

  /** {@return a copy of all bytes; the store must be shorter than 2 GiB} */
  public byte[] toByteArray() {
    byte[] copy = new byte[Math.toIntExact(size)];
    read(0, MemorySegment.ofArray(copy));
    return copy;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean readOnly() {
    return false;
  }

  @Override
  public long size() {
    checkOpen("size");
    return size;
  }

  @Override
  public void read(long offset, MemorySegment target) {
    checkOpen("read");
    long length = target.byteSize();
    Ranges.checkRead(name, offset, length, size);
    MemorySegment[] current = blocks;
    for (long done = 0; done < length; ) {
      long at = offset + done;
      int within = (int) (at % BLOCK_BYTES);
      long part = Math.min(length - done, BLOCK_BYTES - within);
      int index = (int) (at / BLOCK_BYTES);
      MemorySegment block = index < current.length ? current[index] : null;
      MemorySegment.copy(block == null ? ZEROS : block, within, target, done, part);
      done += part;
    }
  }

  @Override
  public void write(long offset, MemorySegment source) {
    checkOpen("write");
    long length = source.byteSize();
    Ranges.checkWrite(name, offset, length);
    if (length == 0) {
      return;
    }
    MemorySegment[] current = blocksFor(offset, length);
    for (long done = 0; done < length; ) {
      long at = offset + done;
      int within = (int) (at % BLOCK_BYTES);
      long part = Math.min(length - done, BLOCK_BYTES - within);
      MemorySegment.copy(source, done, current[(int) (at / BLOCK_BYTES)], within, part);
      done += part;
    }
    grow(offset + length);
  }

  private synchronized void grow(long end) {
    if (end > size) {
      size = end;
    }
  }

  /** Returns the block table, with every block of the range present. */
  private MemorySegment[] blocksFor(long offset, long length) {
    checkLimit(offset + length);
    int first = (int) (offset / BLOCK_BYTES);
    int last = (int) ((offset + length - 1) / BLOCK_BYTES);
    MemorySegment[] current = blocks;
    if (last < current.length && allPresent(current, first, last)) {
      return current;
    }
    synchronized (this) {
      current = blocks;
      if (last >= current.length) {
        current = Arrays.copyOf(current, Math.max(last + 1, current.length + current.length / 2));
      } else {
        current = current.clone();
      }
      for (int i = first; i <= last; i++) {
        if (current[i] == null) {
          current[i] = MemorySegment.ofArray(new byte[BLOCK_BYTES]);
        }
      }
      blocks = current;
      return current;
    }
  }

  private static boolean allPresent(MemorySegment[] blocks, int first, int last) {
    for (int i = first; i <= last; i++) {
      if (blocks[i] == null) {
        return false;
      }
    }
    return true;
  }

  private void checkLimit(long end) {
    if (end > limitBytes) {
      throw new StorageException(
          "no space left: actual="
              + end
              + " bytes wanted, expected=at most "
              + limitBytes
              + ", at="
              + name);
    }
  }

  @Override
  public synchronized void truncate(long sizeBytes) {
    checkOpen("truncate");
    Ranges.checkSize(name, sizeBytes);
    checkLimit(sizeBytes);
    if (sizeBytes < size) {
      int kept = (int) ((sizeBytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
      MemorySegment[] current = Arrays.copyOf(blocks, Math.min(kept, blocks.length));
      int within = (int) (sizeBytes % BLOCK_BYTES);
      if (within != 0 && kept <= current.length && current[kept - 1] != null) {
        current[kept - 1].asSlice(within).fill((byte) 0);
      }
      blocks = current;
    }
    size = sizeBytes;
  }

  @Override
  public void force(boolean withMetadata) {
    checkOpen("force");
  }

  private void checkOpen(String operation) {
    if (closed) {
      throw Ranges.closed(name, operation);
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return "MemoryStore[" + name + ", " + size + " bytes]";
  }
}
