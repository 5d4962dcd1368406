package org.hyperslab.mpiio.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.MpiException;

/**
 * A process of this machine that holds a lock on a range of a file, as far as the system shows it.
 * Linux lists the locks of each opening in {@code /proc/PID/fdinfo}, for processes of the same
 * user.
 *
 * @param process the number of the process
 * @param rank its rank in its MPI job, {@link MpiException#NO_RANK} if it is none
 * @param range the first locked byte and the last, as the system shows them
 */
record LockHolder(long process, int rank, String range) {

  private static final Path PROCESSES = Path.of("/proc");

  /** A line such as {@code lock: 1: OFDLCK ADVISORY WRITE -1 08:01:1234 10 19}. */
  private static final Pattern LOCK =
      Pattern.compile(
          "(?m)^lock:\\s+\\d+: (?:OFDLCK|POSIX)\\s+\\S+\\s+(?:WRITE|READ)\\s+\\S+\\s+"
              + "[0-9a-f]+:[0-9a-f]+:(\\d+) (\\d+) (\\d+|EOF)$");

  /** The variables in which Open MPI and MPICH state the rank of a process. */
  private static final Pattern RANK =
      Pattern.compile("(?:^|\0)(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=(\\d{1,9})\0");

  /**
   * Returns the holders of locks on any byte of a range, by process; none if they run on another
   * machine or as another user.
   *
   * @param file the file
   * @param from the first byte
   * @param toExclusive the byte after the last
   */
  static List<LockHolder> of(Path file, long from, long toExclusive) {
    TreeMap<Long, LockHolder> found = new TreeMap<>();
    try {
      String inode = Files.getAttribute(file, "unix:ino").toString();
      try (DirectoryStream<Path> processes =
          Files.newDirectoryStream(PROCESSES, LockHolder::isProcess)) {
        for (Path process : processes) {
          String range = lockOf(process, inode, from, toExclusive);
          if (range != null) {
            long number = Long.parseLong(process.getFileName().toString());
            found.put(number, new LockHolder(number, rankOf(process), range));
          }
        }
      }
    } catch (IOException | UnsupportedOperationException unknown) {
      return List.of();
    }
    return List.copyOf(found.values());
  }

  private static boolean isProcess(Path path) {
    return path.getFileName().toString().matches("\\d{1,18}");
  }

  /** Returns a range of a process's locks that overlaps another; null if there is none. */
  private static String lockOf(Path process, String inode, long from, long toExclusive) {
    try (DirectoryStream<Path> openings = Files.newDirectoryStream(process.resolve("fdinfo"))) {
      for (Path opening : openings) {
        String range = overlap(text(opening), inode, from, toExclusive);
        if (range != null) {
          return range;
        }
      }
    } catch (IOException endedOrForbidden) {
      return null;
    }
    return null;
  }

  /** Returns the overlapping range in the text of an opening; null if there is none. */
  static String overlap(String text, String inode, long from, long toExclusive) {
    Matcher lock = LOCK.matcher(text);
    while (lock.find()) {
      boolean toEnd = lock.group(3).equals("EOF");
      if (lock.group(1).equals(inode)
          && Long.parseLong(lock.group(2)) < toExclusive
          && (toEnd || Long.parseLong(lock.group(3)) >= from)) {
        return lock.group(2) + " to " + (toEnd ? "the end" : lock.group(3));
      }
    }
    return null;
  }

  private static int rankOf(Path process) {
    Matcher rank = RANK.matcher(text(process.resolve("environ")));
    return rank.find() ? Integer.parseInt(rank.group(1)) : MpiException.NO_RANK;
  }

  /** Returns a text of the system; empty if the process has ended or is another user's. */
  private static String text(Path path) {
    try {
      return Files.readString(path, StandardCharsets.ISO_8859_1);
    } catch (IOException endedOrForbidden) {
      return "";
    }
  }

  /** Describes holders for an error. */
  static String describe(Collection<LockHolder> holders) {
    if (holders.isEmpty()) {
      return "a process that this machine does not show";
    }
    return String.join(
        ", ",
        holders.stream()
            .map(each ->
                (each.rank == MpiException.NO_RANK ? "" : "rank " + each.rank + ", ")
                    + "process "
                    + each.process
                    + " of this machine (bytes "
                    + each.range
                    + ")")
            .toList());
  }
}
