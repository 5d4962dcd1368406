package org.hyperslab.format.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.Locale;
import java.util.function.Consumer;
import org.hyperslab.error.StorageException;

/**
 * Carries out long reads through short-lived mappings: reads into Java arrays, which take one copy
 * instead of a system call's two, and reads of rows with gaps, which a system call would copy, too.
 * Used where mappings and file reads see the same pages, which is the case on Linux.
 *
 * <p>A separate channel is opened for reading only, because mapping through a writable channel
 * would extend a file that another process has truncated.
 *
 * <p>Thread rule: safe.
 */
final class MappedReads implements AutoCloseable {

  /** The least length of a read in bytes; shorter ones are as fast without a mapping. */
  static final long SHORTEST_BYTES = 1 << 20;

  /**
   * The least length of rows in bytes; shorter ones are no faster. Also, from 64 bytes on, Java
   * copies with a routine that handles missing pages.
   */
  static final long SHORTEST_ROW_BYTES = 128;

  private static final long MAPPING_BYTES = 1 << 28;
  private static final boolean COHERENT =
      System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");

  /** Maps a part of a file into memory. */
  interface Mapping {
    /** Returns the bytes from {@code offset} on, until {@code arena} is closed. */
    MemorySegment map(FileChannel channel, long offset, long length, Arena arena)
        throws IOException;
  }

  private final String name;
  private final ChannelGuard.Reopening opening;
  private final Mapping mapping;
  private ChannelGuard guard;
  private boolean closed;

  /**
   * Creates reads of the file that {@code opening} opens for reading only.
   *
   * @param name the store's name, for errors
   */
  MappedReads(String name, ChannelGuard.Reopening opening) {
    this(
        name,
        opening,
        (channel, offset, length, arena) ->
            channel.map(FileChannel.MapMode.READ_ONLY, offset, length, arena));
  }

  /** For tests that change the file while it is mapped. */
  MappedReads(String name, ChannelGuard.Reopening opening, Mapping mapping) {
    this.name = name;
    this.opening = opening;
    this.mapping = mapping;
  }

  /** Returns whether a read should use a mapping. */
  static boolean suits(MemorySegment target) {
    return COHERENT && !target.isNative() && target.byteSize() >= SHORTEST_BYTES;
  }

  /** Returns whether a read of rows should use a mapping. */
  static boolean suits(Rows rows) {
    return COHERENT
        && rows.count() > 1
        && rows.length() >= SHORTEST_ROW_BYTES
        && rows.length() < rows.stride()
        && rows.stride() <= MAPPING_BYTES
        && rows.spanBytes() >= SHORTEST_BYTES;
  }

  /**
   * Fills {@code target}; the range must have been checked to lie within the file.
   *
   * @return false if that is impossible: the file was renamed, its file system does not support
   *     mappings, it was truncated meanwhile, or the thread was interrupted; the caller then reads
   *     in the ordinary way, which reports errors
   */
  boolean read(long offset, MemorySegment target) {
    try {
      long length = target.byteSize();
      for (long done = 0; done < length; done += MAPPING_BYTES) {
        MemorySegment part = target.asSlice(done, Math.min(MAPPING_BYTES, length - done));
        copy(offset + done, part.byteSize(), mapped -> part.copyFrom(mapped));
      }
      return true;
    } catch (IOException | StorageException impossible) {
      return false;
    }
  }

  /**
   * Fills {@code target} with rows, one after another, the first from {@code offset} on; the range
   * must have been checked to lie within the file.
   *
   * @return the same as {@link #read(long, MemorySegment)}
   */
  boolean read(long offset, Rows rows, MemorySegment target) {
    long most = MAPPING_BYTES / rows.stride();
    try {
      for (long first = 0; first < rows.count(); first += most) {
        Rows part = new Rows(rows.length(), rows.stride(), Math.min(most, rows.count() - first));
        MemorySegment to = target.asSlice(first * rows.length(), part.count() * rows.length());
        copy(
            offset + first * rows.stride(), part.spanBytes(), mapped -> copyRows(mapped, part, to));
      }
      return true;
    } catch (IOException | StorageException impossible) {
      return false;
    }
  }

  private static void copyRows(MemorySegment mapped, Rows rows, MemorySegment target) {
    long length = rows.length();
    long stride = rows.stride();
    for (long row = 0; row < rows.count(); row++) {
      MemorySegment.copy(mapped, row * stride, target, row * length, length);
    }
  }

  private void copy(long offset, long length, Consumer<MemorySegment> taking) throws IOException {
    guard().call(name, "read", offset, length, channel -> copy(channel, offset, length, taking));
  }

  private long copy(FileChannel channel, long offset, long length, Consumer<MemorySegment> taking)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      taking.accept(mapping.map(channel, offset, length, arena));
      return length;
    } catch (ClosedByInterruptException interrupted) {
      // Java loses the mapping, which then stays until the process ends: another could follow.
      throw new IOException("the thread was interrupted while it made a mapping", interrupted);
    } catch (InternalError fault) {
      // The error that Java throws for a page that no longer exists.
      throw new IOException("the file was truncated while it was read", fault);
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
