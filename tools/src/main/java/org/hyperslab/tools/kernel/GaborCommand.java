package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.examples.gabor.GaborPlot;
import org.hyperslab.examples.gabor.GaborSegmentation;
import org.hyperslab.examples.ranks.Ranks;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.CostStore;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.plugins.mpiio.MpiioConnector;
import org.hyperslab.plugins.mpiio.MpiioOptions;
import org.hyperslab.tools.command.PictureFile;
import org.hyperslab.vol.Connector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** An application that computes while it writes: texture segmentation by Gabor filters. */
@Command(
    name = "gabor",
    description = {
      "Segments a synthetic image by texture: twelve Gabor filters by distributed Fourier"
          + " transforms, each texture to a file of its own.",
      "Textures are written by blocking collective writes, by started ones that overlap with the"
          + " computation of the next texture, and by started ones that are tested within the"
          + " transforms. Variants run by turns; the table shows medians, of all runs but the"
          + " first if there are several. All variants must leave the same bytes."
    },
    mixinStandardHelpOptions = true)
final class GaborCommand implements Callable<Integer> {

  private static final long REQUEST_NANOS = 500_000;

  private final PrintStream out;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = "ranks as threads (default: 4); under mpirun, as many as it starts")
  private Integer ranks;

  @Option(
      names = "--size",
      paramLabel = "N",
      defaultValue = "1024",
      description = "pixels along each edge, a multiple of the ranks (default: ${DEFAULT-VALUE})")
  private int size;

  @Option(
      names = "--channels",
      paramLabel = "N",
      defaultValue = "3",
      description = "channels of the image (default: ${DEFAULT-VALUE})")
  private int channels;

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      split = ",",
      description = "blocking, started or tested; several with commas (default: all three)")
  private List<String> variants = List.of("blocking", "started", "tested");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "example-out",
      description = "folder for the files, made if missing (default: ${DEFAULT-VALUE})")
  private Path folder;

  @Option(
      names = "--connector",
      paramLabel = "CONFIG",
      defaultValue = "mpiio",
      description =
          "mpiio, or \"mpiio key=value …\" with hints such as progress=wait (default:"
              + " ${DEFAULT-VALUE})")
  private String connector;

  @Option(names = "--raw", description = "textures as plain files by MPI-IO, instead of HDF5 files")
  private boolean raw;

  @Option(
      names = "--vendor",
      description = "with --raw, use the MPI library's own MPI-IO: under mpirun only")
  private boolean vendor;

  @Option(
      names = "--priced",
      paramLabel = "MB/S",
      defaultValue = "0",
      description =
          "each request to a texture's file takes half a millisecond, and its bytes at this"
              + " bandwidth, without the processor (default: as the file system does)")
  private long megabytesPerSecond;

  @Option(
      names = "--test-micros",
      paramLabel = "US",
      defaultValue = "1000",
      description = "least time between tests within a transform (default: ${DEFAULT-VALUE})")
  private long testMicros;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "runs of each variant (default: ${DEFAULT-VALUE})")
  private int repeat;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "draw the table as a picture, .png or .jpg")
  private Path plot;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  GaborCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public Integer call() {
    if (plot != null) {
      PictureFile.of(plot); // refuses other names before the measurement
    }
    List<GaborSegmentation.Variant> wanted = variants.stream().map(GaborCommand::variant).toList();
    Hints hints = KernelCommand.hints(connector, vendor);
    UnaryOperator<ByteStore> stores = stores();
    MpiioOptions options = MpiioOptions.DEFAULT.withHints(hints);
    MpiioOptions priced = stores == null ? options : options.withStores(stores);
    Ranks.run(
        KernelCommand.asked(ranks),
        world -> {
          try (Connector hdf5 = raw ? null : MpiioConnector.over(world, priced)) {
            runRank(
                world,
                new GaborSegmentation.Settings(
                    folder, size, channels, hdf5, hints, stores, 1000 * testMicros),
                wanted);
          }
        });
    return 0;
  }

  private UnaryOperator<ByteStore> stores() {
    if (megabytesPerSecond == 0) {
      return null;
    }
    CostStore.Costs costs = new CostStore.Costs(REQUEST_NANOS, 1_000_000 * megabytesPerSecond);
    return store -> CostStore.inRealTime(store, costs);
  }

  private static GaborSegmentation.Variant variant(String name) {
    return switch (name) {
      case "blocking" -> GaborSegmentation.Variant.BLOCKING;
      case "started" -> GaborSegmentation.Variant.STARTED;
      case "tested" -> GaborSegmentation.Variant.TESTED;
      default ->
          throw new InvalidUseException(
              "--variant: actual=" + name + ", expected=blocking, started or tested");
    };
  }

  private void runRank(
      Communicator world,
      GaborSegmentation.Settings settings,
      List<GaborSegmentation.Variant> wanted) {
    GaborSegmentation gabor = new GaborSegmentation(world, settings);
    gabor.prepare();
    Map<GaborSegmentation.Variant, List<GaborSegmentation.Result>> results =
        new EnumMap<>(GaborSegmentation.Variant.class);
    for (int round = 0; round < repeat; round++) {
      for (GaborSegmentation.Variant variant : wanted) {
        GaborSegmentation.Result result = gabor.run(variant);
        if (round > 0 || repeat == 1) {
          results.computeIfAbsent(variant, none -> new ArrayList<>()).add(result);
        }
      }
    }
    world.barrier();
    if (world.rank() == 0) {
      wanted.forEach(variant -> gabor.requireSameBytes(wanted.getFirst(), variant));
      report(world, wanted.stream().map(variant -> median(results.get(variant))).toList());
    }
  }

  /** Returns the run of which as many spent more time in I/O as spent less. */
  private static GaborSegmentation.Result median(List<GaborSegmentation.Result> all) {
    return all.stream()
        .sorted(Comparator.comparingDouble(GaborSegmentation.Result::ioSeconds))
        .toList()
        .get((all.size() - 1) / 2);
  }

  private void report(Communicator world, List<GaborSegmentation.Result> results) {
    String what =
        "gabor on %d ranks (%s): %d x %d pixels, 12 textures of %,d bytes as %s"
            .formatted(
                world.size(),
                Ranks.describe(world),
                size,
                size,
                4L * size * size,
                raw ? "plain files" : "HDF5 files");
    out.println(what);
    out.println("| variant | computation s | I/O s | total s | I/O, against the first |");
    out.println("|---|---|---|---|---|");
    double first = results.getFirst().ioSeconds();
    for (GaborSegmentation.Result result : results) {
      out.printf(
          Locale.ROOT,
          "| %s | %.3f | %.3f | %.3f | %+.0f%% |%n",
          result.variant().title(),
          result.computeSeconds(),
          result.ioSeconds(),
          result.totalSeconds(),
          100 * (result.ioSeconds() / first - 1));
    }
    out.printf(
        Locale.ROOT,
        "the label of %.1f%% of the pixels is right; every byte of every variant is the same%n",
        100 * results.getFirst().right());
    if (plot != null) {
      String title =
          "12 textures of %d x %d pixels on %d ranks".formatted(size, size, world.size());
      PictureFile.of(plot).write(GaborPlot.of(results, title));
    }
  }
}
