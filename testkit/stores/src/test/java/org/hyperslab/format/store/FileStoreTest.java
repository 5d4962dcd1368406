package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.testkit.store.ByteStoreContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStoreTest extends ByteStoreContract {

  @TempDir Path directory;
  private int count;

  @Override
  protected ByteStore storeWith(byte[] content) throws Exception {
    Path path = directory.resolve("store" + count++);
    Files.write(path, content);
    return FileStore.open(path, FileAccess.UPDATE);
  }

  @Test
  void namesMissingAndExistingObjects() throws Exception {
    Path path = directory.resolve("x.h5");
    assertThatThrownBy(() -> FileStore.open(path, FileAccess.READ))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("x.h5");
    FileStore.open(path, FileAccess.CREATE_NEW).close();
    assertThatThrownBy(() -> FileStore.open(path, FileAccess.CREATE_NEW))
        .isInstanceOf(AlreadyExistsException.class);
  }

  @Test
  void saysThatAFolderIsNoFile() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("folder"));
    for (FileAccess access : FileAccess.values()) {
      assertThatThrownBy(() -> FileStore.open(folder, access))
          .as(access.toString())
          .isInstanceOf(StorageException.class)
          .hasMessage("open failed: actual=a directory, expected=a file, at=" + folder);
    }
    if (PosixFile.available()) {
      assertThat(openings(folder)).as("descriptors that stay open").isZero();
    }
  }

  @Test
  void closesAFileThatIsNoLongerReachable() throws Exception {
    assumeTrue(PosixFile.available(), "the descriptor is Java's alone elsewhere");
    Path path = Files.write(directory.resolve("forgotten"), new byte[10]);
    for (int i = 0; i < 20; i++) {
      forget(path);
    }
    assertThat(openings(path)).isPositive();
    long start = System.nanoTime();
    while (openings(path) > 0 && System.nanoTime() - start < 60_000_000_000L) {
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(openings(path)).isZero();
  }

  @SuppressWarnings("resource") // opened in order not to be closed
  private static void forget(Path path) {
    FileStore.open(path, FileAccess.UPDATE, FileLocking.SHARED);
  }

  /** Counts the descriptors of this process that belong to a file. */
  private static int openings(Path path) throws IOException {
    int count = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : all) {
        try {
          count += Files.isSameFile(each, path) ? 1 : 0;
        } catch (IOException closedMeanwhile) {
          continue;
        }
      }
    }
    return count;
  }

  @Test
  void listsTakeOneSystemCallForEachRunOfPlaces() throws Exception {
    Path counters = Path.of("/proc/thread-self/io");
    assumeTrue(PosixFile.available() && Files.isReadable(counters), "the system counts calls");
    Path path = Files.write(directory.resolve("listed"), new byte[1 << 20]);
    try (FileStore store = FileStore.open(path, FileAccess.UPDATE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(1 << 20);
      MemorySegment[] pieces = new MemorySegment[512];
      long[] adjacent = new long[pieces.length];
      long[] apart = new long[pieces.length];
      for (int i = 0; i < pieces.length; i++) {
        pieces[i] = memory.asSlice(2000L * i, 128);
        adjacent[i] = 128L * i;
        apart[i] = 2000L * i;
      }
      store.writeList(adjacent, pieces); // opens the descriptor
      long before = calls(counters, "syscw");
      store.writeList(adjacent, pieces);
      assertThat(calls(counters, "syscw") - before).isEqualTo(1);
      before = calls(counters, "syscr");
      long looking = calls(counters, "syscr") - before;
      before = calls(counters, "syscr");
      store.readList(apart, pieces);
      assertThat(calls(counters, "syscr") - before - looking).isEqualTo(1);
    }
  }

  @Test
  void accessStyleBecomesAdviceToTheSystem() throws Exception {
    Path path = directory.resolve("styled");
    int mebibyte = 1 << 20;
    assumeTrue(
        PosixFile.available() && !fileSystem(directory).equals("tmpfs"),
        "the file system has a page cache of its own");
    try (FileStore store = FileStore.open(path, FileAccess.CREATE_NEW);
        Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(4L * mebibyte);
      store.write(0, memory);
      store.write(4L * mebibyte, memory);
      assertThat(isCached(path, 0, 8L * mebibyte)).isTrue();
      store.expectAccess(false, true, 0);
      store.write(0, memory);
      store.force(true);
      assertThat(isCached(path, 0, mebibyte)).as("written once").isFalse();
      store.expectAccess(false, false, -1);
      store.read(2L * mebibyte, memory.asSlice(0, mebibyte));
      await(path, mebibyte, mebibyte);
      store.expectAccess(false, false, 1);
      store.read(2L * mebibyte, memory.asSlice(0, mebibyte));
      await(path, 3L * mebibyte, mebibyte);
      store.expectAccess(true, false, 0);
      store.read(2L * mebibyte, memory.asSlice(0, mebibyte));
      assertThat(isCached(path, 2L * mebibyte, mebibyte)).as("read once").isFalse();
    }
  }

  @Test
  void readsAtRandomDoNotReadAhead() throws Exception {
    Path path = directory.resolve("random");
    assumeTrue(
        PosixFile.available() && !fileSystem(directory).equals("tmpfs"),
        "the file system has a page cache of its own");
    int page = 4096;
    byte[] content = new byte[64 * page];
    new Random(1).nextBytes(content);
    try (FileStore store = FileStore.open(path, FileAccess.CREATE_NEW);
        Arena arena = Arena.ofConfined()) {
      store.write(0, MemorySegment.ofArray(content));
      MemorySegment one = arena.allocate(page);
      MemorySegment[] two = {arena.allocate(page), arena.allocate(page)};
      MemorySegment onHeap = MemorySegment.ofArray(new byte[page]);
      dropFromCache(store);
      store.read(0, one);
      await(path, page, page); // the system reads more than the first page
      dropFromCache(store);
      assertThat(store.expectRandomReads(true)).isTrue();
      store.read(0, one);
      store.read(8L * page, onHeap);
      store.read(16L * page, two);
      assertThat(isCached(path, 0, page)).isTrue();
      for (int behind : new int[] {1, 9, 18}) {
        assertThat(isCached(path, (long) behind * page, page)).as("page " + behind).isFalse();
      }
      byte[] read = new byte[4 * page];
      MemorySegment.copy(one, 0, MemorySegment.ofArray(read), 0, page);
      MemorySegment.copy(onHeap, 0, MemorySegment.ofArray(read), page, page);
      MemorySegment.copy(two[0], 0, MemorySegment.ofArray(read), 2 * page, page);
      MemorySegment.copy(two[1], 0, MemorySegment.ofArray(read), 3 * page, page);
      byte[] expected = new byte[4 * page];
      System.arraycopy(content, 0, expected, 0, page);
      System.arraycopy(content, 8 * page, expected, page, page);
      System.arraycopy(content, 16 * page, expected, 2 * page, 2 * page);
      assertThat(read).isEqualTo(expected);
      assertThatThrownBy(() -> store.read(64L * page - 1, one))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("end of file");
      assertThat(store.expectRandomReads(false)).isFalse();
      dropFromCache(store);
      store.read(0, one);
      await(path, page, page);
      assertThat(store.expectRandomReads(true)).isTrue(); // closing ends it
    }
  }

  /**
   * Names the type of a folder's file system as statfs does. Java's file stores do not know it if
   * no mount point is visible, as in a changed root directory.
   */
  private static String fileSystem(Path folder) throws IOException {
    Process stat = new ProcessBuilder("stat", "-f", "-c", "%T", folder.toString()).start();
    try (InputStream out = stat.getInputStream()) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  /** Frees the pages of a file that has been read or written. */
  private static void dropFromCache(FileStore store) {
    store.force(true);
    store.expectAccess(true, false, 0);
    store.read(0, MemorySegment.ofArray(new byte[Math.toIntExact(store.size())]));
    store.expectAccess(false, false, 0);
  }

  private static void await(Path path, long offset, long length) throws IOException {
    long end = System.nanoTime() + 10_000_000_000L;
    while (!isCached(path, offset, length)) {
      assertThat(System.nanoTime()).as("read ahead at " + offset).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static boolean isCached(Path path, long offset, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(path)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, offset, length).isLoaded();
    }
  }

  private static long calls(Path counters, String name) throws IOException {
    for (String line : Files.readAllLines(counters)) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.substring(name.length() + 1).trim());
      }
    }
    throw new AssertionError("no " + name + " in " + counters);
  }

  @Test
  void truncateEmptiesAndCreateKeeps() throws Exception {
    Path path = Files.write(directory.resolve("x"), new byte[] {1, 2, 3});
    try (FileStore kept = FileStore.open(path, FileAccess.CREATE)) {
      assertThat(kept.size()).isEqualTo(3);
    }
    try (FileStore emptied = FileStore.open(path, FileAccess.TRUNCATE)) {
      assertThat(emptied.size()).isZero();
    }
  }

  @Test
  void scattersOneReadOverManyPieces() throws Exception {
    byte[] content = new byte[100_000];
    new Random(5).nextBytes(content);
    Path path = Files.write(directory.resolve("x"), content);
    try (FileStore store = FileStore.open(path, FileAccess.READ);
        Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(content.length);
      MemorySegment[] pieces = new MemorySegment[2500];
      for (int i = 0; i < pieces.length; i++) {
        MemorySegment piece = memory.asSlice(40L * (pieces.length - 1 - i), i % 40);
        pieces[i] = i % 700 == 699 ? MemorySegment.ofArray(new byte[i % 40]) : piece;
      }
      store.read(11, pieces);
      int at = 11;
      for (MemorySegment piece : pieces) {
        int length = (int) piece.byteSize();
        byte[] expected = Arrays.copyOfRange(content, at, at + length);
        assertThat(piece.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
        at += length;
      }
      MemorySegment[] beyond = {memory.asSlice(0, 50), memory.asSlice(50, 50)};
      assertThatThrownBy(() -> store.read(content.length - 99, beyond))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("end of file");
    }
  }

  @Test
  void readsManyRows() throws Exception {
    byte[] content = pattern(3_000_000, 6);
    try (ByteStore store = storeWith(content)) {
      assertReadsRows(store, content, 5, 1000, 2049, 1463);
      assertReadsRows(store, content, 0, 128, 131, 20_000);
      assertReadsRows(store, content, 4095, 127, 256, 8192);
      assertReadsRows(store, content, 999, 200_000, 300_001, 9);
      byte[] target = new byte[1465 * 1000];
      MemorySegment tooMuch = MemorySegment.ofArray(target);
      assertThatThrownBy(() -> store.readRows(5, 1000, 2049, 1465, tooMuch))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("3000000");
    }
  }

  @Test
  void rowsAreOfTheFileThatWasOpened() throws Exception {
    byte[] content = pattern(2_000_000, 7);
    Path path = Files.write(directory.resolve("x"), content);
    try (FileStore store = FileStore.open(path, FileAccess.READ)) {
      Files.move(path, directory.resolve("moved"));
      Files.write(path, new byte[2_000_000]);
      assertReadsRows(store, content, 0, 1000, 2000, 1000);
    }
  }

  @Test
  void scatteredReadIsOfTheFileThatWasOpened() throws Exception {
    Path path = Files.write(directory.resolve("x"), new byte[] {1, 2, 3, 4});
    FileStore store = FileStore.open(path, FileAccess.READ);
    try (Arena arena = Arena.ofConfined()) {
      Files.move(path, directory.resolve("moved"));
      Files.write(path, new byte[] {9, 9, 9, 9});
      MemorySegment memory = arena.allocate(4);
      MemorySegment[] pieces = {memory.asSlice(0, 1), memory.asSlice(1, 3)};
      store.read(0, pieces);
      assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3, 4);
      store.close();
      assertThatThrownBy(() -> store.read(0, pieces)).isInstanceOf(StorageException.class);
    }
  }

  @Test
  void exclusiveLockKeepsOthersOut() throws Exception {
    assumeTrue(PosixFile.available(), "flock is bound on Linux only");
    Path path = Files.write(directory.resolve("x"), new byte[] {1, 2, 3});
    try (FileStore writer = FileStore.open(path, FileAccess.UPDATE, FileLocking.EXCLUSIVE)) {
      assumeTrue(writer.locked(), "this file system has no locks");
      assertThatThrownBy(() -> FileStore.open(path, FileAccess.READ, FileLocking.SHARED))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("locked");
      assertThatThrownBy(() -> FileStore.open(path, FileAccess.TRUNCATE, FileLocking.EXCLUSIVE))
          .isInstanceOf(StorageException.class);
      assertThat(writer.size()).as("a refused opener changes nothing").isEqualTo(3);
    }
    try (FileStore one = FileStore.open(path, FileAccess.READ, FileLocking.SHARED);
        FileStore two = FileStore.open(path, FileAccess.READ, FileLocking.SHARED)) {
      assertThat(one.locked() && two.locked()).isTrue();
    }
  }

  @Test
  void closedFileIsNotLockedByACopyOfItsDescriptor() throws Throwable {
    Path path = Files.write(directory.resolve("forked"), new byte[10]);
    FileStore store = FileStore.open(path, FileAccess.UPDATE, FileLocking.EXCLUSIVE);
    Path descriptors = Path.of("/proc/self/fd");
    assumeTrue(store.locked() && Files.isDirectory(descriptors), "no flock, or no /proc");
    MethodHandle dup = call("dup");
    MethodHandle close = call("close");
    List<Integer> copies = new ArrayList<>();
    for (int descriptor : descriptorsOf(path, descriptors)) {
      copies.add((int) dup.invokeExact(descriptor)); // as a fork does
    }
    store.close();
    try (FileStore next = FileStore.open(path, FileAccess.UPDATE, FileLocking.EXCLUSIVE)) {
      assertThat(copies).isNotEmpty();
      assertThat(next.locked()).isTrue();
    } finally {
      for (int copy : copies) {
        int result = (int) close.invokeExact(copy);
        assertThat(result).isZero();
      }
    }
  }

  private static MethodHandle call(String name) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find(name).orElseThrow(),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  private static List<Integer> descriptorsOf(Path path, Path descriptors) throws IOException {
    List<Integer> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
      for (Path link : all) {
        if (Files.exists(link) && Files.isSameFile(link, path)) {
          found.add(Integer.valueOf(link.getFileName().toString()));
        }
      }
    }
    return found;
  }

  @Test
  void finishesTransfersOfInterruptedThreads() throws Exception {
    try (ByteStore store = storeWith(new byte[0])) {
      byte[] bytes = pattern(1_000_000, 3);
      Thread.currentThread().interrupt();
      write(store, 0, bytes);
      assertThat(Thread.interrupted()).as("flag is kept").isTrue();
      assertThat(read(store, 0, bytes.length)).isEqualTo(bytes);
    }
  }

  @Test
  void servesOthersWhileThreadsAreInterruptedInsideIt() throws Exception {
    byte[] bytes = pattern(4_000_000, 4);
    try (ByteStore store = storeWith(bytes)) {
      Thread busy =
          new Thread(() -> {
            for (int i = 0; i < 300; i++) {
              read(store, 0, bytes.length);
            }
          });
      busy.start();
      while (busy.isAlive()) {
        busy.interrupt();
        assertThat(read(store, 1000, 5000)).hasSize(5000);
      }
      busy.join();
      assertThat(read(store, 0, bytes.length)).isEqualTo(bytes);
    }
  }

  @Test
  void readsTheFileItOpenedAndNoOther() throws Exception {
    byte[] content = pattern(3_000_000, 11);
    Path path = Files.write(directory.resolve("x"), content);
    try (FileStore store = FileStore.open(path, FileAccess.READ)) {
      Files.move(path, directory.resolve("y"));
      Files.write(path, pattern(3_000_000, 12));
      assertThat(read(store, 0, 3)).startsWith(content[0], content[1], content[2]);
      assertThat(read(store, 0, content.length)).as("long read").isEqualTo(content);
    }
  }

  @Test
  void transfersMoreThanTwoGibibytes() throws Exception {
    assumeTrue(Boolean.getBoolean("hyperslab.large"), "needs 5 GiB; -Dhyperslab.large=true");
    long length = (1L << 31) + 4096;
    try (ByteStore store = storeWith(new byte[0]);
        Arena arena = Arena.ofConfined()) {
      MemorySegment large = arena.allocate(length);
      large.set(ValueLayout.JAVA_BYTE, length - 1, (byte) 7);
      store.write(0, large);
      large.fill((byte) 1);
      store.read(0, large);
      assertThat(large.get(ValueLayout.JAVA_BYTE, length - 1)).isEqualTo((byte) 7);
      assertThat(store.size()).isEqualTo(length);
    }
  }
}
