package org.hyperslab.tools.convert;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.OutputFile;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.UriNames;
import org.hyperslab.web.ReferenceIndex;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes references by which zarr-python and xarray read a file without HDF5. */
@Command(
    name = "index",
    header = "writes references by which zarr and xarray read a file without HDF5",
    description = {
      "Writes kerchunk references, version 1: the place of each chunk of a file, for fsspec's"
          + " reference file system. Data that references cannot express is stored in the index"
          + " itself, up to a limit; omissions are listed on standard error. Zarr stores need no"
          + " index, and are refused.",
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class IndexCommand implements Callable<Integer> {

  private final Streams streams;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "the HDF5 file")
  private String name;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "JSON",
      description = "the index, replaced if it exists")
  private Path out;

  @Option(
      names = "--statistics",
      description =
          "instead of an index: computes statistics of the values of all datasets, and stores them"
              + " in FILE itself")
  private boolean statistics;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "path or URI by which readers find the file (default: absolute path of FILE)")
  private String url;

  @Option(
      names = "--inline",
      paramLabel = "BYTES",
      defaultValue = "1048576",
      description =
          "maximum bytes of a dataset that are stored in the index (default: ${DEFAULT-VALUE})")
  private long inline;

  @Mixin private final ConnectorOption connector;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public IndexCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() throws IOException {
    if (statistics == (out != null)) {
      throw new ParameterException(
          spec.commandLine(), "index: expected=either --out JSON, or --statistics");
    }
    if (statistics) {
      return addStatistics();
    }
    if (connector.isStore(name)) {
      throw new InvalidUseException(
          "index: actual=a Zarr store, expected=an HDF5 file; zarr and xarray read the store itself,"
              + " and hyperslab convert makes an HDF5 file of it, at="
              + name);
    }
    OutputFile.requireOther(name, out);
    String place =
        url != null
            ? url
            : UriNames.isFar(name)
                ? UriNames.withoutUser(name)
                : Path.of(name).toAbsolutePath().normalize().toString();
    try (connector;
        H5File file = connector.open(name)) {
      ReferenceIndex.Result index = ReferenceIndex.of(file, place, inline);
      OutputFile.writeText(out, index.json());
      index
          .leftOut()
          .forEach(
              (path, reason) -> streams.err().println("index: left out: /" + path + ": " + reason));
    }
    return 0;
  }

  private int addStatistics() {
    OpenOptions options = OpenOptions.EDIT.withProperty("statistics", "all");
    try (connector;
        H5File file = connector.open(name, options)) {
      file.flush();
    }
    return 0;
  }
}
