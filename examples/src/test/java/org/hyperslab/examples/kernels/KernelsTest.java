package org.hyperslab.examples.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.datatype.DimensionDistribution;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every kernel writes each byte of its file at its position, and reads it back. */
final class KernelsTest {

  @TempDir private Path folder;

  /** A kernel on some ranks. */
  record Case(IoKernel kernel, int ranks) {
    @Override
    public String toString() {
      return kernel + " on " + ranks;
    }
  }

  private static final DimensionDistribution NONE = DimensionDistribution.none();

  /** Distributes an array; one distribution may stand for those of all dimensions. */
  private static Case piobench(
      int ranks, List<Integer> sizes, DimensionDistribution... distributions) {
    List<DimensionDistribution> all =
        distributions.length == 1
            ? Collections.nCopies(sizes.size(), distributions[0])
            : List.of(distributions);
    return new Case(IoKernel.piobench(sizes, all), ranks);
  }

  static List<Case> cases() {
    return List.of(
        new Case(new TileIo(0, 7, 5, 3), 6),
        new Case(new TileIo(4, 16, 2, 8), 4),
        new Case(new TileIo(0, 6, 5, 4, new TileIo.Extras(0, 0, 100, true, false)), 6),
        new Case(new TileIo(3, 6, 5, 4, new TileIo.Extras(0, 0, 0, true, true)), 6),
        new Case(IoKernel.lattice(4, 6), 8),
        new Case(IoKernel.lattice(6, 5), 6),
        new Case(IoKernel.s3d(6), 1),
        new Case(IoKernel.s3d(6), 6),
        new Case(Ior.hard(3), 3),
        new Case(IoKernel.latency(7, 10), 3),
        new Case(IoKernel.latency(2, 40_000), 4),
        new Case(new BtIo(12, 3), 1),
        new Case(new BtIo(12, 3), 4),
        new Case(new BtIo(12, 2), 9),
        new Case(new HaccIo(101, false), 3),
        new Case(new HaccIo(101, true), 3),
        new Case(new Ior(3, 4000, 1000, false), 4),
        new Case(new Ior(50, 100, 100, true), 3),
        new Case(new CollPerf(13, 8, 9), 8),
        new Case(new CollPerf(5, 4, 3), 5),
        piobench(8, List.of(25, 3), DimensionDistribution.balanced(), NONE),
        piobench(6, List.of(7, 25, 9), DimensionDistribution.balanced()),
        piobench(3, List.of(2, 3), DimensionDistribution.balanced()), // a rank has nothing
        piobench(4, List.of(100), DimensionDistribution.random(1)),
        piobench(8, List.of(13, 25, 9), DimensionDistribution.random(3)),
        piobench(6, List.of(4, 26, 9), NONE, DimensionDistribution.random(5), NONE),
        piobench(6, List.of(11, 25), DimensionDistribution.cyclic(2)),
        piobench(4, List.of(9, 12), DimensionDistribution.block(), DimensionDistribution.cyclic()),
        piobench(1, List.of(3, 4), NONE),
        new Case(new Noncontig(100, 24, true, true), 4),
        new Case(new Noncontig(100, 24, false, true), 3),
        new Case(new Noncontig(100, 24, true, false), 3),
        new Case(new Noncontig(100, 24, false, false), 2));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void writesAndReadsEveryByte(Case one) throws IOException {
    Path blocking = folder.resolve("blocking");
    for (boolean collective : new boolean[] {true, false}) {
      KernelRun.Settings settings =
          new KernelRun.Settings(blocking, Hints.defaults(), collective, 0, false);
      run(one, settings);
    }
    Path started = folder.resolve("started");
    for (boolean collective : new boolean[] {true, false}) {
      run(
          one,
          new KernelRun.Settings(
              started, Hints.parse("progress=wait"), collective, 0, false, true));
      String file = one.kernel.name();
      assertThat(Files.mismatch(blocking.resolve(file), started.resolve(file))).isEqualTo(-1);
    }
  }

  @Test
  void latencyWithoutCallsIsRefused() {
    assertThatThrownBy(() -> IoKernel.latency(0, 10))
        .hasMessageContaining("latency-io: actual=0 calls of 10 bytes");
  }

  @Test
  void blocksOfArc3dAreOfOneLengthOrOneShorter() {
    IoKernel kernel = piobench(8, List.of(25), DimensionDistribution.balanced()).kernel;
    List<Long> lengths = new ArrayList<>();
    for (int rank = 0; rank < 8; rank++) {
      kernel.accesses(rank, 8).getFirst().pieces().forEach((file, at, bytes) -> lengths.add(bytes));
    }
    assertThat(lengths).containsExactly(32L, 24L, 24L, 24L, 24L, 24L, 24L, 24L);
  }

  @Test
  void distributionsThatDoNotFitTheArrayOrTheRanksAreRefused() {
    assertThatThrownBy(() -> piobench(2, List.of(3, 4, 5), NONE, NONE))
        .hasMessageContaining("actual=2 distributions, expected=one for each of 3 dimensions");
    IoKernel kernel = piobench(1, List.of(3), NONE).kernel;
    assertThatThrownBy(() -> kernel.accesses(0, 2))
        .hasMessageContaining("actual=2 ranks, expected=1, because no dimension is distributed");
  }

  @Test
  void tilesMayShareElements() {
    TileIo kernel = new TileIo(2, 6, 5, 4, new TileIo.Extras(2, 1, 16, false, true));
    run(new Case(kernel, 6), new KernelRun.Settings(folder, Hints.defaults(), true, 0, false));
    assertThat(folder.resolve("tile-io")).hasSize(16 + 10 * 13 * 4);
    assertThatThrownBy(() -> new TileIo(2, 6, 5, 4, new TileIo.Extras(6, 0, 0, false, false)))
        .hasMessageContaining("overlapX=6");
  }

  @Test
  void rowsOfTheGridOfTilesAreGroups() {
    TileIo kernel = new TileIo(3, 6, 5, 4, new TileIo.Extras(0, 0, 0, false, true));
    Hints hints =
        Hints.parse(
            "hyperslab_aggregators=ompio hyperslab_collective=dynamic" + " hyperslab_saturation=1");
    ThreadWorld.run(
        6,
        world -> {
          KernelRun.Settings settings = new KernelRun.Settings(folder, hints, true, 0, false);
          KernelRun.Result result = new KernelRun(world, kernel, settings).run();
          assertThat(result.explanation()).contains("rows of the process grid refined by k=1");
        });
  }

  @Test
  void cellsOfBtIoFollowTheDiagonal() {
    // Nine ranks, cells of 4 points: rank 6 is in row 2, column 0 of the first layer.
    List<Long> cells = new ArrayList<>();
    new BtIo(12, 1)
        .accesses(6, 9)
        .getFirst()
        .pieces()
        .forEach((file, memory, length) -> cells.add(file / 40));
    for (int layer = 0; layer < 3; layer++) {
      long row = 2 - layer;
      long column = layer;
      assertThat(cells.get(layer * 16)).isEqualTo((4 * layer * 12 + 4 * row) * 12 + 4 * column);
    }
  }

  @Test
  void haccWritesNineVariablesIntoARanksOwnBlock() {
    List<Access> accesses = new HaccIo(10, false).accesses(2, 4);
    assertThat(accesses.stream().mapToLong(Access::offset))
        .containsExactly(760L, 800L, 840L, 880L, 920L, 960L, 1000L, 1040L, 1120L);
  }

  @Test
  void ranksReadWhatTheNextRankWrote() {
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
  void unsuitableNumbersOfRanksAreNamed() {
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
