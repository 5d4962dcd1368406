package org.hyperslab.tools.netcdf;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.hyperslab.convert.ClassicNetcdf;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.cdl.CdlDump;
import org.hyperslab.netcdf.cdl.CdlFile;
import org.hyperslab.netcdf.cdl.CdlOptions;
import org.hyperslab.netcdf.cdl.CdlOptions.Annotations;
import org.hyperslab.netcdf.cdl.CdlOptions.Data;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.UriNames;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints netCDF files as CDL. */
@Command(
    name = "ncdump",
    header = "prints a netCDF file as CDL, as netCDF's ncdump does",
    description = {
      "Prints a netCDF file (netCDF-4, or CDF-1, CDF-2, CDF-5) as CDL, with ncdump's options and in"
          + " its words. 'hyperslab ncgen' makes a file of CDL.",
    },
    sortOptions = false)
public final class NcdumpCommand implements Callable<Integer> {

  private static final String LINE_BYTES = "80";

  private final Streams streams;

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "the file, or the URI of a netCDF-4 file")
  private String file;

  @Option(names = "-h", description = "prints the header only, no data")
  private boolean headerOnly;

  @Option(names = "-c", description = "prints the data of coordinate variables only")
  private boolean coordinates;

  @Option(
      names = "-v",
      paramLabel = "NAME",
      split = ",",
      description = "prints the data of these variables only, given by name or path")
  private List<String> variables = new ArrayList<>();

  @Option(
      names = "-n",
      paramLabel = "NAME",
      description = "the name of the dataset (default: that of the file without its ending)")
  private String name;

  @Option(names = "-k", description = "prints the kind of the file only")
  private boolean kindOnly;

  @Option(names = "-s", description = "prints properties of the storage as attributes, too")
  private boolean specials;

  @Option(
      names = "-p",
      paramLabel = "DIGITS[,DIGITS]",
      description = "significant digits of floats and doubles (default: 7,15)")
  private String digits = "";

  @Option(
      names = "-l",
      paramLabel = "BYTES",
      defaultValue = LINE_BYTES,
      description = "the greatest length of a line of data (default: ${DEFAULT-VALUE})")
  private int lineBytes = Integer.parseInt(LINE_BYTES);

  @Option(
      names = "-b",
      paramLabel = "c|f",
      description = "prints before each row the indices of its elements, as in C or Fortran")
  private String brief;

  @Option(
      names = "-f",
      paramLabel = "c|f",
      description = "prints behind each element its indices, as in C or Fortran")
  private String full;

  @Option(names = "-t", description = "prints numbers of time variables as dates")
  private boolean times;

  @Option(names = "--help", usageHelp = true, description = "Show this help message and exit.")
  private boolean help;

  @Mixin private final ConnectorOption connector;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public NcdumpCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    if (!connector.isGiven() && !UriNames.isFar(file) && isClassic(file)) {
      try (ClassicNetcdf classic = ClassicNetcdf.open(Path.of(file))) {
        print(classic.content());
      }
      return 0;
    }
    try (connector;
        NetcdfFile netcdf = NetcdfFile.of(connector.open(file))) {
      CdlFile content = CdlFile.of(netcdf);
      print(content);
      content.leftOut().forEach(left -> streams.err().println("ncdump: left out: " + left));
    }
    return 0;
  }

  private static boolean isClassic(String name) {
    try {
      return ClassicNetcdf.is(Path.of(name));
    } catch (InvalidPathException notLocal) {
      return false;
    }
  }

  private void print(CdlFile content) {
    if (kindOnly) {
      streams.out().print(content.kind().label() + "\n");
      return;
    }
    Data data = headerOnly ? Data.NONE : coordinates ? Data.COORDINATES : Data.ALL;
    String[] numbers = digits.split(",", 2);
    CdlOptions options =
        CdlOptions.builder()
            .name(name == null ? nameOf(file) : name)
            .data(data)
            .variables(variables)
            .specials(specials)
            .floatDigits(digits(numbers[0]))
            .doubleDigits(digits(numbers.length > 1 ? numbers[1] : ""))
            .lineBytes(lineBytes)
            .annotations(annotations())
            .times(times)
            .build();
    CdlDump.write(content, options, streams.out());
    streams.out().flush();
  }

  private Annotations annotations() {
    if (brief != null && full != null) {
      throw new InvalidUseException("-b and -f: actual=both, expected=one of them");
    }
    if (brief != null) {
      return isFortran("-b", brief) ? Annotations.BRIEF_FORTRAN : Annotations.BRIEF_C;
    }
    if (full != null) {
      return isFortran("-f", full) ? Annotations.FULL_FORTRAN : Annotations.FULL_C;
    }
    return Annotations.NONE;
  }

  /** Only the first letter counts, as for ncdump. */
  private static boolean isFortran(String option, String word) {
    String first = word.isEmpty() ? "" : word.substring(0, 1).toLowerCase(Locale.ROOT);
    if (!first.equals("c") && !first.equals("f")) {
      throw new InvalidUseException(option + ": actual=" + word + ", expected=c or f");
    }
    return first.equals("f");
  }

  private static String nameOf(String path) {
    String last = path.substring(path.lastIndexOf('/') + 1);
    int dot = last.lastIndexOf('.');
    return dot < 0 ? last : last.substring(0, dot);
  }

  private static int digits(String word) {
    try {
      return word.isEmpty() ? 0 : Integer.parseInt(word);
    } catch (NumberFormatException wrong) {
      throw new InvalidUseException("-p: actual=" + word + ", expected=1 to 20, or 7,15", wrong);
    }
  }
}
