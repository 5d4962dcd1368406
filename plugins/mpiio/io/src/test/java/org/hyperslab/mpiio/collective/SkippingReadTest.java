package org.hyperslab.mpiio.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests reads across holes from real files: the number of requests, and that no other byte changes.
 */
class SkippingReadTest {

  private static final int FILE_BYTES = 400_000;

  @TempDir Path folder;

  private Path file(Random random) {
    byte[] content = new byte[FILE_BYTES];
    random.nextBytes(content);
    try {
      return Files.write(folder.resolve("file"), content);
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static CollectiveIo open(Communicator comm, FileStore store) {
    return CollectiveIo.open(comm, store, Hints.defaults(), FileSystemTraits.local());
  }

  @Test
  void piecesWithHolesAreOneRequest() {
    Path path = file(new Random(1));
    ExtentRuns rows = ExtentRuns.strided(1000, 512, 1024, 300);
    ThreadWorld.run(
        2,
        comm -> {
          try (FileStore store = FileStore.open(path, FileAccess.READ);
              CollectiveIo io = open(comm, store);
              Arena arena = Arena.ofConfined()) {
            MemoryExtents memory = MemoryExtents.contiguous(arena.allocate(rows.totalBytes()));
            CollectiveOutcome outcome = io.read(rows, memory);
            assertThat(io.explain()).contains("individual").contains("reads for itself");
            assertThat(outcome.mine().reads()).isEqualTo(1);
            assertThat(outcome.mine().bytesRead()).isEqualTo(1024 * 299 + 512);
          }
        });
  }

  @Test
  void readsRandomLists() {
    Seeds.run(
        60,
        random -> {
          Path path = file(random);
          ExtentRuns list = randomList(random);
          boolean heap = random.nextBoolean();
          ThreadWorld.run(1, comm -> readsAsTheFileHas(comm, path, list, heap));
        });
  }

  private static void readsAsTheFileHas(
      Communicator comm, Path path, ExtentRuns list, boolean heap) {
    try (FileStore store = FileStore.open(path, FileAccess.READ);
        CollectiveIo io = open(comm, store);
        Arena arena = Arena.ofConfined()) {
      long bytes = list.totalBytes();
      MemorySegment place =
          heap ? MemorySegment.ofArray(new byte[(int) bytes + 2]) : arena.allocate(bytes + 2);
      place.fill((byte) 77);
      io.readAlone(list, MemoryExtents.contiguous(place.asSlice(1, bytes)));
      assertThat(place.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 77);
      assertThat(place.get(ValueLayout.JAVA_BYTE, bytes + 1)).isEqualTo((byte) 77);
      byte[] content = Files.readAllBytes(path);
      ExtentList.Cursor cursor = list.cursor();
      while (cursor.next()) {
        for (long i = 0; i < cursor.length(); i++) {
          assertThat(place.get(ValueLayout.JAVA_BYTE, 1 + cursor.packed() + i))
              .isEqualTo(content[(int) (cursor.offset() + i)]);
        }
      }
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static ExtentRuns randomList(Random random) {
    ExtentRuns.Builder builder = ExtentRuns.builder();
    long at = random.nextInt(50);
    for (int i = random.nextInt(3000); i > 0; i--) {
      long length = 1 + random.nextInt(40);
      if (at + length > FILE_BYTES) {
        break;
      }
      builder.add(at, length);
      at += length + (random.nextInt(20) == 0 ? random.nextInt(9000) : random.nextInt(60));
    }
    return builder.build();
  }

  @Test
  void lastPieceBeyondTheEndIsAnError() {
    Path path = file(new Random(2));
    ExtentRuns rows = ExtentRuns.strided(FILE_BYTES - 1000, 100, 200, 6);
    assertThatThrownBy(() -> ThreadWorld.run(1, comm -> readsAsTheFileHas(comm, path, rows, false)))
        .isInstanceOf(HyperslabException.class)
        .hasMessageContaining("end of file");
  }
}
