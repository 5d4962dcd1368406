package org.hyperslab.tools.diff;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.TerminalProgress;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two files. */
@Command(
    name = "diff",
    header = "compares two files, or one object of each",
    description = {
      "Compares two files, or one object of each, and prints the differences. Takes h5diff's"
          + " options and prints in its format.",
      "Exit codes: 0 no differences, 1 differences, 2 something is missing or unreadable."
    })
public final class DiffCommand implements Callable<Integer> {

  private final Streams streams;

  @Mixin private final ConnectorOption connector;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Option(
      names = {"-r", "--report"},
      description = "prints every difference")
  private boolean report;

  @Option(
      names = {"-v", "--verbose"},
      arity = "0..1",
      parameterConsumer = Level.class,
      paramLabel = "N",
      description =
          "prints every difference and a list of all objects; level 1 and 2 add attributes, 3 adds"
              + " file names; write -vN or --verbose=N")
  private Integer verbose;

  @Option(
      names = {"-q", "--quiet"},
      description = "prints nothing")
  private boolean quiet;

  @Option(
      names = {"-c", "--compare"},
      description = "lists objects that cannot be compared")
  private boolean listNotComparable;

  @Option(
      names = {"-d", "--delta"},
      paramLabel = "D",
      description = "ignores differences of at most D")
  private Double delta;

  @Option(
      names = {"-p", "--relative"},
      paramLabel = "R",
      description = "ignores differences of at most R times the first value")
  private Double relative;

  @Option(
      names = "--use-system-epsilon",
      description = "ignores differences below the epsilon of the type")
  private boolean epsilon;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "C",
      description = "stops after C differences in each object")
  private Long most;

  @Option(
      names = {"-N", "--nan"},
      description = "does not treat NaN specially, which is faster")
  private boolean noNans;

  @Option(names = "--follow-symlinks", description = "compares the targets of links")
  private boolean follow;

  @Option(
      names = "--no-dangling-links",
      description = "with --follow-symlinks: a dangling link is an error")
  private boolean noDangling;

  @Option(
      names = "--exclude-path",
      paramLabel = "PATH",
      description = "ignores this object; may be repeated")
  private List<String> excludedPaths = new ArrayList<>();

  @Option(
      names = "--exclude-attribute",
      paramLabel = "PATH/NAME",
      description = "ignores this attribute; may be repeated")
  private List<String> excludedAttributes = new ArrayList<>();

  @Option(
      names = "--json",
      description =
          "prints what differs, without single elements, as a document of JSON; docs/commands.md"
              + " has its layout")
  private boolean json;

  @Option(
      names = {"-E", "--enable-error-stack"},
      description = "prints where an error occurred")
  private boolean errors;

  @Parameters(index = "0", paramLabel = "FILE1", description = "a file")
  private String firstName;

  @Parameters(index = "1", paramLabel = "FILE2", description = "another file")
  private String secondName;

  @Parameters(index = "2", arity = "0..1", paramLabel = "OBJECT1", description = "default: /")
  private String firstPath;

  @Parameters(index = "3", arity = "0..1", paramLabel = "OBJECT2", description = "default: OBJECT1")
  private String secondPath;

  /**
   * Parses the word after {@code -v} as its level only if it is a digit and no file has that name:
   * h5diff takes every separate word for the name of a file.
   */
  static final class Level implements CommandLine.IParameterConsumer {
    @Override
    public void consumeParameters(
        Stack<String> words, CommandLine.Model.ArgSpec option, CommandLine.Model.CommandSpec all) {
      boolean given = !words.isEmpty() && words.peek().length() == 1;
      int digit = given ? Character.digit(words.peek().charAt(0), 10) : -1;
      boolean isLevel = digit >= 0 && !Files.exists(Path.of(words.peek()));
      if (isLevel) {
        words.pop();
      }
      option.setValue(isLevel ? digit : 0);
    }
  }

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public DiffCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    if (noDangling && !follow) {
      streams.err().println("diff: --no-dangling-links needs --follow-symlinks");
      return 2;
    }
    if (wrong(delta) || wrong(relative) || (most != null && most <= 0)) {
      streams.err().println("diff: -d, -p and -n take positive numbers");
      return 2;
    }
    if (Stream.of(delta != null, relative != null, epsilon).filter(given -> given).count() > 1) {
      streams.err().println("diff: -d, -p and --use-system-epsilon exclude each other");
      return 2;
    }
    if (quiet && (report || verbose != null)) {
      streams.err().println("diff: -q excludes -r and -v");
      return 2;
    }
    if (json && (quiet || report || verbose != null)) {
      streams.err().println("diff: --json excludes -q, -r and -v");
      return 2;
    }
    String from = firstPath == null ? "/" : firstPath;
    String to = secondPath == null ? from : secondPath;
    DiffOptions options = options();
    int code = compare(from, to, options);
    if (json) {
      write(from, to, code, options.record);
    }
    return code;
  }

  private void write(String from, String to, int code, DiffRecord found) {
    JsonOutput out = new JsonOutput(streams.out()).open('{');
    out.member("file1", RemoteStores.shown(firstName)).member("object1", from);
    out.member("file2", RemoteStores.shown(secondName)).member("object2", to);
    out.member("result", code == 0 ? "same" : code == 1 ? "different" : "failed");
    found.write(out);
    out.close('}').end();
  }

  private int compare(String from, String to, DiffOptions options) {
    try (connector;
        H5File a = open(firstName);
        H5File b = open(secondName);
        TerminalProgress progress = TerminalProgress.start()) {
      return new FileDiff(
              a,
              b,
              sameFile(),
              options,
              streams.out(),
              streams.err(),
              objects -> progress.counted("comparing", objects))
          .compare(from, to);
    } catch (HyperslabException failure) {
      streams.err().println("diff: " + failure.getMessage());
      if (json) {
        options.record.error(failure.getMessage());
      }
      if (errors) {
        failure.printStackTrace(streams.err());
      }
      return 2;
    }
  }

  private static boolean wrong(Double number) {
    return number != null && !(number >= 0);
  }

  private H5File open(String name) {
    try {
      return connector.open(name);
    } catch (HyperslabException failure) {
      streams.err().println("diff: <" + RemoteStores.shown(name) + ">: unable to open file");
      throw failure;
    }
  }

  private boolean sameFile() {
    try {
      return Files.isSameFile(Path.of(firstName), Path.of(secondName));
    } catch (IOException | InvalidPathException notLocal) {
      return firstName.equals(secondName);
    }
  }

  private DiffOptions options() {
    DiffOptions options = new DiffOptions();
    options.record = json ? new DiffRecord() : null;
    options.report = report;
    options.verbose = verbose != null;
    options.level = verbose == null ? 0 : verbose;
    options.quiet = quiet;
    options.listNotComparable = listNotComparable;
    options.delta = delta == null ? Double.NaN : delta;
    options.relative = relative == null || relative == 0 ? Double.NaN : relative;
    options.systemEpsilon = epsilon;
    options.most = most == null ? Long.MAX_VALUE : most;
    options.equalNans = !noNans;
    options.followLinks = follow;
    options.noDangling = noDangling;
    options.excludedPaths.addAll(excludedPaths);
    options.excludedAttributes.addAll(excludedAttributes);
    return options;
  }
}
