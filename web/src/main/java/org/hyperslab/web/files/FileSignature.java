package org.hyperslab.web.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.superblock.SuperblockCodec;

/**
 * The eight bytes by which files of HDF5 are recognised: at the start of the file, or behind a user
 * block of 512 bytes times a power of two.
 *
 * <p>Thread rule: stateless.
 */
final class FileSignature {

  private static final ByteBuffer BYTES =
      ByteBuffer.wrap(new byte[] {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'})
          .asReadOnlyBuffer();

  private FileSignature() {}

  /**
   * {@return whether a file that is no link begins with the signature; false if it is unreadable}
   */
  static boolean begins(Path file) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      return isAt(0, channel);
    } catch (IOException unreadable) {
      return false;
    }
  }

  /**
   * {@return whether a file has the signature at one of its places}
   *
   * @throws org.hyperslab.error.StorageException if the file cannot be read
   */
  static boolean isIn(Path file) {
    try (FileStore store = FileStore.open(file, FileAccess.READ)) {
      return SuperblockCodec.findSignature(store).isPresent();
    }
  }

  private static boolean isAt(long at, FileChannel channel) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(BYTES.capacity());
    while (found.hasRemaining() && channel.read(found, at + found.position()) > 0) {}
    return found.flip().equals(BYTES);
  }
}
