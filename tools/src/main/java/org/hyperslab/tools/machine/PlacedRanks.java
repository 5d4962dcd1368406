package org.hyperslab.tools.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;

/**
 * Reads the processors of ranks from what {@code hyperslab place} prints: lines {@code rank R: node
 * N, processor P}. Other lines are ignored.
 */
final class PlacedRanks {

  private static final long MAX_BYTES = 1 << 24;
  private static final Pattern LINE =
      Pattern.compile("rank (\\d{1,9}): node (\\d{1,9}), processor (\\d{1,9})");

  private PlacedRanks() {}

  /**
   * Returns the processor of each rank.
   *
   * @throws InvalidUseException if a line names a rank, node or processor that does not exist or a
   *     rank twice, or a rank has no line; it names file and line
   * @throws StorageException if the file cannot be read
   */
  static RankMap read(Path file, Machine machine, int ranks) {
    int[] processors = new int[ranks];
    Arrays.fill(processors, -1);
    int number = 0;
    for (String line : text(file).split("\\R", -1)) {
      number++;
      Matcher found = LINE.matcher(line.strip());
      if (found.matches()) {
        String at = ", at=" + file + " line " + number;
        int rank = below(ranks, found.group(1), "rank", at);
        int node = below(machine.nodes(), found.group(2), "node", at);
        int processor = below(machine.processorsPerNode(), found.group(3), "processor", at);
        if (processors[rank] >= 0) {
          throw new InvalidUseException(
              "placement: actual=rank " + rank + " a second time, expected=once" + at);
        }
        processors[rank] = node * machine.processorsPerNode() + processor;
      }
    }
    for (int rank = 0; rank < ranks; rank++) {
      if (processors[rank] < 0) {
        throw new InvalidUseException(
            "placement: actual=no line of rank %d, expected=one for each of %d ranks, at=%s"
                .formatted(rank, ranks, file));
      }
    }
    return RankMap.of(machine, processors);
  }

  private static int below(int end, String digits, String field, String at) {
    int value = Integer.parseInt(digits);
    if (value >= end) {
      throw new InvalidUseException(
          "placement: actual=" + field + " " + value + ", expected=0 to " + (end - 1) + at);
    }
    return value;
  }

  private static String text(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new InvalidUseException(
            "placement: actual=%d bytes, expected=at most %d, at=%s"
                .formatted(Files.size(file), MAX_BYTES, file));
      }
      return Files.readString(file);
    } catch (IOException failure) {
      throw new StorageException(
          "placement: actual=" + failure + ", expected=what hyperslab place prints, at=" + file,
          failure);
    }
  }
}
