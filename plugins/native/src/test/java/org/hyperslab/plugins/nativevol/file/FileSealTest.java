package org.hyperslab.plugins.nativevol.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileLocking;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests when a file counts as unchanged since it was sealed. */
final class FileSealTest {

  private static final int PLACE = 100;

  @TempDir private Path folder;

  private Path file() throws IOException {
    return Files.write(folder.resolve("a"), new byte[200]);
  }

  private static FileSeal seal(ByteStore store) {
    FileSeal seal = new FileSeal(store, true);
    seal.at(1, () -> PLACE);
    return seal;
  }

  private static void seal(Path path) {
    try (FileStore store = FileStore.open(path, FileAccess.UPDATE, FileLocking.EXCLUSIVE)) {
      FileSeal seal = seal(store);
      seal.breakIt();
      seal.set();
      assertThat(seal.moment()).isPositive();
    }
  }

  private static long moment(Path path) {
    try (FileStore store = FileStore.open(path, FileAccess.READ)) {
      return seal(store).moment();
    }
  }

  @Test
  void aSealedFileIsIntactUntilItIsWritten() throws IOException {
    Path path = file();
    assertThat(moment(path)).isZero();
    seal(path);
    assertThat(moment(path)).isPositive();
    byte[] bytes = Files.readAllBytes(path);
    Files.write(path, bytes);
    assertThat(moment(path)).as("the same bytes, written again").isZero();
  }

  @Test
  void aTimeThatIsSetBackLaterIsNoticed() throws IOException {
    Path path = file();
    seal(path);
    FileTime then = Files.getLastModifiedTime(path);
    assertThat(then.toInstant().getNano() % 1000).isZero();
    Files.setLastModifiedTime(path, FileTime.from(then.toInstant().minusSeconds(3600)));
    assertThat(moment(path)).isZero();
    // As if the file had been sealed an hour ago, and the time been set back now.
    byte[] bytes = Files.readAllBytes(path);
    MemorySegment numbers = MemorySegment.ofArray(bytes).asSlice(PLACE);
    ValueLayout.OfLong word = ValueLayout.JAVA_LONG_UNALIGNED;
    long early = numbers.get(word, 0) - 3_600_000_000_000L;
    numbers.set(word, 0, early);
    numbers.set(word, 16, ~early);
    Files.write(path, bytes);
    Files.setLastModifiedTime(path, FileTime.from(then.toInstant().minusSeconds(3600)));
    assertThat(moment(path)).isZero();
  }

  @Test
  void aFileOfAnotherLengthIsNotIntact() throws IOException {
    Path path = file();
    seal(path);
    FileTime then = Files.getLastModifiedTime(path);
    Files.write(path, Arrays.copyOf(Files.readAllBytes(path), 201));
    Files.setLastModifiedTime(path, then);
    assertThat(moment(path)).isZero();
  }

  @Test
  void withoutTheLockOfAWriterNothingIsSealed() throws IOException {
    Path path = file();
    try (FileStore store = FileStore.open(path, FileAccess.UPDATE)) {
      FileSeal seal = seal(store);
      seal.breakIt();
      seal.set();
      assertThat(seal.moment()).isZero();
    }
  }

  @Test
  void bytesThatAreNoSealAreNotOverwritten() throws IOException {
    Path path = file();
    byte[] bytes = new byte[200];
    Arrays.fill(bytes, (byte) 7);
    Files.write(path, bytes);
    try (FileStore store = FileStore.open(path, FileAccess.UPDATE, FileLocking.EXCLUSIVE)) {
      FileSeal seal = seal(store);
      seal.breakIt();
      seal.set();
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
  }

  /** A power cut after the first edit must find the seal broken. */
  @Test
  void breakingIsForcedBeforeTheEdit() {
    List<String> calls = new ArrayList<>();
    MemoryStore memory = new MemoryStore("a");
    memory.write(0, MemorySegment.ofArray(new byte[200]));
    ByteStore recorded =
        new StoreDecorator(memory) {
          @Override
          public void write(long offset, MemorySegment source) {
            calls.add("write " + offset + " " + source.byteSize());
            super.write(offset, source);
          }

          @Override
          public void force(boolean withMetadata) {
            calls.add("force");
            super.force(withMetadata);
          }
        };
    FileSeal seal = seal(recorded);
    seal.breakIt();
    seal.breakIt();
    assertThat(calls).containsExactly("write 100 32", "force");
    assertThat(seal.isBroken()).isTrue();
  }
}
