package org.hyperslab.format.store;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Reads through a descriptor for which the system does not read ahead ({@code pread}). A {@link
 * java.nio.channels.FileChannel} cannot be advised so: the advice concerns one opening of a file,
 * and a channel does not reveal its own descriptor.
 *
 * <p>Thread rule: safe; reads of several threads overlap.
 */
final class RandomReads implements AutoCloseable {

  private final PosixFile file;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** The descriptor; -1 when reads have ended. */
  private int descriptor;

  private RandomReads(PosixFile file) {
    this.file = file;
    this.descriptor = file.descriptor();
  }

  /**
   * Begins reads without read-ahead.
   *
   * @param file the open file, which stays open until {@link #close}; null if there is none
   * @return the reads; null if the system has no such reads
   */
  static RandomReads of(PosixFile file) {
    return file != null && Calls.PREAD != null && file.expectRandom(true)
        ? new RandomReads(file)
        : null;
  }

  /**
   * Reads from {@code offset} on into the rest of a direct buffer, and advances its position.
   *
   * @return the number of bytes read, which may be fewer than requested; 0 at the end of the file;
   *     negative if the read failed, or reads have ended
   */
  long read(long offset, ByteBuffer buffer) {
    lock.readLock().lock();
    try {
      if (descriptor < 0) {
        return -1;
      }
      MemorySegment rest = MemorySegment.ofBuffer(buffer);
      long moved = (long) Calls.PREAD.invokeExact(descriptor, rest, rest.byteSize(), offset);
      Reference.reachabilityFence(buffer);
      if (moved > 0) {
        buffer.position(buffer.position() + (int) moved);
      }
      return moved;
    } catch (Throwable failure) {
      throw PosixFile.asUnchecked(failure);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Waits for reads in progress; the system reads ahead again. */
  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (descriptor >= 0) {
        descriptor = -1;
        file.expectRandom(false);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** The binding, which few files need. */
  private static final class Calls {
    static final MethodHandle PREAD =
        PosixFile.link(
            "pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
  }
}
