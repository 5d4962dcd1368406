package org.hyperslab.plugins.forwarding.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.base.Scheduling;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests records that are changed, moved or copied from another journal, with correct checksums. */
final class JournalForgeryTest {

  private static final int START = JournalFile.START;
  private static final int HEAD = 76;

  private TemporaryFolder folder;
  private JournalKey key;
  private Path path;

  @BeforeEach
  void write() {
    folder = TemporaryFolder.create("forged");
    key = JournalKey.of(folder.path().resolve("state"));
    path = folder.path().resolve("state/a.journal");
    write(path, key);
  }

  @AfterEach
  void remove() {
    folder.close();
  }

  /** A journal of three records of equal length. */
  private static void write(Path path, JournalKey key) {
    try (JournalFile journal =
        JournalFile.create(path, key, List.of(record(1)), Scheduling.ofJvm())) {
      journal.append(record(2));
      journal.append(record(3));
    }
  }

  private static JournalRecord record(int number) {
    byte[] body = {(byte) number, 2, 3};
    MemorySegment payload = MemorySegment.ofArray(new byte[] {9, 9, (byte) number, 9, 9});
    return new JournalRecord(
        JournalRecord.Kind.OPERATION, number, number, 0, body, List.of(payload));
  }

  private List<Long> read(JournalKey with) {
    List<Long> found = new ArrayList<>();
    JournalReader.read(path, with, record -> found.add(record.sequence()));
    return found;
  }

  private static void mendChecksums(byte[] journal) {
    ByteBuffer view = ByteBuffer.wrap(journal).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = START; at + HEAD <= journal.length; ) {
      int length = HEAD + view.getInt(at + 8) + (int) view.getLong(at + 12);
      CRC32C crc = new CRC32C();
      crc.update(journal, at + 4, Math.min(length, journal.length - at) - 4);
      view.putInt(at, (int) crc.getValue());
      at += length;
    }
  }

  @Test
  void authenticJournalIsRead() {
    assertThat(read(key)).containsExactly(1L, 2L, 3L);
    assertThat(read(JournalKey.of(path.getParent()))).containsExactly(1L, 2L, 3L);
  }

  @Test
  void everyChangedBitOfARecordIsRefused() {
    Seeds.runFixed(
        300,
        random -> {
          try {
            byte[] whole = Files.readAllBytes(path);
            byte[] changed = whole.clone();
            int length = (whole.length - START) / 3;
            // Not the lengths, for which the records behind are no longer found at all.
            int within;
            do {
              within = 4 + random.nextInt(length - 4);
            } while (within >= 8 && within < 20);
            int at = START + random.nextInt(3) * length + within;
            changed[at] ^= (byte) (1 << random.nextInt(8));
            if (changed[at] >= 6 && within >= 4 && within < 8) {
              return; // no kind that there is
            }
            mendChecksums(changed);
            Path other = path.resolveSibling("changed" + random.nextLong() + ".journal");
            Files.write(other, changed);
            List<Long> found = new ArrayList<>();
            try {
              JournalReader.read(other, key, record -> found.add(record.sequence()));
              assertThat(found).as("byte " + at).hasSizeLessThan(3);
            } catch (CorruptFileException refused) {
              assertThat(refused).hasMessageContaining("did not write there");
            } finally {
              Files.delete(other);
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void recordsAtAnotherPlaceAreRefused() throws IOException {
    byte[] whole = Files.readAllBytes(path);
    int length = (whole.length - START) / 3;
    byte[] swapped = whole.clone();
    System.arraycopy(whole, START, swapped, START + length, length);
    System.arraycopy(whole, START + length, swapped, START, length);
    assertRefused(swapped);
    byte[] twice = Arrays.copyOf(whole, whole.length + length);
    System.arraycopy(whole, START + 2 * length, twice, whole.length, length);
    assertRefused(twice);
  }

  @Test
  void recordsOfAnotherJournalOfTheSameServerAreRefused() throws IOException {
    Path other = path.resolveSibling("b.journal");
    write(other, key);
    byte[] theirs = Files.readAllBytes(other);
    byte[] mine = Files.readAllBytes(path);
    int length = (mine.length - START) / 3;
    System.arraycopy(theirs, START + length, mine, START + length, length);
    assertRefused(mine);
  }

  @Test
  void journalsOfAnotherServerAndOtherFilesAreRefused() throws IOException {
    JournalKey other = JournalKey.of(folder.path().resolve("other"));
    assertThatThrownBy(() -> read(other)).isInstanceOf(CorruptFileException.class);
    for (int length : new int[] {0, 200}) {
      Files.write(path, new byte[length]);
      assertThat(JournalReader.read(path, key, record -> {}).isDamaged()).isTrue();
    }
  }

  private void assertRefused(byte[] journal) throws IOException {
    Files.write(path, journal);
    assertThatThrownBy(() -> read(key)).isInstanceOf(CorruptFileException.class);
  }
}
