package org.hyperslab.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.examples.flashio.FlashIo;
import org.hyperslab.examples.flashio.FlashProgress;
import org.hyperslab.examples.gabor.GaborSegmentation;
import org.hyperslab.examples.kernels.BtIo;
import org.hyperslab.examples.kernels.CollPerf;
import org.hyperslab.examples.kernels.HaccIo;
import org.hyperslab.examples.kernels.IoKernel;
import org.hyperslab.examples.kernels.Ior;
import org.hyperslab.examples.kernels.KernelRun;
import org.hyperslab.examples.kernels.Noncontig;
import org.hyperslab.examples.kernels.TileIo;
import org.hyperslab.examples.ranks.Ranks;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.datatype.DimensionDistribution;
import org.hyperslab.mpiio.hint.Hints;

/** A rank that {@link VendorFilesIT} starts under mpirun: runs every example in one folder. */
final class ExamplesRank {

  private static final List<IoKernel> KERNELS =
      List.of(
          new TileIo(0, 64, 48, 32, new TileIo.Extras(0, 0, 0, false, true)),
          IoKernel.lattice(8, 24),
          IoKernel.s3d(8),
          IoKernel.latency(5, 1000),
          new HaccIo(10_000, false),
          new HaccIo(10_000, true),
          new Ior(3, 40_000, 10_000, true),
          new CollPerf(40, 36, 32),
          piobench(DimensionDistribution.balanced()),
          new Noncontig(2000, 128, true, true));

  private ExamplesRank() {}

  private static IoKernel piobench(DimensionDistribution distribution) {
    return IoKernel.piobench(List.of(25, 26, 27), Collections.nCopies(3, distribution));
  }

  /**
   * Runs the examples. Arguments: a folder, {@code own} or {@code vendor}, the ways in which ranks
   * access files, separated by commas, and the number of variants of the segmentation.
   */
  public static void main(String[] arguments) throws IOException {
    Communicator world = Worlds.current();
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    requireOtherNumberOfRanksRefused(world.size());
    Hints hints = Hints.parse("io=" + arguments[1]);
    for (String way : arguments[2].split(",", -1)) {
      Path kernels = Files.createDirectories(folder.resolve(way));
      KernelRun.Settings settings =
          new KernelRun.Settings(kernels, hints, !way.equals("alone"), 0, false)
              .withStarted(way.equals("started"));
      KERNELS.forEach(kernel -> new KernelRun(world, kernel, settings).run());
      new KernelRun(
              world,
              piobench(DimensionDistribution.random(3)),
              new KernelRun.Settings(
                      kernels.resolve("random"), hints, settings.collective(), 0, false)
                  .withStarted(settings.started()))
          .run();
      int side = (int) Math.sqrt(world.size());
      boolean within = world.rank() < side * side;
      try (Communicator square = world.split(within ? 0 : 1, world.rank())) {
        if (within) {
          new KernelRun(square, new BtIo(12, 3), settings).run();
        }
      }
    }
    try (Session session = Hdf5.session("mpiio io=" + arguments[1])) {
      FlashIo.onEveryRank(session, world, folder.toString(), FlashProgress.NONE).run();
    }
    List<GaborSegmentation.Variant> variants =
        List.of(GaborSegmentation.Variant.values()).subList(0, Integer.parseInt(arguments[3]));
    segmentTextures(world, folder.resolve("gabor"), hints, variants);
    System.out.println("done " + world.describe());
  }

  private static void segmentTextures(
      Communicator world, Path folder, Hints hints, List<GaborSegmentation.Variant> variants) {
    GaborSegmentation gabor =
        new GaborSegmentation(
            world, new GaborSegmentation.Settings(folder, 64, 2, null, hints, null, 0));
    gabor.prepare();
    for (GaborSegmentation.Variant variant : variants) {
      assertThat(gabor.run(variant).right()).isGreaterThan(0.5);
    }
    world.barrier();
    for (GaborSegmentation.Variant variant : variants) {
      gabor.requireSameBytes(GaborSegmentation.Variant.BLOCKING, variant);
    }
  }

  private static void requireOtherNumberOfRanksRefused(int started) {
    assertThat(Ranks.count(0)).isEqualTo(started);
    assertThat(Ranks.count(started)).isEqualTo(started);
    assertThatThrownBy(() -> Ranks.count(started + 1))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("expected=" + started);
  }
}
