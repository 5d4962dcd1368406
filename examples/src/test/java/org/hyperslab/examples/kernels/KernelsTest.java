package org.hyperslab.examples.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kernel writes each byte of its file where it belongs, and reads it back. */
final class KernelsTest {

  @TempDir private Path folder;

  /** A kernel on some ranks. */
  record Case(IoKernel kernel, int ranks) {
    @Override
    public String toString() {
      return kernel + " on " + ranks;
    }
  }

  static List<Case> cases() {
    return List.of(
        new Case(new TileIo(0, 7, 5, 3), 6),
        new Case(new TileIo(4, 16, 2, 8), 4),
        new Case(new BtIo(12, 3), 1),
        new Case(new BtIo(12, 3), 4),
        new Case(new BtIo(12, 2), 9),
        new Case(new HaccIo(101, false), 3),
        new Case(new HaccIo(101, true), 3),
        new Case(new Ior(3, 4000, 1000, false), 4),
        new Case(new Ior(50, 100, 100, true), 3),
        new Case(new CollPerf(13, 8, 9), 8),
        new Case(new CollPerf(5, 4, 3), 5),
        new Case(new Noncontig(100, 24, true, true), 4),
        new Case(new Noncontig(100, 24, false, true), 3),
        new Case(new Noncontig(100, 24, true, false), 3),
        new Case(new Noncontig(100, 24, false, false), 2));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void writesAndReadsEveryByte(Case one) {
    for (boolean collective : new boolean[] {true, false}) {
      KernelRun.Settings settings =
          new KernelRun.Settings(folder, Hints.defaults(), collective, 0, false);
      run(one, settings);
    }
  }

  @Test
  void readsWhatTheNextRankWrote() {
    Case one = new Case(new Ior(2, 2000, 500, false), 4);
    run(one, new KernelRun.Settings(folder, Hints.defaults(), true, 1, false));
  }

  @Test
  void eachRankMayHaveAFileToItself() {
    Case one = new Case(new Ior(2, 2000, 500, false), 3);
    run(one, new KernelRun.Settings(folder, Hints.defaults(), true, 0, true));
    assertThat(folder.resolve("ior.2")).hasSize(4000);
  }

  @Test
  void ranksThatKernelsCannotUseAreNamed() {
    assertThatThrownBy(() -> new BtIo(12, 1).accesses(0, 3))
        .hasMessageContaining("ranks of bt-io: actual=3, expected=a square");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void ranksTogetherCoverTheFileOnce(Case one) {
    AtomicLong covered = new AtomicLong();
    for (int rank = 0; rank < one.ranks; rank++) {
      for (Access access : one.kernel.accesses(rank, one.ranks)) {
        access.pieces().forEach((file, memory, length) -> covered.addAndGet(length));
      }
    }
    assertThat(covered).hasValue(one.kernel.fileBytes(one.ranks));
  }

  private static void run(Case one, KernelRun.Settings settings) {
    ThreadWorld.of(one.ranks)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(world -> {
          KernelRun.Result result = new KernelRun(world, one.kernel, settings).run();
          assertThat(result.bytes()).isPositive();
        });
  }
}
