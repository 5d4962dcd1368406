package org.hyperslab.tools.convert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.convert.FileConverter;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.UnfinishedFile;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.TerminalProgress;
import org.hyperslab.tools.command.UriNames;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Converts a file of another format to HDF5, or back. */
@Command(
    name = "convert",
    header = "converts a file of another format to HDF5, or back",
    description = {
      "Converts IN to OUT, which must not exist. The format of IN is detected from its content,"
          + " then from its name, and that of OUT from its name. Fails if OUT cannot represent"
          + " something in IN; nothing is changed silently. docs/converting.md lists the formats.",
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class ConvertCommand implements Callable<Integer> {

  private static final String ALL = "/";
  private static final String STANDARD = "-";
  private static final String YES = "yes";
  private static final String NO = "no";
  private static final String MEMORY_BYTES = "134217728";
  private static final String EXPANDED_BYTES_BY_SIZE = "0";

  private final Streams streams;

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description =
          "the file to read; the URI of an HDF5 file, or a name that the connector opens; - for"
              + " standard input")
  private String in;

  @Parameters(
      index = "1",
      paramLabel = "OUT",
      description = "the file to write; - for standard output, with --to")
  private Path out;

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      completionCandidates = Formats.class,
      description = "the format of IN (default: detected from its content and name)")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      completionCandidates = Formats.class,
      description = "the format of OUT (default: detected from its name)")
  private String to;

  @Option(
      names = "--path",
      paramLabel = "PATH",
      defaultValue = ALL,
      description = "the group or dataset of an HDF5 file to convert (default: all)")
  private String path = ALL;

  @Option(
      names = "--lenient",
      description = "omits what OUT cannot represent, and lists it on standard error")
  private boolean lenient;

  @Option(names = "--replace", description = "replaces OUT if it exists")
  private boolean replace;

  @Option(
      names = "--keep-incomplete",
      description =
          "leaves OUT as far as it was written if the conversion fails (default: removed)")
  private boolean keepIncomplete;

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      defaultValue = MEMORY_BYTES,
      description = "maximum bytes of elements in memory at a time (default: ${DEFAULT-VALUE})")
  private long memory = Long.parseLong(MEMORY_BYTES);

  @Option(
      names = "--max-expanded",
      paramLabel = "BYTES",
      defaultValue = EXPANDED_BYTES_BY_SIZE,
      description =
          "maximum bytes of the inflated entries of a zip archive (default: 200 times the"
              + " archive, and at least 1 GiB)")
  private long expanded = Long.parseLong(EXPANDED_BYTES_BY_SIZE);

  @Option(
      names = "--raw",
      paramLabel = "DESCRIPTION",
      description = "content of a raw IN: type=<f8,shape=100x200,order=C or F,offset=BYTES")
  private String raw;

  @Option(
      names = "--columns",
      description =
          "makes one dataset for each column of a table, instead of one of a compound type")
  private boolean columns;

  @Option(
      names = "--delimiter",
      paramLabel = "CHARACTER",
      description =
          "what separates the cells of a table, of IN if it is one, else of OUT: comma, semicolon,"
              + " tab, pipe, space or another character (default: detected in IN, comma in OUT)")
  private String delimiter;

  @Option(
      names = "--header",
      paramLabel = "ROW",
      description =
          "the row of a table IN with the names of columns, from 0, or yes or no (default: the"
              + " first row, or a comment above it); of a table OUT: yes or no")
  private String header;

  @Option(
      names = "--na",
      paramLabel = "LIST",
      description =
          "further cells of a table IN that mark a missing value, separated by commas, besides an"
              + " empty cell, NA, NaN, null and the others of pandas; instead of these after an =")
  private String missing;

  @Option(
      names = "--units-row",
      paramLabel = "yes|no",
      arity = "0..1",
      preprocessor = UnitsRow.class,
      description =
          "whether the row below the names of a table IN has units (default: if all its cells are"
              + " known units above numbers), yes if nothing follows; of a table OUT: whether it gets"
              + " a row of units (default: if there are any)")
  private String unitsRow;

  @Option(
      names = "--short-rows",
      paramLabel = "fill|refuse",
      description =
          "whether cells that a row of a table IN lacks at its end are missing values (default:"
              + " refuse, such a row is an error)")
  private String shortRows;

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description = "the encoding of a table: latin1, windows-1252, utf-16, ... (default: utf-8)")
  private String encoding;

  @Option(
      names = "--zarr",
      paramLabel = "LAYOUT",
      description =
          "how arrays of a Zarr OUT are laid out: shard=N (inner chunks along each dimension of a"
              + " shard), order=C or F, separator=/ or ., checksum, separated by commas")
  private String zarr;

  @Option(
      names = "--deflate",
      paramLabel = "LEVEL",
      description =
          "compresses chunks of an HDF5, netCDF-4 or Zarr OUT with shuffle and deflate, level 0 to"
              + " 9, instead of the filters of IN")
  private Integer deflate;

  @Mixin private final ConnectorOption connector;

  /** Takes the word after the option for its value only if it is one; another word is IN. */
  static final class UnitsRow implements IParameterPreprocessor {
    @Override
    public boolean preprocess(
        Stack<String> words, CommandSpec all, ArgSpec option, Map<String, Object> found) {
      boolean isAttached = "=".equals(found.get("separator"));
      boolean isValue = !words.isEmpty() && (words.peek().equals(YES) || words.peek().equals(NO));
      if (!isAttached && !isValue) {
        words.push(YES);
      }
      return false;
    }
  }

  /** Null of a command line without options, which is not parsed. */
  @Spec private CommandSpec spec;

  /** The names of formats, for the completion of words by a shell. */
  static final class Formats implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(FileKind.values()).map(FileKind::option).iterator();
    }
  }

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public ConvertCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() throws IOException {
    ConversionOptions options = options();
    try (TerminalProgress progress = TerminalProgress.start()) {
      ConversionReport report =
          convert(options, (done, total) -> progress.advanced("converting", done, total));
      report.notes().forEach(note -> streams.err().println("convert: note: " + note));
      report.losses().forEach(loss -> streams.err().println("convert: left out: " + loss));
    }
    return 0;
  }

  private ConversionOptions options() {
    try {
      return checkedOptions();
    } catch (InvalidUseException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }

  private ConversionOptions checkedOptions() {
    return ConversionOptions.builder()
        .from(from == null && raw != null ? Optional.of(FileKind.RAW) : kind(from))
        .to(kind(to))
        .path(path)
        .lenient(lenient)
        .replace(replace)
        .memoryBytes(memory)
        .expandedBytes(expanded)
        .raw(Optional.ofNullable(raw))
        .columns(columns)
        .zarr(Optional.ofNullable(zarr))
        .deflate(Optional.ofNullable(deflate))
        .keepIncomplete(keepIncomplete)
        .delimiter(Optional.ofNullable(delimiter))
        .table(
            TableOptions.builder()
                .header(Optional.ofNullable(header))
                .missing(Optional.ofNullable(missing))
                .unitsRow(Optional.ofNullable(unitsRow).map(ConvertCommand::yes))
                .encoding(Optional.ofNullable(encoding))
                .shortRows(Optional.ofNullable(shortRows))
                .build())
        .build();
  }

  private ConversionReport convert(ConversionOptions options, FileConverter.Progress progress)
      throws IOException {
    if (out.toString().matches("(?i)(https?|s3):/.*")) {
      // As a path it has lost a slash; it is not shown, because it may hold a password.
      throw new InvalidUseException(
          "convert: actual=OUT is an address, expected=a path of this machine; upload the file"
              + " afterwards, or 'repack' an HDF5 file to s3://BUCKET/KEY");
    }
    boolean isPrinted = out.toString().equals(STANDARD);
    if (!connector.isGiven() && !UriNames.isFar(in)) {
      if (in.equals(STANDARD)) {
        return convertInput(options, progress);
      }
      return isPrinted
          ? FileConverter.convert(Path.of(in), streams.out(), options, progress)
          : FileConverter.convert(Path.of(in), out, options, progress);
    }
    try (connector;
        H5File file = connector.open(in)) {
      return isPrinted
          ? FileConverter.convert(file, streams.out(), options, progress)
          : FileConverter.convert(file, out, options, progress);
    }
  }

  /** Every format is read at any position, a table twice: the input becomes a temporary file. */
  private ConversionReport convertInput(ConversionOptions options, FileConverter.Progress progress)
      throws IOException {
    Path folder = Files.createTempDirectory("hyperslab-");
    try (UnfinishedFile temporary = UnfinishedFile.ofTemporary(folder)) {
      Path file = temporary.path().resolve("standard-input");
      Files.copy(streams.in(), file);
      return out.toString().equals(STANDARD)
          ? FileConverter.convert(file, streams.out(), options, progress)
          : FileConverter.convert(file, out, options, progress);
    }
  }

  private static boolean yes(String word) {
    return switch (word) {
      case YES -> true;
      case NO -> false;
      default ->
          throw new InvalidUseException("--units-row: actual=" + word + ", expected=yes or no");
    };
  }

  private static Optional<FileKind> kind(String word) {
    return Optional.ofNullable(word).map(FileKind::ofOption);
  }
}
