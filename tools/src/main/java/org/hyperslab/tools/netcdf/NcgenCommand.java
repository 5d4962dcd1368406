package org.hyperslab.tools.netcdf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.hyperslab.convert.FileConverter;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.UnfinishedFile;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfModel;
import org.hyperslab.netcdf.cdl.CdlFile.Kind;
import org.hyperslab.netcdf.cdl.CdlGenerator;
import org.hyperslab.tools.command.OutputFile;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes netCDF files of CDL. */
@Command(
    name = "ncgen",
    header = "makes a netCDF file of CDL, as netCDF's ncgen does",
    description = {
      "Makes a netCDF file of CDL, the text that ncdump prints. Without -o and -b, the text is only"
          + " checked. An existing file is replaced.",
    },
    sortOptions = false)
public final class NcgenCommand implements Callable<Integer> {

  private final Streams streams;

  @Parameters(
      index = "0",
      paramLabel = "CDL",
      description = "the file with the text; - for standard input")
  private String cdl;

  @Option(names = "-o", paramLabel = "FILE", description = "the file to write")
  private Path out;

  @Option(names = "-b", description = "writes a file named after the dataset, with the ending .nc")
  private boolean named;

  @Option(
      names = "-k",
      paramLabel = "KIND",
      description =
          "the kind of the file: nc3 (classic), nc6 (64-bit offset), nc4, nc7 (netCDF-4 classic"
              + " model), nc5 (cdf5), or ncdump's name of it (default: as _Format says, else"
              + " classic if that holds the content, else nc4)")
  private String kind;

  @Option(names = "--help", usageHelp = true, description = "Show this help message and exit.")
  private boolean help;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public NcgenCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    byte[] text = cdl.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(cdl));
    CdlGenerator generator = CdlGenerator.of(text);
    Kind made = kind == null ? generator.kind() : kind(kind);
    Path target = out == null && named ? namedFile(generator.name()) : out;
    if (target == null) {
      return 0;
    }
    OutputFile.requireOther(cdl, target);
    switch (made) {
      case NETCDF4 -> write(generator, target, NetcdfModel.NETCDF4);
      case NETCDF4_CLASSIC -> write(generator, target, NetcdfModel.CLASSIC);
      case CLASSIC -> convert(generator, target, FileKind.CDF1);
      case OFFSET64 -> convert(generator, target, FileKind.CDF2);
      case CDF5 -> convert(generator, target, FileKind.CDF5);
    }
    return 0;
  }

  /** A text from elsewhere may not choose the folder. */
  private static Path namedFile(String name) {
    if (name.isEmpty() || name.startsWith(".") || name.matches("(?s).*[/\\\\\\x00].*")) {
      throw new InvalidUseException(
          "-b: actual=the name \"" + name + "\", expected=-o FILE, for it is no name of a file");
    }
    return Path.of(name + ".nc");
  }

  private static void write(CdlGenerator generator, Path target, NetcdfModel model)
      throws IOException {
    try (UnfinishedFile unfinished = UnfinishedFile.of(target)) {
      try (NetcdfFile file = NetcdfFile.create(unfinished.path(), model)) {
        unfinished.begun();
        generator.write(file);
      }
      unfinished.finish();
    }
  }

  /** A classic file is made of a netCDF-4 file, for its offsets depend on all that is in it. */
  private void convert(CdlGenerator generator, Path target, FileKind to) throws IOException {
    Path between = Files.createTempFile("hyperslab-ncgen", ".nc4");
    try {
      write(generator, between, NetcdfModel.NETCDF4);
      ConversionOptions options = ConversionOptions.DEFAULT.withTo(to).withReplace(true);
      FileConverter.convert(between, target, options, FileConverter.Progress.NONE)
          .notes()
          .forEach(note -> streams.err().println("ncgen: note: " + note));
    } finally {
      Files.deleteIfExists(between);
    }
  }

  private static Kind kind(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "nc3", "1", "classic", "netcdf-3" -> Kind.CLASSIC;
      case "nc6", "2", "64-bit offset", "64-bit-offset" -> Kind.OFFSET64;
      case "nc4", "3", "netcdf-4", "enhanced" -> Kind.NETCDF4;
      case "nc7", "4", "netcdf-4 classic model" -> Kind.NETCDF4_CLASSIC;
      case "nc5", "5", "cdf5", "64-bit data", "64-bit-data" -> Kind.CDF5;
      default ->
          throw new InvalidUseException(
              "-k: actual=" + word + ", expected=nc3, nc6, nc4, nc7 or nc5");
    };
  }
}
