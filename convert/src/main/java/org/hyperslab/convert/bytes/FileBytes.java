package org.hyperslab.convert.bytes;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.jspecify.annotations.Nullable;

/** A file that is read and written at given positions. */
public final class FileBytes implements InputBytes, AutoCloseable {

  private static final long LARGEST_TRANSFER_BYTES = 1 << 30;

  private final Path path;
  private final FileChannel channel;
  private final String name;

  private FileBytes(Path path, FileChannel channel) {
    this(path, channel, path.toString());
  }

  private FileBytes(Path path, FileChannel channel, String name) {
    this.path = path;
    this.channel = channel;
    this.name = name;
  }

  /**
   * Creates a temporary file, which is deleted at the latest when it is closed.
   *
   * @param name what the file is named in messages
   * @return it, to be closed
   * @throws StorageException if it cannot be created
   */
  public static FileBytes temporary(String name) {
    try {
      Path path = Files.createTempFile("hyperslab-", ".tmp");
      return new FileBytes(
          path,
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE),
          name);
    } catch (IOException failure) {
      throw new StorageException(
          "create a temporary file: actual=" + failure + ", expected=success, for=" + name,
          failure);
    }
  }

  /**
   * Opens a file for reading.
   *
   * @param path the file
   * @return it, to be closed
   * @throws NotFoundException if it does not exist
   * @throws StorageException if it cannot be opened
   */
  public static FileBytes open(Path path) {
    try {
      return new FileBytes(path, FileChannel.open(path, StandardOpenOption.READ));
    } catch (NoSuchFileException none) {
      throw new NotFoundException("file: actual=none, expected=a file, at=" + path, none);
    } catch (IOException failure) {
      throw failed("open", path, failure);
    }
  }

  /**
   * Creates a file, which must not exist, for writing and reading.
   *
   * @param path the file
   * @return it, to be closed
   * @throws NotFoundException if its folder does not exist
   * @throws StorageException if it cannot be created
   */
  public static FileBytes create(Path path) {
    try {
      return new FileBytes(
          path,
          FileChannel.open(
              path,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE));
    } catch (NoSuchFileException none) {
      throw new NotFoundException(
          "folder: actual=none, expected=a folder to write to, at=" + path, none);
    } catch (IOException failure) {
      throw failed("create", path, failure);
    }
  }

  /**
   * Creates the error for a failed call.
   *
   * @param what the call
   * @param path the file
   * @param failure its cause
   * @return the error, to be thrown
   */
  public static StorageException failed(String what, @Nullable Path path, IOException failure) {
    return new StorageException(
        what + ": actual=" + failure + ", expected=success, at=" + path, failure);
  }

  /**
   * Returns the channel, for one thread to write to from its start.
   *
   * @return the open channel; closed with this
   */
  public FileChannel channel() {
    return channel;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long size() {
    try {
      return channel.size();
    } catch (IOException failure) {
      throw failed("size", path, failure);
    }
  }

  @Override
  public void read(long position, MemorySegment target) {
    try {
      for (long at = 0; at < target.byteSize(); ) {
        long length = Math.min(LARGEST_TRANSFER_BYTES, target.byteSize() - at);
        ByteBuffer part = target.asSlice(at, length).asByteBuffer();
        int count = channel.read(part, position + at);
        if (count < 0) {
          throw new CorruptFileException(
              name(),
              "length",
              position,
              "actual=" + at + " bytes, expected=" + target.byteSize() + " from here");
        }
        at += count;
      }
    } catch (IOException failure) {
      throw failed("read", path, failure);
    }
  }

  /**
   * Writes bytes at a position, all before it returns.
   *
   * @param position of the first
   * @param source the bytes
   * @throws StorageException if they cannot be written
   */
  public void write(long position, MemorySegment source) {
    try {
      for (long at = 0; at < source.byteSize(); ) {
        long length = Math.min(LARGEST_TRANSFER_BYTES, source.byteSize() - at);
        at += channel.write(source.asSlice(at, length).asByteBuffer(), position + at);
      }
    } catch (IOException failure) {
      throw failed("write", path, failure);
    }
  }

  /**
   * Extends the file with zeros.
   *
   * @param bytes the minimum length in bytes
   * @throws StorageException if it cannot be written
   */
  public void growTo(long bytes) {
    if (size() < bytes) {
      write(bytes - 1, MemorySegment.ofArray(new byte[1]));
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw failed("close", path, failure);
    }
  }
}
