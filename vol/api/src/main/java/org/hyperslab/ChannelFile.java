package org.hyperslab;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;

/**
 * The bytes of a file in a channel of the caller's, such as that of an entry in a file system of
 * another library. Byte 0 of the file is that at position 0. Closing the file leaves the channel
 * open.
 *
 * <p>Thread rule: any thread; calls use the channel one at a time, and move its position.
 */
final class ChannelFile implements ByteStore {

  static final String NAME = "channel:file.h5";

  /** The most that is moved at a time, for which some channels take as much memory again. */
  private static final int PART_BYTES = 1 << 20;

  private static final int FILL_BYTES = 1 << 16;

  private final SeekableByteChannel channel;
  private final boolean readOnly;
  private boolean closed;

  /**
   * Creates the store of a file.
   *
   * @param channel has its bytes
   * @param readOnly whether it is only read
   * @throws InvalidUseException if the channel is closed, or cannot be read, or cannot be written
   *     unless it is only read
   */
  ChannelFile(SeekableByteChannel channel, boolean readOnly) {
    this.channel = Arguments.require(channel, "channel", "an open SeekableByteChannel");
    this.readOnly = readOnly;
    requireUsable();
  }

  /** Moves no bytes, which channels refuse that were not opened for it. */
  private void requireUsable() {
    if (!channel.isOpen()) {
      throw new InvalidUseException(
          "channel: actual=a closed channel, expected=an open one, which stays open until the file"
              + " is closed");
    }
    ByteBuffer nothing = ByteBuffer.allocate(0);
    try {
      on("read", () -> channel.read(nothing));
    } catch (NonReadableChannelException refused) {
      throw unusable("a channel that cannot be read", refused);
    }
    if (readOnly) {
      return;
    }
    try {
      on("write", () -> channel.write(nothing));
    } catch (NonWritableChannelException | UnsupportedOperationException refused) {
      throw unusable("a channel that cannot be written", refused);
    }
  }

  private InvalidUseException unusable(String actual, RuntimeException refused) {
    return new InvalidUseException(
        "channel: actual="
            + actual
            + ", expected="
            + (readOnly ? "one that can be read" : "one that can be read and written")
            + "; open it with StandardOpenOption.READ"
            + (readOnly ? "" : " and WRITE"),
        refused);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean readOnly() {
    return readOnly;
  }

  /** An action on the channel. */
  private interface Action<R> {
    R run() throws IOException;
  }

  private interface Step {
    void run() throws IOException;
  }

  private void act(String what, Step step) {
    on(
        what,
        () -> {
          step.run();
          return true;
        });
  }

  private synchronized <R> R on(String what, Action<R> action) {
    if (closed) {
      throw new InvalidUseException(what + ": actual=a closed file, expected=an open one");
    }
    try {
      return action.run();
    } catch (IOException failure) {
      throw new StorageException(
          what + ": actual=" + failure + ", expected=success, at=" + NAME, failure);
    }
  }

  @Override
  public long size() {
    return on("size", channel::size);
  }

  @Override
  public void read(long offset, MemorySegment target) {
    act(
        "read",
        () -> {
          channel.position(offset);
          for (long done = 0; done < target.byteSize(); ) {
            ByteBuffer part = part(target, done);
            int read = channel.read(part);
            if (read < 0) {
              throw new StorageException(
                  "read: actual=end of the channel at "
                      + (offset + done)
                      + ", expected="
                      + target.byteSize()
                      + " bytes from "
                      + offset
                      + ", at="
                      + NAME);
            }
            if (!target.isNative()) {
              MemorySegment.copy(MemorySegment.ofBuffer(part.flip()), 0, target, done, read);
            }
            done += read;
          }
        });
  }

  /** Returns a buffer for a part of a segment: its own memory, or as much room for an array's. */
  private static ByteBuffer part(MemorySegment segment, long from) {
    int length = (int) Math.min(PART_BYTES, segment.byteSize() - from);
    return segment.isNative()
        ? segment.asSlice(from, length).asByteBuffer()
        : ByteBuffer.allocate(length);
  }

  @Override
  public void write(long offset, MemorySegment source) {
    act(
        "write",
        () -> {
          fill(offset);
          put(offset, source);
        });
  }

  private void put(long offset, MemorySegment source) throws IOException {
    channel.position(offset);
    for (long done = 0; done < source.byteSize(); ) {
      ByteBuffer part = part(source, done);
      if (!source.isNative()) {
        MemorySegment.copy(source, done, MemorySegment.ofBuffer(part), 0, part.remaining());
      }
      done += channel.write(part);
    }
  }

  /** Makes the channel at least this long: what lies between its end and a write is undefined. */
  private void fill(long offset) throws IOException {
    long end = channel.size();
    if (end >= offset) {
      return;
    }
    MemorySegment zeros = MemorySegment.ofArray(new byte[FILL_BYTES]);
    for (; end < offset; end = channel.size()) {
      put(end, zeros.asSlice(0, Math.min(zeros.byteSize(), offset - end)));
    }
  }

  @Override
  public void truncate(long sizeBytes) {
    act(
        "truncate",
        () -> {
          channel.truncate(sizeBytes);
          fill(sizeBytes);
        });
  }

  /** Forces the bytes to the device if the channel is that of a local file. */
  @Override
  public void force(boolean withMetadata) {
    act(
        "force",
        () -> {
          if (channel instanceof FileChannel file) {
            file.force(withMetadata);
          }
        });
  }

  /** Leaves the channel open, which is the caller's. */
  @Override
  public synchronized void close() {
    closed = true;
  }
}
