package org.hyperslab.tools.kernel;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.examples.ffbench.FfBench;
import org.hyperslab.examples.ffbench.FfPlot;
import org.hyperslab.examples.ffbench.FfResult;
import org.hyperslab.examples.ffbench.FfScenario;
import org.hyperslab.examples.ffbench.FfSetup;
import org.hyperslab.examples.ffbench.FfSizes;
import org.hyperslab.examples.ffbench.FfTable;
import org.hyperslab.tools.command.OutputFile;
import org.hyperslab.tools.command.PictureFile;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.PropertiesDefaultProvider;
import picocli.CommandLine.Spec;

/** Measures what the compactor of the staging server saves. */
@Command(
    name = "ffbench",
    header = "measures what merging requests in a staging server saves",
    description = {
      "Measures what the compactor of the staging server saves: rows written by many clients,"
          + " overlapping writes, reads of recent writes, and FLASH's files. Each scenario runs"
          + " with and without it, and is checked by reading back. The cost of requests to a"
          + " parallel file system is simulated unless --local is given."
    },
    mixinStandardHelpOptions = true)
public final class FfbenchCommand implements Callable<Integer> {

  private final Streams streams;

  private static final String BELOW = " | tracing print=false | native";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "ffbench-out",
      description = "folder for the files, the table and the plot (default: ${DEFAULT-VALUE})")
  private Path out;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "picture of the table, .png or .jpg (default: ffbench.png in the folder)")
  private Path plot;

  @Option(
      names = "--scenario",
      split = ",",
      paramLabel = "NAME",
      description =
          "scenario to run: one of ${COMPLETION-CANDIDATES}; may be repeated (default: all)")
  private List<FfScenario> scenarios;

  @Option(
      names = "--clients",
      paramLabel = "N",
      split = ",",
      defaultValue = "128",
      description = {
        "number of clients that write rows, or a comma-separated list with a run for each; "
            + "16,32,64,128 in the published runs (default: ${DEFAULT-VALUE})"
      })
  private List<Integer> clients;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "rows written by each client; 512 in the published runs (default: ${DEFAULT-VALUE})")
  private int rows;

  @Option(
      names = "--columns",
      paramLabel = "N",
      defaultValue = "65536",
      description = "elements in a row (default: ${DEFAULT-VALUE})")
  private int columns;

  @Option(
      names = "--request-rows",
      paramLabel = "N",
      defaultValue = "1",
      description = "rows in one request (default: ${DEFAULT-VALUE})")
  private int requestRows;

  @Option(
      names = "--flash-ranks",
      paramLabel = "N",
      defaultValue = "32",
      description = "number of ranks in FLASH's mesh (default: ${DEFAULT-VALUE})")
  private int flashRanks;

  @Option(
      names = "--latency-micros",
      paramLabel = "N",
      defaultValue = "1000",
      description = "simulated time of a request (default: ${DEFAULT-VALUE})")
  private long latencyMicros;

  @Option(
      names = "--mb-per-second",
      paramLabel = "N",
      defaultValue = "1000",
      description = "simulated bandwidth of a storage server (default: ${DEFAULT-VALUE})")
  private long megabytesPerSecond;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "simulated storage servers; each serves one request at a time, and a request goes to the "
            + "first free one (default: ${DEFAULT-VALUE})"
      })
  private int servers;

  @Option(names = "--local", description = "uses the local disk without simulated costs")
  private boolean local;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      defaultValue = "3",
      description = "runs of each scenario; the median counts (default: ${DEFAULT-VALUE})")
  private int repeats;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "requests to storage at once (default: ${DEFAULT-VALUE})")
  private int threads;

  @Option(
      names = "--without",
      paramLabel = "CONFIG",
      description =
          "connector without a compactor, for example of a server started with --no-compactor")
  private String without;

  @Option(
      names = "--with",
      paramLabel = "CONFIG",
      description = "connector to measure with a " + "compactor")
  private String with;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = {
        "file of options without dashes, one in each line, such as clients=16,32; options of the "
            + "command line take precedence"
      })
  private Path config;

  @Spec private CommandSpec spec;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public FfbenchCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    return config == null ? measure() : configured().measure();
  }

  /**
   * Returns this command with the options of the file, which those of the command line override.
   */
  private FfbenchCommand configured() throws IOException {
    Properties said = new Properties();
    try (Reader reader = Files.newBufferedReader(config)) {
      said.load(reader);
    } catch (IllegalArgumentException malformed) {
      throw new InvalidUseException(
          "configuration: actual=" + malformed.getMessage() + ", at=" + config, malformed);
    }
    for (String key : said.stringPropertyNames()) {
      if (spec.findOption("--" + key) == null || key.equals("config")) {
        throw new InvalidUseException(
            "configuration: actual="
                + key
                + ", expected=an option of ffbench without its dashes, such as clients, at="
                + config);
      }
    }
    List<String> given = spec.commandLine().getParseResult().originalArgs();
    List<String> own = given.subList(given.indexOf(spec.name()) + 1, given.size());
    FfbenchCommand again = new FfbenchCommand(streams);
    try {
      new CommandLine(again)
          .setDefaultValueProvider(new PropertiesDefaultProvider(said))
          .parseArgs(own.toArray(String[]::new));
    } catch (CommandLine.ParameterException wrong) {
      throw new InvalidUseException(
          "configuration: actual=" + wrong.getMessage() + ", at=" + config, wrong);
    }
    return again;
  }

  private int measure() throws IOException {
    clients.forEach(this::plotFile); // refuses other names before the measurement
    Files.createDirectories(out);
    FfSizes sizes = new FfSizes(clients.getFirst(), rows, columns, requestRows, flashRanks);
    List<FfScenario> wanted = scenarios == null ? Arrays.asList(FfScenario.values()) : scenarios;
    StringBuilder table = new StringBuilder();
    for (int count : clients) {
      String title = title(count);
      streams.out().printf("%s%n%s", title, FfTable.head());
      List<FfResult> results =
          new FfBench(setup(count), sizes.withClients(count))
              .run(wanted, result -> streams.out().print(FfTable.line(result)));
      table.append(title).append('\n').append(FfTable.of(results));
      plotFile(count).write(FfPlot.of(results, title));
    }
    OutputFile.writeText(out.resolve("ffbench.txt"), table);
    streams
        .out()
        .println(
            "every value read back as written; table in "
                + out
                + ", plot in "
                + (plot == null ? out : plot));
    return 0;
  }

  /**
   * Returns the file of a plot. Each number of clients has one; from the second on, the name
   * contains the number.
   */
  private PictureFile plotFile(int count) {
    Path first = plot == null ? out.resolve("ffbench.png") : plot;
    if (count == clients.getFirst()) {
      return PictureFile.of(first);
    }
    String name = first.getFileName().toString();
    int end = name.lastIndexOf('.') < 0 ? name.length() : name.lastIndexOf('.');
    return PictureFile.of(
        first.resolveSibling(name.substring(0, end) + "-" + count + name.substring(end)));
  }

  private String title(int count) {
    return String.format(
        Locale.ROOT,
        "FFbench: %d clients, %d rows of %d, %d FLASH ranks, %s",
        count,
        rows,
        columns,
        flashRanks,
        local
            ? "local disk"
            : latencyMicros
                + " µs a request, "
                + megabytesPerSecond
                + " MB/s"
                + (servers == 1 ? "" : ", " + servers + " servers"));
  }

  private FfSetup setup(int count) {
    String compacting = "compacting threads=" + threads + " queue=2G requests=1000000";
    boolean remote = with != null;
    // Expensive requests are worth a copy and a wait; a large request to a local disk is not.
    String dear = " mergeBelow=16M merged=16M gather=" + count + " gatherMicros=2000";
    String cheap = " mergeBelow=256K";
    Map<String, String> costs =
        Map.of(
            "cost.latencyMicros", Long.toString(latencyMicros),
            "cost.megabytesPerSecond", Long.toString(megabytesPerSecond),
            "cost.servers", Integer.toString(servers));
    return new FfSetup(
        remote ? "" : out.toString(),
        without != null ? without : compacting + " merge=false" + BELOW,
        remote ? with : compacting + (local ? cheap : dear) + BELOW,
        remote,
        local ? Map.of() : costs,
        repeats);
  }
}
