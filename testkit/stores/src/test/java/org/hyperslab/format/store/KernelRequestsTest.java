package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.hyperslab.error.StorageException;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests requests that Linux executes itself (io_uring), where it does. */
final class KernelRequestsTest {

  private static final int BYTES = 1 << 20;

  @TempDir Path folder;

  private FileStore open(byte[] content) throws IOException {
    Path path = folder.resolve("file" + content.length);
    Files.write(path, content);
    FileStore store = FileStore.open(path, FileAccess.UPDATE);
    assumeTrue(store.startRequestsInKernel(true), "the system offers io_uring");
    return store;
  }

  private static byte[] random(Random random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void startedRequestsMoveTheBytesOfTheirRanges() throws IOException {
    byte[] content = random(Seeds.random(1, 0));
    try (FileStore store = open(content);
        Arena arena = Arena.ofShared()) {
      MemorySegment read = arena.allocate(BYTES);
      MemorySegment written = arena.allocateFrom(ValueLayout.JAVA_BYTE, random(Seeds.random(1, 1)));
      List<ByteStore.Pending> pending = new ArrayList<>();
      int piece = BYTES / RequestRing.DEPTH * 2;
      for (int at = 0; at < BYTES; at += piece) {
        pending.add(store.startRead(at, read.asSlice(at, piece)).orElseThrow());
        pending.add(store.startWrite(BYTES + at, written.asSlice(at, piece)).orElseThrow());
      }
      pending.forEach(ByteStore.Pending::await);
      assertThat(pending).allMatch(ByteStore.Pending::test);
      assertThat(read.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(content);
      MemorySegment back = arena.allocate(BYTES);
      store.read(BYTES, back);
      assertThat(back.mismatch(written)).isEqualTo(-1);
    }
  }

  @Test
  void testingAloneFindsTheEnd() throws IOException {
    try (FileStore store = open(new byte[BYTES]);
        Arena arena = Arena.ofConfined()) {
      MemorySegment ones = arena.allocate(BYTES).fill((byte) 1);
      for (int i = 0; i < 100; i++) {
        ByteStore.Pending pending = store.startWrite(0, ones).orElseThrow();
        while (!pending.test()) {
          Thread.onSpinWait();
        }
      }
      assertThat(Files.readAllBytes(store.path())).isEqualTo(ones.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @Test
  void startsNothingBeyondTheDepthOfTheQueueOrWithHeapMemory() throws IOException {
    try (FileStore store = open(new byte[BYTES]);
        Arena arena = Arena.ofShared()) {
      assertThat(store.startRead(0, MemorySegment.ofArray(new byte[10]))).isEmpty();
      assertThat(store.startRead(0, MemorySegment.NULL)).isEmpty();
      List<ByteStore.Pending> pending = new ArrayList<>();
      MemorySegment memory = arena.allocate(BYTES);
      for (int i = 0; i < 10 * RequestRing.DEPTH; i++) {
        store.startRead(0, memory).ifPresent(pending::add);
      }
      assertThat(pending).hasSizeGreaterThanOrEqualTo(RequestRing.DEPTH);
      pending.forEach(ByteStore.Pending::await);
      store.startRead(0, memory).orElseThrow().await(); // before the memory is freed
    }
  }

  @Test
  void failuresNameStoreOperationAndPlace() throws IOException {
    try (FileStore store = open(new byte[100]);
        Arena arena = Arena.ofShared()) {
      ByteStore.Pending beyond = store.startRead(50, arena.allocate(100)).orElseThrow();
      assertThatThrownBy(beyond::await)
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("read failed")
          .hasMessageContaining("end of file at 100")
          .hasMessageContaining(store.name() + "@100");
      assertThatThrownBy(beyond::test).isInstanceOf(StorageException.class);
      assertThatThrownBy(() -> store.startWrite(Long.MAX_VALUE, arena.allocate(1)))
          .isInstanceOf(StorageException.class);
      FileStore readOnly = FileStore.open(store.path(), FileAccess.READ);
      try (readOnly) {
        assertThat(readOnly.startRequestsInKernel(true)).isTrue();
        assertThatThrownBy(() -> readOnly.startWrite(0, arena.allocate(1)))
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("opened for reading only");
      }
      assertThat(readOnly.startRead(0, arena.allocate(1))).as("closed").isEmpty();
    }
  }

  /** The kernel cancels what a thread has submitted when the thread ends. */
  @Test
  void requestsOutliveTheThreadThatStartedThem() throws Exception {
    int piece = 4 << 20;
    try (FileStore store = open(new byte[1]);
        Arena arena = Arena.ofShared()) {
      MemorySegment ones = arena.allocate(piece).fill((byte) 1);
      List<ByteStore.Pending> pending = new ArrayList<>();
      Thread starter =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < RequestRing.DEPTH; i++) {
                  pending.add(store.startWrite((long) i * piece, ones).orElseThrow());
                }
              });
      starter.join();
      pending.forEach(ByteStore.Pending::await);
      MemorySegment back = arena.allocate(piece);
      for (int i = 0; i < RequestRing.DEPTH; i++) {
        store.read((long) i * piece, back);
        assertThat(back.mismatch(ones)).as("piece %d", i).isEqualTo(-1);
      }
    }
  }

  @Test
  void closingWaitsForRequestsAndFreesTheQueues() throws IOException {
    open(new byte[1]).close();
    long before = rings();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment ones = arena.allocate(BYTES).fill((byte) 1);
      for (int i = 0; i < 20; i++) {
        FileStore store = open(new byte[BYTES]);
        ByteStore.Pending last = store.startWrite(0, ones).orElseThrow();
        store.close();
        assertThat(last.test()).isTrue();
      }
    }
    assertThat(rings()).isEqualTo(before);
    assertThat(folder.resolve("file" + BYTES)).hasSize(BYTES);
  }

  private static long rings() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(KernelRequestsTest::isRing).count();
    }
  }

  private static boolean isRing(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains("io_uring");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  @Test
  void anyNumberOfThreadsStartRequests() throws IOException {
    try (FileStore store = open(new byte[BYTES]);
        Arena arena = Arena.ofShared()) {
      List<CompletableFuture<Void>> threads = new ArrayList<>();
      int piece = BYTES / 8;
      for (int thread = 0; thread < 8; thread++) {
        long at = (long) thread * piece;
        MemorySegment mine = arena.allocate(piece).fill((byte) (thread + 1));
        threads.add(CompletableFuture.runAsync(() -> writeOften(store, at, mine)));
      }
      threads.forEach(CompletableFuture::join);
      byte[] content = Files.readAllBytes(store.path());
      for (int i = 0; i < BYTES; i++) {
        assertThat(content[i]).isEqualTo((byte) (i / piece + 1));
      }
    }
  }

  private static void writeOften(FileStore store, long at, MemorySegment memory) {
    for (int i = 0; i < 50; i++) {
      Optional<ByteStore.Pending> pending = store.startWrite(at, memory);
      if (pending.isEmpty()) {
        store.write(at, memory);
      } else {
        pending.get().await();
      }
    }
  }

  @Test
  void startsNothingUnlessAsked() throws IOException {
    Path path = Files.write(folder.resolve("plain"), new byte[10]);
    try (FileStore store = FileStore.open(path, FileAccess.UPDATE);
        Arena arena = Arena.ofConfined()) {
      assertThat(store.startWrite(0, arena.allocate(1))).isEmpty();
      assertThat(store.startRequestsInKernel(true)).isEqualTo(store.startsRequestsInKernel());
      assertThat(store.startRequestsInKernel(false)).isFalse();
      assertThat(store.startWrite(0, arena.allocate(1))).isEmpty();
      assertThat(store.startsRequestsInKernel()).isFalse();
    }
  }
}
