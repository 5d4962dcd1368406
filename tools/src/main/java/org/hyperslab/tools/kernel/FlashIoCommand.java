package org.hyperslab.tools.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.examples.flashio.FlashIo;
import org.hyperslab.examples.flashio.FlashMesh;
import org.hyperslab.examples.flashio.FlashProgress;
import org.hyperslab.examples.ranks.Ranks;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.plugins.mpiio.MpiioConnector;
import org.hyperslab.tools.command.StandardHelp;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.TerminalProgress;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes FLASH's checkpoint and plotfiles, reads them back and prints a table.
 *
 * <p>Its options are not declared by annotations, because a JVM generates classes to read
 * annotations, which takes a fifth of a second if four ranks start on two cores.
 */
public final class FlashIoCommand implements Callable<Integer> {

  private final OptionSpec ranks =
      OptionSpec.builder("--ranks")
          .paramLabel("N")
          .type(Integer.class)
          .description("number of ranks (default: 4; under mpirun, the number it started)")
          .build();

  private final OptionSpec out =
      OptionSpec.builder("--out")
          .paramLabel("DIR")
          .type(String.class)
          .defaultValue("flash-io-out")
          .description("folder for the files, created if missing (default: ${DEFAULT-VALUE})")
          .build();

  private final OptionSpec connector =
      OptionSpec.builder("--connector")
          .paramLabel("CONFIG")
          .type(String.class)
          .defaultValue("native")
          .description(
              "connector, such as mpiio or \"tracing | native\" (default: ${DEFAULT-VALUE})")
          .build();

  private final OptionSpec datasets =
      OptionSpec.builder("--datasets")
          .paramLabel("WAY")
          .type(String.class)
          .defaultValue("together")
          .description(
              "together: a rank writes its rows of all datasets by one call; apart: by one call"
                  + " for each dataset (default: ${DEFAULT-VALUE})")
          .build();

  private final OptionSpec explain =
      OptionSpec.builder("--explain")
          .type(boolean.class)
          .defaultValue("false")
          .description(
              "with the connector mpiio: prints how the transfers of rank 0 were executed, and"
                  + " why any of them was not collective")
          .build();

  private final Streams streams;

  private FlashIoCommand(Streams streams) {
    this.streams = streams;
  }

  /**
   * Describes the command and its options.
   *
   * @param streams where results and errors go
   * @return the description
   */
  public static CommandSpec spec(Streams streams) {
    FlashIoCommand command = new FlashIoCommand(streams);
    CommandSpec spec = CommandSpec.wrapWithoutInspection(command).name("flash-io");
    spec.usageMessage()
        .header("runs the FLASH I/O benchmark: writes and reads back its files")
        .description(
            "Writes the checkpoint and the two plotfiles of the FLASH simulation code, reads them"
                + " back, compares every value, and prints sizes, times and bandwidth.",
            "With the connector mpiio, all ranks write at once: as threads, or as the processes of"
                + " an mpirun job. With other connectors they take turns.");
    StandardHelp.addTo(spec);
    List.of(command.ranks, command.out, command.connector, command.datasets, command.explain)
        .forEach(spec::addOption);
    return spec;
  }

  @Override
  public Integer call() throws IOException {
    String connector = this.connector.getValue();
    String out = this.out.getValue();
    boolean together = connector.contains("mpiio");
    datasetsTogether(); // checks the option before any work
    int count = Ranks.count(KernelCommand.asked(ranks.<Integer>getValue()));
    if (connector.contains("native") || together) {
      Files.createDirectories(Path.of(out));
    }
    if (Ranks.speaks()) {
      streams
          .out()
          .printf(
              "FLASH I/O: %d ranks, %d blocks, connector \"%s\", into %s%n",
              count, new FlashMesh(count).totalBlocks(), connector, out);
    }
    try (Session session = Hdf5.session(connector);
        TerminalProgress progress = TerminalProgress.start()) {
      if (together) {
        Ranks.run(count, world -> runRank(session, world, progress));
      } else if (Ranks.speaks()) {
        FlashMesh mesh = new FlashMesh(count);
        print(
            new FlashIo(session, mesh, out, progress::advanced)
                .withDatasetsTogether(datasetsTogether())
                .run());
      }
    }
    return 0;
  }

  private boolean datasetsTogether() {
    return switch (datasets.<String>getValue()) {
      case "together" -> true;
      case "apart" -> false;
      case String other ->
          throw new InvalidUseException(
              "--datasets: actual=" + other + ", expected=together or apart");
    };
  }

  /** Runs one rank. Only rank 0 shows progress and prints. */
  private void runRank(Session session, Communicator world, TerminalProgress progress) {
    boolean speaks = world.rank() == 0;
    FlashProgress shown = speaks ? progress::advanced : FlashProgress.NONE;
    List<FlashIo.Result> results =
        FlashIo.onEveryRank(session, world, out.getValue(), shown)
            .withDatasetsTogether(datasetsTogether())
            .run();
    if (speaks) {
      progress.close();
      streams.out().println(Ranks.describe(world));
      print(results);
      if (explain.<Boolean>getValue() && session.connector() instanceof MpiioConnector parallel) {
        parallel.transfers().forEach(streams.out()::println);
      }
    }
  }

  private void print(List<FlashIo.Result> results) {
    String row = "%-32s %12s %9s %9s %9s %9s%n";
    streams.out().printf(row, "file", "bytes", "write s", "MB/s", "read s", "MB/s");
    for (FlashIo.Result result : results) {
      streams
          .out()
          .printf(
              row,
              result.file().fileName(),
              String.format(Locale.ROOT, "%,d", result.sizeBytes()),
              seconds(result.writeSeconds()),
              rate(result.sizeBytes(), result.writeSeconds()),
              seconds(result.readSeconds()),
              rate(result.sizeBytes(), result.readSeconds()));
    }
    streams.out().println("every value read back as written");
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }

  private static String rate(long bytes, double seconds) {
    return String.format(Locale.ROOT, "%.0f", bytes / 1e6 / seconds);
  }
}
