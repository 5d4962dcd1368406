package org.hyperslab.tools.repack;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.UnfinishedFile;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.OutputFile;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.TerminalProgress;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Rewrites a file, with other layouts, filters or format versions if asked. */
@Command(
    name = "repack",
    header = "rewrites a file: reclaims space, changes layouts and filters",
    description = {
      "Copies the file IN to OUT, object by object. Unused space is not copied. Layouts, filters"
          + " and the format version of the copy can be changed. Takes h5repack's options."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class RepackCommand implements Callable<Integer> {

  private final Streams streams;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..2",
      paramLabel = "FILE",
      description = "the file to read and the file to write")
  private List<String> files = new ArrayList<>();

  @Mixin private final ConnectorOption connector;

  @Option(
      names = {"-i", "--infile"},
      paramLabel = "IN",
      description = "the file to read (old form)")
  private String in;

  @Option(
      names = {"-o", "--outfile"},
      paramLabel = "OUT",
      description = "the file to write (old form)")
  private String out;

  @Option(
      names = {"-v", "--verbose"},
      description = "prints each object with its filters and compression ratio")
  private boolean verbose;

  @Option(
      names = {"-n", "--native"},
      description = "stores numbers in the native types of this machine")
  private boolean nativeTypes;

  @Option(
      names = {"-L", "--latest"},
      description = "uses the newest format (HDF5 2.0); overrides --low and --high")
  private boolean latest;

  @Option(
      names = {"-j", "--low"},
      paramLabel = "BOUND",
      converter = FormatBound.class,
      description =
          "oldest format version to use: 0 or EARLIEST, 1 or V18, 2 or V110, 3 or V112, 4 or V114,"
              + " 5 or V200 (default: V110)")
  private FormatVersion low;

  @Option(
      names = {"-k", "--high"},
      paramLabel = "BOUND",
      converter = FormatBound.class,
      description = "newest format version to use, as for --low (default: what the content needs)")
  private FormatVersion high;

  @Option(
      names = {"-c", "--compact"},
      paramLabel = "L1",
      description = "maximum number of links stored in a group's header")
  private Integer compact;

  @Option(
      names = {"-d", "--indexed"},
      paramLabel = "L2",
      description = "minimum number of links stored in indexed form")
  private Integer indexed;

  @Option(
      names = "--merge",
      description = "replaces soft and external links by copies of what they lead to")
  private boolean merge;

  @Option(
      names = "--prune",
      description = "leaves soft and external links out; with --merge: those that lead nowhere")
  private boolean prune;

  @Option(
      names = {"-m", "--minimum"},
      paramLabel = "BYTES",
      defaultValue = "0",
      description = "does not filter datasets smaller than this (default: ${DEFAULT-VALUE})")
  private long smallest;

  @Option(
      names = {"-e", "--file"},
      paramLabel = "FILE",
      description = "reads -f and -l options from a file")
  private Path optionFile;

  @Option(
      names = {"-f", "--filter"},
      paramLabel = "[PATHS:]FILTER",
      description =
          "GZIP=1..9, SHUF, FLET, NBIT, SOFF=scale,IN|DS, SZIP=pixels,EC|NN, UD=id,flag,n,values,"
              + " NONE; PATHS are separated by commas; without them, applies to all datasets; may"
              + " be repeated")
  private List<String> filters = new ArrayList<>();

  @Option(
      names = {"-l", "--layout"},
      paramLabel = "[PATHS:]LAYOUT",
      description = "CHUNK=10x20, COMPA, CONTI; paths as for -f; may be repeated")
  private List<String> layouts = new ArrayList<>();

  @Option(
      names = {"-q", "--sort_by"},
      paramLabel = "INDEX",
      description =
          "copies links and attributes in order of name or creation_order (default, if tracked)")
  private String sortBy = "creation_order";

  @Option(
      names = {"-z", "--sort_order"},
      paramLabel = "ORDER",
      description = "ascending (default) or descending")
  private String sortOrder = "ascending";

  @Option(
      names = {"-E", "--enable-error-stack"},
      description = "prints where an error occurred")
  private boolean errors;

  @ArgGroup(exclusive = false, heading = "The file as a whole:%n", validate = false)
  private RepackFileOptions whole = new RepackFileOptions();

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public RepackCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() throws IOException {
    List<String> named = new ArrayList<>(files);
    if (in != null) {
      named.addFirst(in);
    }
    if (out != null) {
      named.add(out);
    }
    if (named.size() != 2) {
      throw new ParameterException(
          spec.commandLine(),
          "file names: actual="
              + named.size()
              + ", expected=2: the file to read and the file to write");
    }
    try {
      repack(named.get(0), named.get(1));
    } catch (HyperslabException failure) {
      if (errors) {
        failure.printStackTrace(spec.commandLine().getErr());
      }
      throw failure;
    }
    return 0;
  }

  private void repack(String from, String to) throws IOException {
    Path target = Path.of(to);
    OutputFile.requireOther(from, target);
    RepackPlan plan = plan();
    try (connector;
        UnfinishedFile unfinished =
            connector.isPlain(to) ? UnfinishedFile.of(target) : UnfinishedFile.inPlace(target);
        TerminalProgress progress = TerminalProgress.start()) {
      PrintWriter text = spec.commandLine().getOut();
      RepackListener listener =
          new RepackReport(progress, text, spec.commandLine().getErr(), verbose);
      long original;
      try (H5File source = connector.open(from)) {
        original = source.info().creation().userBlockBytes();
        CreateOptions creation = plan.creation(source.info().creation());
        String written = connector.isPlain(to) ? unfinished.path().toString() : to;
        try (H5File copy = connector.create(written, creation)) {
          unfinished.begun();
          new Repack(source, copy, plan, listener).run();
        }
      }
      whole.fillUserBlock(Path.of(from), original, unfinished.path());
      unfinished.finish();
    }
  }

  private RepackPlan plan() throws IOException {
    List<String> allFilters = new ArrayList<>(filters);
    List<String> allLayouts = new ArrayList<>(layouts);
    if (optionFile != null) {
      readOptions(allFilters, allLayouts);
    }
    return RepackPlanParser.parse(allFilters, allLayouts, smallest, fileRules(), objectRules());
  }

  private void readOptions(List<String> allFilters, List<String> allLayouts) throws IOException {
    List<String> words = List.of(Files.readString(optionFile).trim().split("\\s+"));
    for (int i = 0; i < words.size(); i += 2) {
      String value = i + 1 < words.size() ? words.get(i + 1) : "";
      switch (words.get(i)) {
        case "-f" -> allFilters.add(value);
        case "-l" -> allLayouts.add(value);
        default ->
            throw new InvalidUseException(
                "file of options: actual="
                    + words.get(i)
                    + ", expected=-f or -l, at="
                    + optionFile);
      }
    }
  }

  private RepackPlan.FileRules fileRules() throws IOException {
    FormatVersion newest = high != null ? high : FormatVersion.LATEST;
    boolean older = newest.compareTo(FormatVersion.V110) < 0;
    FormatVersion oldest = low != null ? low : older ? FormatVersion.EARLIEST : FormatVersion.V110;
    if (latest) {
      oldest = FormatVersion.LATEST;
      newest = FormatVersion.LATEST;
    }
    return whole.rules(oldest, newest);
  }

  private RepackPlan.ObjectRules objectRules() {
    Optional<IterationIndex> order =
        switch (sortBy) {
          case "name" -> Optional.of(IterationIndex.NAME);
          case "creation_order" -> Optional.empty();
          default ->
              throw new InvalidUseException(
                  "index to sort by: actual=" + sortBy + ", expected=name or creation_order");
        };
    if (!sortOrder.equals("ascending") && !sortOrder.equals("descending")) {
      throw new InvalidUseException(
          "order to sort in: actual=" + sortOrder + ", expected=ascending or descending");
    }
    return new RepackPlan.ObjectRules(
        order,
        sortOrder.equals("descending"),
        optional(compact),
        optional(indexed),
        nativeTypes,
        new RepackPlan.LinkRules(merge, prune));
  }

  private static OptionalInt optional(Integer value) {
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }
}
