package org.hyperslab.plugins.libhdf5.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.Lookup3;
import org.hyperslab.model.FileInfo;
import org.hyperslab.plugins.libhdf5.call.ProgramThread;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.vol.FileOperation;

/**
 * Copies the bytes of an open file to the program ({@code H5Fget_file_image}):
 *
 * <pre>
 *   0        8        16
 *   +--------+--------+------------------------+
 *   | size   | buffer | where to put the bytes |
 *   +--------+--------+------------------------+
 * </pre>
 *
 * <p>The image begins at the superblock, without a user block, and its flags say that the file is
 * not open, as libhdf5 has it.
 */
public final class FileImage {

  private static final int VERSION_OFFSET = 8;

  /** The flags of an open file: their place and length from version 2 of the superblock, before. */
  private static final int FLAGS_OFFSET = 11;

  /** From version 2 on: the length of an address, of which four precede the checksum. */
  private static final int ADDRESS_BYTES_OFFSET = 9;

  private static final int SUPERBLOCK_BYTES = 24;

  private static final int OLD_FLAGS_OFFSET = 20;
  private static final int OLD_FLAGS_BYTES = 4;

  private FileImage() {}

  /** Flushes a file and stores its image, or only its length if there is no buffer. */
  public static void get(OpenedFile file, long args) {
    String path = file.settings().localPath();
    DriverStore driver = file.settings().driver();
    if (path == null && driver == null) {
      throw new UnsupportedFeatureException(
          "file image: actual=a file of connector "
              + file.connector().name()
              + ", expected=a file that this process can read (native, mpiio or the core driver),"
              + " at="
              + file.name());
    }
    if (file.settings().writable()) {
      file.call(new FileOperation.Flush(file.handle()));
    }
    FileInfo info = file.call(new FileOperation.Describe(file.handle()));
    long start = info.creation().userBlockBytes();
    long length = info.sizeBytes() - start;
    long buffer = RawMemory.getLong(args + 8);
    if (buffer != 0) {
      requireRoom(file, RawMemory.getLong(args), length);
      MemorySegment image = RawMemory.at(buffer, length);
      if (driver == null) {
        read(Path.of(path), start, image);
      } else {
        read(driver, start, image);
      }
      markClosed(image);
    }
    RawMemory.setLong(RawMemory.getLong(args + 16), length);
  }

  private static void requireRoom(OpenedFile file, long size, long length) {
    if (Long.compareUnsigned(size, length) < 0) {
      throw new InvalidUseException(
          "buffer for the file image: actual="
              + Long.toUnsignedString(size)
              + " bytes, expected="
              + length
              + " or more, at="
              + file.name());
    }
  }

  private static void read(DriverStore store, long start, MemorySegment image) {
    image.fill((byte) 0);
    long there = Math.clamp(store.size() - start, 0, image.byteSize());
    ProgramThread.inside(() -> {
      store.read(start, image.asSlice(0, there));
      return null;
    });
  }

  /** Copies a file, of which a part that was never written may be missing at the end. */
  private static void read(Path path, long start, MemorySegment image) {
    image.fill((byte) 0);
    long done = 0;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      while (done < image.byteSize()) {
        ByteBuffer part =
            image.asSlice(done, Math.min(1 << 30, image.byteSize() - done)).asByteBuffer();
        int count = channel.read(part, start + done);
        if (count < 0) {
          return;
        }
        done += count;
      }
    } catch (IOException e) {
      throw new StorageException("file image: actual=" + e + ", expected=read, at=" + path, e);
    }
  }

  private static void markClosed(MemorySegment image) {
    if (image.byteSize() < SUPERBLOCK_BYTES) {
      return;
    }
    if (image.get(ValueLayout.JAVA_BYTE, VERSION_OFFSET) < 2) {
      image.asSlice(OLD_FLAGS_OFFSET, OLD_FLAGS_BYTES).fill((byte) 0);
      return;
    }
    image.set(ValueLayout.JAVA_BYTE, FLAGS_OFFSET, (byte) 0);
    int checked = FLAGS_OFFSET + 1 + 4 * image.get(ValueLayout.JAVA_BYTE, ADDRESS_BYTES_OFFSET);
    if (checked + Integer.BYTES <= image.byteSize()) {
      byte[] superblock = image.asSlice(0, checked).toArray(ValueLayout.JAVA_BYTE);
      image.set(
          ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
          checked,
          Lookup3.hash(superblock, 0, checked, 0));
    }
  }
}
