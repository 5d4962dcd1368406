package org.hyperslab.format.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.hyperslab.error.StorageException;

/**
 * Keeps a {@link FileChannel} usable although Java closes it whenever a thread inside it is
 * interrupted. A call that finds the channel closed, other than by {@link #close}, reopens it and
 * runs again. The interrupt flag of the calling thread is cleared for the call and restored after
 * it.
 *
 * <p>Thread rule: safe.
 */
final class ChannelGuard {

  /** A request on a channel; it may run more than once and must then continue where it stopped. */
  interface Request {
    /** Carries out the request and returns its result. */
    long on(FileChannel channel) throws IOException;
  }

  /** Opens the same file again. */
  interface Reopening {
    /** Returns a new channel on the same file. */
    FileChannel reopen() throws IOException;
  }

  /**
   * The number of reopenings after which a call fails, so that repeated interrupts cannot delay it
   * forever.
   */
  private static final int MAXIMUM_REOPENINGS = 1000;

  private final Reopening reopening;
  private volatile FileChannel channel;
  private volatile boolean closed;

  ChannelGuard(FileChannel channel, Reopening reopening) {
    this.channel = channel;
    this.reopening = reopening;
  }

  /**
   * Fills a buffer, or part of it, from consecutive bytes.
   *
   * @return the number of bytes read, -1 at the end of the file
   */
  long read(String store, long offset, ByteBuffer target) {
    return call(store, "read", offset, target.remaining(), open -> open.read(target, offset));
  }

  /**
   * Writes a buffer, or part of it, to consecutive bytes.
   *
   * @return the number of bytes written
   */
  long write(String store, long offset, ByteBuffer source) {
    return call(store, "write", offset, source.remaining(), open -> open.write(source, offset));
  }

  /** Runs {@code request}; a failure causes a {@link StorageException} with the given details. */
  long call(String store, String operation, long offset, long length, Request request) {
    boolean interrupted = false;
    try {
      for (int attempt = 0; ; attempt++) {
        interrupted |= Thread.interrupted();
        FileChannel current = channel;
        try {
          return request.on(current);
        } catch (ClosedChannelException broken) {
          if (closed) {
            throw Ranges.closed(store, operation);
          }
          interrupted |= Thread.interrupted();
          if (attempt == MAXIMUM_REOPENINGS) {
            throw broken;
          }
          replace();
        }
      }
    } catch (IOException | IllegalArgumentException | IllegalStateException failure) {
      throw Ranges.failed(store, operation, offset, length, failure);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Reopens the channel, unless another thread has done so or the guard was closed. */
  private synchronized void replace() throws IOException {
    if (!channel.isOpen() && !closed) {
      channel = reopening.reopen();
    }
  }

  /** Closes the channel permanently. */
  synchronized void close(String store) {
    closed = true;
    try {
      channel.close();
    } catch (IOException failure) {
      throw Ranges.failed(store, "close", 0, 0, failure);
    }
  }
}
