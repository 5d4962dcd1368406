package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.hyperslab.testkit.store.ByteStoreContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that truncating a file while a mapping of it is read does not crash the process. */
class MappedReadsTest {

  private static final int BYTES = 4 << 20;
  private static final Rows ROWS = new Rows(1024, 2048, BYTES / 2048);

  @TempDir Path directory;

  @Test
  void rowsOfACutFileAreLeftToOrdinaryReads() throws Exception {
    assertGivesUp(reads -> reads.read(0, ROWS, MemorySegment.ofArray(new byte[BYTES / 2])));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment offHeap = arena.allocate(BYTES / 2);
      assertGivesUp(reads -> reads.read(0, ROWS, offHeap));
    }
  }

  @Test
  void longReadsOfACutFileAreLeftToOrdinaryReads() throws Exception {
    assertGivesUp(reads -> reads.read(0, MemorySegment.ofArray(new byte[BYTES])));
  }

  @Test
  void readsOfInterruptedThreadsAreLeftToOrdinaryReads() throws Exception {
    byte[] content = ByteStoreContract.pattern(BYTES, 9);
    Path path = Files.write(directory.resolve("x"), content);
    AtomicInteger mappings = new AtomicInteger();
    AtomicBoolean interrupting = new AtomicBoolean(true);
    MappedReads.Mapping mapping =
        (channel, offset, length, arena) -> {
          mappings.incrementAndGet();
          if (interrupting.get()) {
            Thread.currentThread().interrupt();
          }
          return channel.map(FileChannel.MapMode.READ_ONLY, offset, length, arena);
        };
    byte[] target = new byte[BYTES];
    try (MappedReads reads = new MappedReads("x", () -> FileChannel.open(path), mapping)) {
      assertThat(reads.read(0, MemorySegment.ofArray(target))).isFalse();
      assertThat(Thread.interrupted()).as("flag is kept").isTrue();
      assertThat(mappings).as("Java loses each of them").hasValue(1);
      interrupting.set(false);
      assertThat(reads.read(0, MemorySegment.ofArray(target))).isTrue();
      assertThat(target).isEqualTo(content);
    }
  }

  /**
   * Checks a read of a file that is truncated after it was mapped and before the mapping is read.
   */
  private void assertGivesUp(Predicate<MappedReads> reading) throws Exception {
    byte[] content = ByteStoreContract.pattern(BYTES, 8);
    Path path = Files.write(directory.resolve("x"), content);
    AtomicBoolean cutting = new AtomicBoolean();
    MappedReads.Mapping mapping =
        (channel, offset, length, arena) -> {
          MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, offset, length, arena);
          if (cutting.get()) {
            try (FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
              other.truncate(BYTES / 2);
            }
          }
          return mapped;
        };
    try (MappedReads reads = new MappedReads("x", () -> FileChannel.open(path), mapping)) {
      assertThat(reading.test(reads)).isTrue();
      cutting.set(true);
      assertThat(reading.test(reads)).isFalse();
      Files.write(path, content);
      cutting.set(false);
      assertThat(reading.test(reads)).isTrue();
    }
  }
}
