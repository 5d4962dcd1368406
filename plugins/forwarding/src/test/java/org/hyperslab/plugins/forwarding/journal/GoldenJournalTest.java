package org.hyperslab.plugins.forwarding.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that journals of version 0.1 keep their meaning. */
final class GoldenJournalTest {

  @TempDir private Path folder;

  @Test
  void aJournalOfVersion01IsRead() throws IOException {
    Path state = Files.createDirectory(folder.resolve("state"));
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwx------"));
    copy("key", state);
    Files.setPosixFilePermissions(
        state.resolve("key"), PosixFilePermissions.fromString("rw-------"));
    Path journal = copy("a.journal", state);

    List<String> found = new ArrayList<>();
    JournalReader.read(journal, JournalKey.of(state), record -> found.add(text(record)));

    assertThat(found)
        .containsExactly(
            "START 10 20 30 [0, 2, 3] ",
            "FILE_OPENED 11 21 31 [1, 2, 3] ",
            "OBJECT_OPENED 12 22 32 [2, 2, 3] ",
            "OPERATION 13 23 33 [3, 2, 3] [9, 8, 7]",
            "CLOSED 14 24 34 [4, 2, 3] ",
            "REFUSED 15 25 35 [5, 2, 3] ");
  }

  private Path copy(String name, Path to) throws IOException {
    try (InputStream in = GoldenJournalTest.class.getResourceAsStream("journal-0.1/" + name)) {
      return Files.write(to.resolve(name), in.readAllBytes());
    }
  }

  private static String text(JournalRecord record) {
    StringBuilder text = new StringBuilder();
    text.append(record.kind().name()).append(' ').append(record.sequence());
    text.append(' ').append(record.number()).append(' ').append(record.second());
    text.append(' ').append(Arrays.toString(record.body())).append(' ');
    record
        .payload()
        .forEach(part -> text.append(Arrays.toString(part.toArray(ValueLayout.JAVA_BYTE))));
    return text.toString();
  }
}
