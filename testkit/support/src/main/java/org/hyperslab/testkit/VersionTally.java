package org.hyperslab.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Counts files that a test found good, by the version of their superblock. Versions 0 and 1 are
 * written by HDF5 up to 1.6 and by later releases by default, 2 by HDF5 1.8, and 3 by 1.10 and
 * later. (A file does not record its writer more precisely.)
 *
 * <p>Thread rule: any thread.
 */
public final class VersionTally {

  /** The version of a file without a superblock. */
  private static final int NONE = -1;

  private static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
  private static final long FIRST_USER_BLOCK = 512;

  private record Count(int good, int all) {
    Count plus(boolean oneMore) {
      return new Count(good + (oneMore ? 1 : 0), all + 1);
    }
  }

  private final Map<Integer, Count> counts = new TreeMap<>();

  /** Creates a tally without files. */
  public VersionTally() {}

  /**
   * Counts a file. One that does not exist, or is not an HDF5 file, counts as without a superblock.
   *
   * @param file the file
   * @param good whether the test of it succeeded
   */
  public synchronized void add(Path file, boolean good) {
    int version = Files.isRegularFile(file) ? superblockVersion(file) : NONE;
    counts.merge(version, new Count(0, 0).plus(good), (old, _) -> old.plus(good));
  }

  private static int superblockVersion(Path file) {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer start = ByteBuffer.allocate(SIGNATURE.length + 1);
      for (long at = 0; at < channel.size(); at = at == 0 ? FIRST_USER_BLOCK : 2 * at) {
        int read = channel.read(start.clear(), at);
        boolean found = read > SIGNATURE.length;
        if (found && start.flip().slice(0, SIGNATURE.length).equals(ByteBuffer.wrap(SIGNATURE))) {
          return start.get(SIGNATURE.length);
        }
      }
      return NONE;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns a text such as {@code 0: 211 of 236, 2: 25 of 30, none: 3 of 4}. */
  @Override
  public synchronized String toString() {
    return counts.entrySet().stream()
        .sorted(Map.Entry.comparingByKey((a, b) -> Integer.compareUnsigned(a, b)))
        .map(entry -> text(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String text(int version, Count count) {
    return (version == NONE ? "none" : version) + ": " + count.good + " of " + count.all;
  }
}
