package org.hyperslab.plugins.nativevol.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.store.MemoryStore;
import org.junit.jupiter.api.Test;

/**
 * Tests that a journal with a correct checksum is still not trusted, because its header comes from
 * the file.
 */
final class JournalTest {

  private static final long JOURNAL_AT = 1000;

  private static MemoryStore store(long superblockOffset, long finalSize) {
    MemoryStore store = new MemoryStore("journalled");
    store.write(0, MemorySegment.ofArray(new byte[(int) JOURNAL_AT]));
    byte[] superblock = new byte[48];
    Journal.Writer writer =
        new Journal.Writer(
            store, JOURNAL_AT, superblockOffset, finalSize, Journal.entryBytes(superblock.length));
    writer.add(superblockOffset, superblock, superblock.length);
    writer.finish();
    Journal.mark(store, 0, JOURNAL_AT);
    return store;
  }

  @Test
  void appliesAJournalToTheSizeThatItStates() {
    MemoryStore store = store(0, 900);
    Journal.find(store).apply(true);
    assertThat(store.size()).isEqualTo(900);
    assertThat(Journal.find(store)).isNull();
  }

  @Test
  void rejectsANegativeSize() {
    assertThatThrownBy(() -> Journal.find(store(0, -1)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("size after it is applied actual=-1");
  }

  @Test
  void rejectsASizeBeyondTheJournal() {
    assertThatThrownBy(() -> Journal.find(store(0, 1L << 40)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("expected=0..1000");
  }

  @Test
  void rejectsAJournalOfAnotherSuperblock() {
    assertThatThrownBy(() -> Journal.find(store(512, 900)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("superblock actual=512, expected=0");
  }
}
