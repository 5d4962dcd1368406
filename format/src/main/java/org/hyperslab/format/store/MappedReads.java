package org.hyperslab.format.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.Locale;
import org.hyperslab.error.StorageException;

/**
 * Long reads into Java arrays through short-lived mappings: one copy instead of the two that a
 * system call into an array needs. Used where mappings and file reads see the same pages, which is
 * Linux.
 *
 * <p>The channel is one of its own, opened for reading only: mapping through a writable channel
 * would make a file longer that another process has cut.
 *
 * <p>Thread rule: safe.
 */
final class MappedReads implements AutoCloseable {

  /** Reads shorter than this are as fast without a mapping. */
  static final long SHORTEST_BYTES = 1 << 20;

  private static final long MAPPING_BYTES = 1 << 28;
  private static final boolean COHERENT =
      System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");

  private final String name;
  private final ChannelGuard.Reopening opening;
  private ChannelGuard guard;
  private boolean closed;

  /**
   * Reads of the file that {@code opening} opens for reading only.
   *
   * @param name the store's name, for errors
   */
  MappedReads(String name, ChannelGuard.Reopening opening) {
    this.name = name;
    this.opening = opening;
  }

  /** Whether a read should come here. */
  static boolean suits(MemorySegment target) {
    return COHERENT && !target.isNative() && target.byteSize() >= SHORTEST_BYTES;
  }

  /**
   * Fills {@code target}; the range has been checked to lie within the file.
   *
   * @return false if it cannot be done this way: the file was renamed, its file system maps
   *     nothing, or it was cut meanwhile; reading in the ordinary way then finds out
   */
  boolean read(long offset, MemorySegment target) {
    try {
      ChannelGuard channel = guard();
      long length = target.byteSize();
      for (long done = 0; done < length; ) {
        long at = offset + done;
        MemorySegment part = target.asSlice(done, Math.min(MAPPING_BYTES, length - done));
        channel.call(name, "read", at, part.byteSize(), open -> copy(open, at, part));
        done += part.byteSize();
      }
      return true;
    } catch (IOException | StorageException impossible) {
      return false;
    }
  }

  private static long copy(FileChannel channel, long offset, MemorySegment target)
      throws IOException {
    long length = target.byteSize();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mapping = channel.map(FileChannel.MapMode.READ_ONLY, offset, length, arena);
      MemorySegment.copy(mapping, 0, target, 0, length);
      return length;
    } catch (InternalError fault) {
      // What Java makes of a page that is no longer there.
      throw new IOException("the file was cut while it was read", fault);
    }
  }

  private synchronized ChannelGuard guard() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (guard == null) {
      guard = new ChannelGuard(opening.reopen(), opening);
    }
    return guard;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (guard != null) {
      guard.close(name);
    }
  }
}
