package org.hyperslab.tools.repack;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Copies user blocks, the bytes before a file's superblock that HDF5 leaves to the user. */
final class UserBlock {

  private UserBlock() {}

  /**
   * Copies the first bytes of one file over those of another file, which is not open.
   *
   * @param from the file to read
   * @param bytes the number of bytes
   * @param to the file to change
   * @throws IOException if one of them cannot be read or written
   */
  public static void copy(Path from, long bytes, Path to) throws IOException {
    try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel out = FileChannel.open(to, StandardOpenOption.WRITE)) {
      long done = 0;
      long moved = 1;
      while (done < bytes && moved > 0) {
        moved = in.transferTo(done, bytes - done, out);
        done += moved;
      }
    }
  }
}
