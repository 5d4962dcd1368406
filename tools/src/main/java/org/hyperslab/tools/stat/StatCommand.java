package org.hyperslab.tools.stat;

import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.FailureReport;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.TerminalProgress;
import org.hyperslab.tools.stat.StatOptions.Part;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints statistics of a file. */
@Command(
    name = "stat",
    header = "prints statistics of objects, links, types and file space",
    description = {
      "Counts the objects, links, attributes, types, layouts and filters of a file, and prints how"
          + " many bytes each part of the file takes.",
      "Without options, prints everything. Takes h5stat's options. Exit codes: 0 success, 1"
          + " failure, 2 wrong use."
    })
public final class StatCommand implements Callable<Integer> {

  private final Streams streams;

  private final StatOptions options = new StatOptions();

  @Mixin private final ConnectorOption connector;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Parameters(paramLabel = "FILE", description = "the file")
  private String name;

  @Option(
      names = {"-f", "--file"},
      description = "prints the number of objects")
  void file(boolean shown) {
    add(Part.FILE);
  }

  @Option(
      names = {"-F", "--filemetadata"},
      description = "prints the size of all metadata")
  void fileMetadata(boolean shown) {
    add(Part.FILE_METADATA);
  }

  @Option(
      names = {"-g", "--group"},
      description = "prints the number of links in groups")
  void groups(boolean shown) {
    add(Part.GROUPS);
  }

  @Option(
      names = {"-G", "--groupmetadata"},
      description = "prints the size of the metadata of groups")
  void groupMetadata(boolean shown) {
    add(Part.GROUP_METADATA);
  }

  @Option(
      names = {"-d", "--dset"},
      description = "prints the extents, layouts and filters of datasets")
  void datasets(boolean shown) {
    add(Part.DATASETS);
  }

  @Option(
      names = {"-D", "--dsetmetadata"},
      description = "prints the size of the metadata of datasets")
  void datasetMetadata(boolean shown) {
    add(Part.DATASET_METADATA);
  }

  @Option(
      names = {"-T", "--dtypemetadata"},
      description = "prints the datatypes of datasets")
  void datatypes(boolean shown) {
    add(Part.DATATYPES);
  }

  @Option(
      names = {"-A", "--attribute"},
      description = "prints the number of attributes of objects")
  void attributes(boolean shown) {
    add(Part.ATTRIBUTES);
  }

  @Option(
      names = {"-s", "--freespace"},
      description = "prints the free space")
  void freeSpace(boolean shown) {
    add(Part.FREE_SPACE);
  }

  @Option(
      names = {"-S", "--summary"},
      description = "prints a summary of the use of the file's space")
  void summary(boolean shown) {
    add(Part.SUMMARY);
  }

  @Option(
      names = {"-l", "--links"},
      paramLabel = "N",
      description = "counts groups with fewer than N links as small (default: 10)")
  private Integer smallGroup;

  @Option(
      names = {"-m", "--dims"},
      paramLabel = "N",
      description =
          "counts 1-dimensional datasets with fewer than " + "N elements as small (default: 10)")
  private Integer smallDataset;

  @Option(
      names = {"-a", "--numattrs"},
      paramLabel = "N",
      description = "counts objects with at most N attributes as small (default: 10)")
  private Integer fewAttributes;

  @Option(
      names = {"-E", "--enable-error-stack"},
      description = "prints where an error occurred")
  private boolean errors;

  @Option(
      names = "--json",
      description =
          "prints all numbers as a document of JSON, whatever parts are chosen; docs/commands.md"
              + " has its layout")
  private boolean json;

  private void add(Part part) {
    options.parts.add(part);
  }

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public StatCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    if (wrong(smallGroup) || wrong(smallDataset) || wrong(fewAttributes)) {
      streams.err().println("stat: -l, -m and -a take numbers from 1");
      return 1;
    }
    options.smallGroup = smallGroup == null ? options.smallGroup : smallGroup;
    options.smallDataset = smallDataset == null ? options.smallDataset : smallDataset;
    options.fewAttributes = fewAttributes == null ? options.fewAttributes : fewAttributes;
    if (!json) {
      streams.out().println("Filename: " + RemoteStores.shown(name));
    }
    try (connector;
        H5File file = connector.open(name);
        TerminalProgress progress = TerminalProgress.start()) {
      LongConsumer counted = objects -> progress.counted("counting", objects);
      if (json) {
        writeJson(file, counted);
      } else {
        StatReport.print(file, options, streams.out(), counted);
      }
      return 0;
    } catch (HyperslabException failure) {
      String reason = FailureReport.inWords(failure.getMessage());
      streams.err().println("stat: " + reason);
      if (json) {
        JsonOutput out = new JsonOutput(streams.out());
        out.open('{').member("file", RemoteStores.shown(name)).member("error", reason).close('}');
        out.end();
      }
      if (errors) {
        failure.printStackTrace(streams.err());
      }
      return 1;
    }
  }

  private void writeJson(H5File file, LongConsumer counted) {
    FileStatistics statistics = new FileStatistics(file, counted);
    statistics.gather();
    JsonOutput out = new JsonOutput(streams.out());
    new StatJson(out, statistics, file.info()).write(RemoteStores.shown(name));
    out.end();
  }

  private static boolean wrong(Integer threshold) {
    return threshold != null && threshold < 1;
  }
}
