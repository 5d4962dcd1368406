package org.hyperslab.plugins.forwarding.journal;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.vol.base.Scheduling;

/**
 * The records of a journal that a released version wrote. {@code main} writes the journal and its
 * key once for a version: {@code GoldenJournal FOLDER}.
 */
final class GoldenJournal {

  private GoldenJournal() {}

  /** Returns a record of each kind, in the order of their numbers. */
  static List<JournalRecord> records() {
    List<JournalRecord> all = new ArrayList<>();
    for (JournalRecord.Kind kind :
        List.of(
            JournalRecord.Kind.START,
            JournalRecord.Kind.FILE_OPENED,
            JournalRecord.Kind.OBJECT_OPENED,
            JournalRecord.Kind.OPERATION,
            JournalRecord.Kind.CLOSED,
            JournalRecord.Kind.REFUSED)) {
      int number = all.size();
      byte[] body = {(byte) number, 2, 3};
      List<MemorySegment> payload =
          number == 3 ? List.of(MemorySegment.ofArray(new byte[] {9, 8, 7})) : List.of();
      all.add(new JournalRecord(kind, 10 + number, 20 + number, 30 + number, body, payload));
    }
    return all;
  }

  /**
   * Writes the journal and its key.
   *
   * @param arguments the folder
   */
  public static void main(String[] arguments) {
    Path folder = Path.of(arguments[0]).toAbsolutePath();
    JournalKey key = JournalKey.of(folder);
    try (JournalFile journal =
        JournalFile.create(folder.resolve("a.journal"), key, records(), Scheduling.ofJvm())) {
      journal.commit().join();
    }
  }
}
