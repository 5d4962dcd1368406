package org.hyperslab.mpiio.pointer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongUnaryOperator;
import org.hyperslab.error.StorageException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.store.FileRangeLock;

/**
 * A shared pointer in a hidden file beside the file, read and written under a lock on that file, so
 * that ranks in several processes and on several machines share it. The file holds one big-endian
 * long; while it is empty the pointer has its initial position. Rank 0 deletes it.
 */
public final class LockedFilePointer implements SharedFilePointer {

  /** The name in hints. */
  public static final String NAME = "lockedfile";

  private final Path path;
  private final long initial;
  private final Communicator comm;
  private long limitNanos = Long.MAX_VALUE;
  private FileChannel channel;
  private FileRangeLock lock;

  /**
   * Creates a pointer that no rank has used yet.
   *
   * @param path the hidden file, the same on all ranks; made at the first use
   * @param initial the initial position
   * @param comm the ranks; rank 0 deletes the file
   */
  public LockedFilePointer(Path path, long initial, Communicator comm) {
    this.path = path;
    this.initial = initial;
    this.comm = comm;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public long get() {
    return change(LongUnaryOperator.identity());
  }

  @Override
  public void set(long etypes) {
    change(_ -> etypes);
  }

  @Override
  public long take(long etypes) {
    return change(at -> at + etypes);
  }

  @Override
  public synchronized void limit(long nanos) {
    limitNanos = nanos;
  }

  private synchronized long change(LongUnaryOperator change) {
    try {
      open();
      lock.limited(new FileRangeLock.Limit(comm.rank(), comm.ticker(), limitNanos));
      lock.lock(0, Long.BYTES);
      try {
        ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
        long before = channel.read(number, 0) == Long.BYTES ? number.getLong(0) : initial;
        long after = change.applyAsLong(before);
        if (after != before) {
          channel.write(number.clear().putLong(0, after), 0);
        }
        return before;
      } finally {
        lock.unlock();
      }
    } catch (IOException e) {
      throw new StorageException("shared file pointer: actual=" + e + ", at=" + path, e);
    }
  }

  private void open() throws IOException {
    if (channel == null) {
      channel =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      lock = FileRangeLock.amongProcesses(path);
    }
  }

  @Override
  public synchronized void close() {
    try {
      if (channel != null) {
        lock.close();
        channel.close();
        channel = null;
      }
      if (comm.rank() == 0) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new StorageException("shared file pointer: actual=" + e + ", at=" + path, e);
    }
  }
}
