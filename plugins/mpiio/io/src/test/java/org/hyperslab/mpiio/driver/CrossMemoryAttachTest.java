package org.hyperslab.mpiio.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.testkit.ChildJvm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrossMemoryAttachTest {

  private final CrossMemoryAttach access = new CrossMemoryAttach();
  private final Arena arena = Arena.ofConfined();
  private Process process;
  private BufferedReader said;
  private CrossMemoryAttach.Neighbour neighbour;

  @BeforeEach
  void startNeighbour() throws IOException {
    assumeTrue(CrossMemoryAttach.available(), "process_vm_readv is Linux's");
    process =
        new ProcessBuilder(ChildJvm.command(64, Neighbour.class))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    said = process.inputReader(StandardCharsets.US_ASCII);
    neighbour =
        new CrossMemoryAttach.Neighbour((int) process.pid(), Long.parseLong(said.readLine()));
    long first = 0x0706050403020100L;
    assumeTrue(access.reaches(neighbour, first), "this system forbids it");
  }

  @AfterEach
  void endNeighbour() throws InterruptedException {
    arena.close();
    if (process != null) {
      process.destroy();
      process.waitFor(5, TimeUnit.MINUTES);
    }
  }

  private long sumThere() throws IOException {
    OutputStream ask = process.getOutputStream();
    ask.write('\n');
    ask.flush();
    return Long.parseLong(said.readLine());
  }

  @Test
  void readsIntoRowsAndKeepsTheGaps() {
    ExtentRuns rows = ExtentRuns.strided(5, 3, 8, 3000);
    MemorySegment window = arena.allocate(8 * 3000 + 5).fill((byte) -1);
    access.copy(neighbour, 1000, window, rows, true);
    for (int at = 0; at < window.byteSize(); at++) {
      int row = (at - 5) / 8;
      int column = (at - 5) % 8;
      boolean wanted = at >= 5 && column < 3;
      byte expected = wanted ? (byte) ((1000 + row * 3 + column) % 251) : -1;
      assertThat(window.get(ValueLayout.JAVA_BYTE, at)).as("byte %d", at).isEqualTo(expected);
    }
  }

  @Test
  void writesOnlyFromTheRows() throws IOException {
    byte[] expected = new byte[Neighbour.BYTES];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = (byte) (i % 251);
    }
    ExtentRuns rows = ExtentRuns.strided(1, 7, 10, 2500);
    MemorySegment window = arena.allocate(10 * 2500 + 1);
    for (int i = 0; i < window.byteSize(); i++) {
      window.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
    }
    for (int i = 0; i < 7 * 2500; i++) {
      expected[500 + i] = (byte) ((1 + i / 7 * 10 + i % 7) * 7);
    }
    access.copy(neighbour, 500, window, rows, false);
    assertThat(sumThere()).isEqualTo(Neighbour.sum(expected));
  }

  @Test
  void longTransfersAreDividedIntoSeveralCalls() throws IOException {
    CrossMemoryAttach divided = new CrossMemoryAttach(1000);
    MemorySegment window = arena.allocate(30_000);
    ExtentRuns rows = ExtentRuns.strided(3, 2700, 2800, 10);
    divided.copy(neighbour, 1000, window, rows, true);
    for (int i = 0; i < 27_000; i++) {
      long at = 3 + i / 2700 * 2800L + i % 2700;
      assertThat(window.get(ValueLayout.JAVA_BYTE, at))
          .as("byte %d", i)
          .isEqualTo((byte) ((1000 + i) % 251));
    }
    byte[] expected = new byte[Neighbour.BYTES];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = (byte) (i >= 500 && i < 5000 ? 7 : i % 251);
    }
    divided.copy(neighbour, 500, arena.allocate(4500).fill((byte) 7), false);
    assertThat(sumThere()).isEqualTo(Neighbour.sum(expected));
  }

  @Test
  void truncatedTransferIsAnError(@TempDir Path folder) throws IOException {
    MemorySegment much = untouched(folder.resolve("sparse"), 1L << 30);
    assertThatThrownBy(() -> access.copy(neighbour, Neighbour.BYTES - 16, much, true))
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("expected=" + (1L << 30) + " bytes")
        .hasMessageContaining("process " + process.pid())
        .hasMessageContaining("hyperslab_shared_memory=disable");
  }

  /** Returns memory that takes none until it is read. */
  private MemorySegment untouched(Path file, long bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.SPARSE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
    }
  }

  @Test
  void extentsBeyondTheWindowAreRefusedBeforeAnythingMoves() throws IOException {
    long before = sumThere();
    MemorySegment window = arena.allocate(100);
    ExtentRuns rows = ExtentRuns.strided(0, 30, 40, 3);
    assertThatThrownBy(() -> access.copy(neighbour, 0, window, rows, false))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(sumThere()).isEqualTo(before);
  }

  @Test
  void doesNotReachChangedOrFreedMemory() throws InterruptedException {
    assertThat(access.reaches(neighbour, 42)).isFalse();
    process.destroy();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(access.reaches(neighbour, 0x0706050403020100L)).isFalse();
  }
}
