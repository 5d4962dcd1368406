package org.hyperslab.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link ByteStore}. The test of each implementation extends this class.
 *
 * <p>Thread rule: that of JUnit tests.
 */
public abstract class ByteStoreContract {

  /** Called by subclasses only. */
  protected ByteStoreContract() {}

  /**
   * Opens a new store, for writing if {@link #writable} is set.
   *
   * @param content the bytes that the store holds
   * @return the store, which the test closes
   * @throws Exception if the store cannot be made; the test fails
   */
  protected abstract ByteStore storeWith(byte[] content) throws Exception;

  /** {@return whether the stores are writable} */
  protected boolean writable() {
    return true;
  }

  /**
   * Returns random bytes.
   *
   * @param length the number of bytes
   * @param seed the seed of the random numbers
   * @return the bytes, which depend only on the length and the seed
   */
  public static byte[] pattern(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /**
   * Reads bytes into a new array.
   *
   * @param store the store
   * @param offset the offset of the first byte
   * @param length the number of bytes
   * @return the bytes
   */
  public static byte[] read(ByteStore store, long offset, int length) {
    byte[] bytes = new byte[length];
    store.read(offset, MemorySegment.ofArray(bytes));
    return bytes;
  }

  /**
   * Writes bytes to a store.
   *
   * @param store the store
   * @param offset the offset of the first byte
   * @param bytes the bytes
   */
  public static void write(ByteStore store, long offset, byte[] bytes) {
    store.write(offset, MemorySegment.ofArray(bytes));
  }

  private ByteStore writableStore() throws Exception {
    assumeTrue(writable(), "this store is read only");
    return storeWith(new byte[0]);
  }

  @Test
  void readsWhatItHolds() throws Exception {
    byte[] content = pattern(300_000, 1);
    try (ByteStore store = storeWith(content)) {
      assertThat(store.size()).isEqualTo(content.length);
      assertThat(read(store, 0, content.length)).isEqualTo(content);
      assertThat(read(store, 299_990, 10)).isEqualTo(Arrays.copyOfRange(content, 299_990, 300_000));
      assertThat(read(store, 65_530, 20)).isEqualTo(Arrays.copyOfRange(content, 65_530, 65_550));
    }
  }

  @Test
  void readsIntoEveryKindOfSegment() throws Exception {
    byte[] content = pattern(80_000, 2);
    try (ByteStore store = storeWith(content);
        Arena arena = Arena.ofConfined()) {
      MemorySegment offHeap = arena.allocate(80_000);
      store.read(0, offHeap);
      assertThat(offHeap.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(content);
      MemorySegment doubles = MemorySegment.ofArray(new double[10_000]);
      store.read(0, doubles);
      assertThat(doubles.mismatch(MemorySegment.ofArray(content))).isEqualTo(-1);
    }
  }

  @Test
  void readsRowsAndForgetsWhatIsBetween() throws Exception {
    byte[] content = pattern(20_000, 4);
    try (ByteStore store = storeWith(content)) {
      assertReadsRows(store, content, 3, 1, 2, 50);
      assertReadsRows(store, content, 0, 100, 100, 20);
      assertReadsRows(store, content, 20_000 - 39 * 500 - 130, 130, 500, 40);
      assertReadsRows(store, content, 19_000, 1_000, 5_000, 1);
      byte[] target = new byte[200];
      assertThatThrownBy(() -> store.readRows(19_500, 100, 401, 2, MemorySegment.ofArray(target)))
          .isInstanceOf(StorageException.class);
    }
  }

  /**
   * Reads rows that lie a stride apart, to the heap and to native memory, and compares them.
   *
   * @param store the store
   * @param content all bytes that the store holds
   * @param offset the offset of the first row, in bytes
   * @param length the length of each row, in bytes
   * @param stride the distance from the start of one row to that of the next, in bytes
   * @param count the number of rows
   */
  protected static void assertReadsRows(
      ByteStore store, byte[] content, int offset, int length, int stride, int count) {
    byte[] expected = new byte[length * count];
    for (int row = 0; row < count; row++) {
      System.arraycopy(content, offset + row * stride, expected, row * length, length);
    }
    byte[] heap = new byte[length * count];
    store.readRows(offset, length, stride, count, MemorySegment.ofArray(heap));
    assertThat(heap).isEqualTo(expected);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment offHeap = arena.allocate(length * count);
      store.readRows(offset, length, stride, count, offHeap);
      assertThat(offHeap.mismatch(MemorySegment.ofArray(expected))).isEqualTo(-1);
    }
  }

  @Test
  void refusesReadsPastTheEnd() throws Exception {
    try (ByteStore store = storeWith(pattern(100, 3))) {
      assertThatThrownBy(() -> read(store, 91, 10)).isInstanceOf(StorageException.class);
      assertThatThrownBy(() -> read(store, 101, 1)).isInstanceOf(StorageException.class);
      assertThatThrownBy(() -> read(store, Long.MAX_VALUE - 4, 10))
          .isInstanceOf(StorageException.class);
      assertThat(read(store, 100, 0)).isEmpty();
    }
  }

  @Test
  void namesItselfInErrors() throws Exception {
    try (ByteStore store = storeWith(pattern(100, 3))) {
      assertThatThrownBy(() -> read(store, 91, 10)).hasMessageContaining(store.name());
    }
  }

  @Test
  void scattersConsecutiveBytes() throws Exception {
    byte[] content = pattern(500_000, 4);
    try (ByteStore store = storeWith(content);
        Arena arena = Arena.ofConfined()) {
      MemorySegment[] targets = {
        MemorySegment.ofArray(new byte[3]),
        MemorySegment.ofArray(new byte[0]),
        arena.allocate(300_000),
        arena.allocate(10),
        MemorySegment.ofArray(new byte[100_000])
      };
      store.read(7, targets);
      long at = 7;
      for (MemorySegment target : targets) {
        MemorySegment expected = MemorySegment.ofArray(content).asSlice(at, target.byteSize());
        assertThat(target.mismatch(expected)).isEqualTo(-1);
        at += target.byteSize();
      }
    }
  }

  @Test
  void refusesChangesWhenReadOnly() throws Exception {
    assumeTrue(!writable(), "this store is writable");
    try (ByteStore store = storeWith(pattern(10, 5))) {
      assertThat(store.readOnly()).isTrue();
      assertThatThrownBy(() -> write(store, 0, new byte[1])).isInstanceOf(StorageException.class);
      assertThatThrownBy(() -> store.truncate(0)).isInstanceOf(StorageException.class);
    }
  }

  @Test
  void readsBackWhatWasWritten() throws Exception {
    try (ByteStore store = writableStore();
        Arena arena = Arena.ofConfined()) {
      byte[] bytes = pattern(700_001, 6);
      write(store, 0, bytes);
      MemorySegment offHeap = arena.allocate(70_000);
      offHeap.copyFrom(MemorySegment.ofArray(bytes).asSlice(5, 70_000));
      store.write(123_457, offHeap);
      byte[] expected = bytes.clone();
      MemorySegment.copy(offHeap, 0, MemorySegment.ofArray(expected), 123_457, 70_000);
      assertThat(read(store, 0, expected.length)).isEqualTo(expected);
      assertThat(store.size()).isEqualTo(expected.length);
    }
  }

  @Test
  void growsWithZerosInTheGap() throws Exception {
    try (ByteStore store = writableStore()) {
      write(store, 200_000, new byte[] {1, 2, 3});
      assertThat(store.size()).isEqualTo(200_003);
      assertThat(read(store, 0, 200_000)).containsOnly(0);
      assertThat(read(store, 200_000, 3)).containsExactly(1, 2, 3);
    }
  }

  @Test
  void gathersIntoConsecutiveBytes() throws Exception {
    try (ByteStore store = writableStore();
        Arena arena = Arena.ofConfined()) {
      byte[] all = pattern(400_000, 7);
      MemorySegment whole = MemorySegment.ofArray(all);
      MemorySegment[] sources = {
        whole.asSlice(0, 5),
        whole.asSlice(5, 0),
        arena.allocate(200_000).copyFrom(whole.asSlice(5, 200_000)),
        arena.allocate(95).copyFrom(whole.asSlice(200_005, 95)),
        whole.asSlice(200_100)
      };
      store.write(11, sources);
      assertThat(read(store, 11, all.length)).isEqualTo(all);
    }
  }

  @Test
  void readsAndWritesListsOfPlaces() throws Exception {
    try (ByteStore store = writableStore();
        Arena arena = Arena.ofConfined()) {
      byte[] expected = pattern(300_000, 12);
      write(store, 0, expected);
      MemorySegment file = MemorySegment.ofArray(expected);
      MemorySegment memory = arena.allocate(300_000);
      long[] offsets = new long[3000];
      MemorySegment[] pieces = new MemorySegment[3000];
      for (int i = 0; i < pieces.length; i++) {
        offsets[i] = 90L * i + (i % 5 == 0 ? 7 : 0);
        long length = i % 5 == 4 ? 90 : 90 - (i % 5 == 0 ? 7 : 0);
        MemorySegment piece = memory.asSlice(90L * (pieces.length - 1 - i), length);
        pieces[i] = i % 1000 == 17 ? MemorySegment.ofArray(new byte[(int) length]) : piece;
        pieces[i].fill((byte) i);
        MemorySegment.copy(pieces[i], 0, file, offsets[i], length);
      }
      store.writeList(offsets, pieces);
      assertThat(read(store, 0, expected.length)).isEqualTo(expected);
      for (MemorySegment piece : pieces) {
        piece.fill((byte) 99);
      }
      store.readList(offsets, pieces);
      for (int i = 0; i < pieces.length; i++) {
        MemorySegment there = file.asSlice(offsets[i], pieces[i].byteSize());
        assertThat(pieces[i].mismatch(there)).as("place %s", i).isEqualTo(-1);
      }
      assertThatThrownBy(() -> store.writeList(new long[1], new MemorySegment[0]))
          .isInstanceOf(InvalidUseException.class);
      assertThatThrownBy(() -> store.readList(new long[] {299_950}, new MemorySegment[] {memory}))
          .isInstanceOf(StorageException.class);
    }
  }

  @Test
  void truncatesAndExtendsWithZeros() throws Exception {
    try (ByteStore store = writableStore()) {
      write(store, 0, pattern(100_000, 8));
      store.truncate(70_001);
      assertThat(store.size()).isEqualTo(70_001);
      store.truncate(150_000);
      assertThat(store.size()).isEqualTo(150_000);
      assertThat(read(store, 70_001, 79_999)).containsOnly(0);
      store.truncate(0);
      assertThat(store.size()).isZero();
      assertThatThrownBy(() -> store.truncate(-1)).isInstanceOf(StorageException.class);
    }
  }

  @Test
  void preallocationKeepsLengthAndContent() throws Exception {
    try (ByteStore store = writableStore()) {
      byte[] content = pattern(10_000, 9);
      write(store, 0, content);
      store.preallocate(5_000, 1_000_000);
      assertThat(store.size()).isEqualTo(content.length);
      assertThat(read(store, 0, content.length)).isEqualTo(content);
      store.truncate(20_000);
      assertThat(read(store, content.length, 10_000)).containsOnly(0);
    }
  }

  @Test
  void forcesWhileOpen() throws Exception {
    try (ByteStore store = writableStore()) {
      write(store, 0, new byte[10]);
      assertThatCode(() -> store.force(true)).doesNotThrowAnyException();
      assertThatCode(() -> store.force(false)).doesNotThrowAnyException();
    }
  }

  @Test
  void failsAfterCloseAndClosesTwice() throws Exception {
    ByteStore store = storeWith(pattern(100, 9));
    store.close();
    store.close();
    assertThatThrownBy(() -> read(store, 0, 1)).isInstanceOf(StorageException.class);
    assertThatThrownBy(() -> write(store, 0, new byte[1])).isInstanceOf(StorageException.class);
  }

  @Test
  void servesManyThreadsAtOnce() throws Exception {
    int piece = 20_000;
    int pieces = 16;
    byte[] content = pattern(piece * pieces, 10);
    try (ByteStore store = storeWith(content);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < pieces; i++) {
        int at = i * piece;
        byte[] mine = Arrays.copyOfRange(content, at, at + piece);
        all.add(threads.submit(() -> rewriteAndCheck(store, at, mine)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }

  private void rewriteAndCheck(ByteStore store, int at, byte[] expected) {
    for (int round = 0; round < 20; round++) {
      if (writable()) {
        write(store, at, expected);
      }
      assertThat(read(store, at, expected.length)).isEqualTo(expected);
    }
  }

  @Test
  void agreesWithAnArrayUnderRandomWrites() throws Exception {
    assumeTrue(writable(), "this store is read only");
    long seed = Long.getLong("hyperslab.seed", 20_261L);
    Random random = new Random(seed);
    byte[] model = new byte[0];
    try (ByteStore store = storeWith(model)) {
      for (int step = 0; step < 200; step++) {
        if (random.nextInt(10) == 0) {
          int size = random.nextInt(300_000);
          store.truncate(size);
          model = Arrays.copyOf(model, size);
        } else {
          int at = random.nextInt(250_000);
          byte[] bytes = pattern(1 + random.nextInt(20_000), random.nextLong());
          write(store, at, bytes);
          model = Arrays.copyOf(model, Math.max(model.length, at + bytes.length));
          System.arraycopy(bytes, 0, model, at, bytes.length);
        }
        assertThat(store.size()).as("seed %d step %d", seed, step).isEqualTo(model.length);
      }
      assertThat(read(store, 0, model.length)).as("seed %d", seed).isEqualTo(model);
    }
  }
}
