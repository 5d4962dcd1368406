package org.hyperslab.tools.listing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.FailureReport;
import org.hyperslab.tools.command.ObjectAddress;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.UriNames;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the links of groups. */
@Command(
    name = "ls",
    header = "lists the contents of files",
    description = {
      "Lists the links of groups, one on each line. Takes h5ls's options.",
      "Exit codes: 0 success, 1 something is missing or unreadable, 2 wrong use."
    })
public final class LsCommand implements Callable<Integer> {

  private final Streams streams;

  private static final String UNKNOWN_WIDTH = "";

  @Mixin private final ConnectorOption connector;

  @Option(
      names = {"-h", "-?", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Option(
      names = {"-a", "--address"},
      description =
          "with -v: prints the addresses of raw data, counted from the end of a user block")
  private boolean addresses;

  @Option(
      names = {"-d", "--data"},
      description = "prints the elements of datasets; with -v, those of attributes too")
  private boolean data;

  @Option(
      names = {"-e", "--errors", "--enable-error-stack"},
      description = "prints where an error occurred")
  private boolean errors;

  @Option(
      names = "--follow-symlinks",
      description = "describes the targets of soft and external links")
  private boolean follow;

  @Option(
      names = {"-E", "--external"},
      description = "describes the targets of external links")
  private boolean followExternal;

  @Option(
      names = "--no-dangling-links",
      description = "with --follow-symlinks: a dangling link is an error")
  private boolean noDangling;

  @Option(
      names = {"-f", "--full"},
      description = "prints full paths instead of names")
  private boolean full;

  @Option(
      names = {"-g", "--group"},
      description = "describes a group itself, not its members")
  private boolean group;

  @Option(
      names = {"-l", "--label"},
      description = "with -d: prints the names of compound members")
  private boolean labels;

  @Option(
      names = {"-r", "--recursive"},
      description = "lists all groups below too, with full paths")
  private boolean recursive;

  @Option(
      names = {"-s", "--string"},
      description = "with -d: prints one-byte integers as characters")
  private boolean characters;

  @Option(
      names = {"-S", "--simple"},
      description = "prints output that is easy to parse")
  private boolean simple;

  @Option(
      names = {"-w", "--width"},
      paramLabel = "N",
      defaultValue = UNKNOWN_WIDTH,
      description = "width of the output in columns; 0: one element on each line")
  private String width;

  @Option(
      names = {"-v", "--verbose"},
      description = "prints attributes, types and storage")
  private boolean[] verbose = {};

  @Option(
      names = {"-x", "--hexdump"},
      description = "with -d: prints elements as hexadecimal bytes")
  private boolean hexadecimal;

  @Option(
      names = "--json",
      description =
          "prints all properties as a document of JSON, with -d elements too; docs/commands.md has"
              + " its layout")
  private boolean json;

  @Parameters(paramLabel = "FILE[/OBJECT]", arity = "1..*", description = "what to list")
  private List<String> names;

  private JsonListing document;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public LsCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    if (recursive && group) {
      streams.err().println("ls: -r and -g exclude each other");
      return CommandLine.ExitCode.USAGE;
    }
    if (noDangling && !follow) {
      streams.err().println("ls: --no-dangling-links needs --follow-symlinks");
      return CommandLine.ExitCode.USAGE;
    }
    if (json && (follow || followExternal)) {
      streams.err().println("ls: --json describes links, and excludes following them");
      return CommandLine.ExitCode.USAGE;
    }
    ListingOptions options = options();
    document = json ? new JsonListing(streams, options) : null;
    int code = 0;
    try (connector) {
      for (String name : names) {
        code |= list(name, options);
      }
    }
    if (json) {
      document.end();
    }
    return code;
  }

  private ListingOptions options() {
    ListingOptions options = new ListingOptions();
    options.recursive = recursive;
    options.fullNames = full || recursive;
    options.groupItself = group;
    options.verbose = verbose.length > 0;
    options.addresses = addresses;
    options.data = data;
    options.hexadecimal = hexadecimal;
    options.characters = characters;
    options.labels = labels;
    options.simple = simple;
    options.followLinks = follow;
    options.followExternal = followExternal;
    options.showFile = names.size() > 1;
    options.width = columns();
    return options;
  }

  private int columns() {
    String text = width.isEmpty() ? System.getenv("COLUMNS") : width;
    if (text == null) {
      return 80;
    }
    try {
      int columns = Integer.parseInt(text);
      if (columns >= 0) {
        return columns;
      }
    } catch (NumberFormatException wrong) {
      if (width.isEmpty()) {
        return 80;
      }
    }
    throw new InvalidUseException("width: actual=" + width + ", expected a number of columns or 0");
  }

  private static boolean isFile(String name) {
    try {
      return Files.isRegularFile(Path.of(name));
    } catch (InvalidPathException notLocal) {
      return false;
    }
  }

  /** Returns whether a server did not answer, so that it would not for another name either. */
  private static boolean isUnreached(HyperslabException failure) {
    return failure instanceof StorageException && failure.getCause() instanceof IOException;
  }

  /** Lists a remote folder; returns whether it is one. */
  private boolean isListed(String name, ListingOptions options) {
    if (json || connector.isGiven() || !UriNames.isFolder(name)) {
      return false;
    }
    try {
      return new FolderListing(streams, options).list(name, connector.properties());
    } catch (NotFoundException notAFolder) {
      return false; // it may be an object of a file
    }
  }

  /** Returns the length of the name of the outermost Zarr store that holds a group or an array. */
  private int outermost(String store) {
    int split = store.length();
    for (int above = split; above > 0; above = store.lastIndexOf('/', above - 1)) {
      split = connector.isStore(store.substring(0, above)) ? above : split;
    }
    return split;
  }

  /**
   * Lists one name: a remote folder, or the longest part of it that is a file, and the path in that
   * file.
   */
  private int list(String name, ListingOptions options) {
    if (isListed(name, options)) {
      return 0;
    }
    H5File opened = null;
    HyperslabException first = null;
    int split = name.length();
    while (opened == null && split > 0) {
      try {
        String file = name.substring(0, split);
        split = connector.isStore(file) ? outermost(file) : split;
        opened = connector.open(name.substring(0, split));
      } catch (HyperslabException failure) {
        // The failure of the longest part that exists is the most informative.
        boolean exists = isFile(name.substring(0, split));
        first = first == null || exists ? failure : first;
        boolean ends = exists || isUnreached(failure);
        split = ends ? 0 : name.lastIndexOf('/', split - 1);
      }
    }
    if (opened == null) {
      if (first instanceof NotFoundException && isListed(name + "/", options)) {
        return 0;
      }
      String shown = RemoteStores.shown(name);
      String hint =
          ObjectAddress.withSlash(name).map(meant -> "; did you mean " + meant + "?").orElse("");
      String reason = FailureReport.inWords(first.getMessage());
      streams.err().println(shown + ": unable to open file: " + reason + hint);
      if (json) {
        document.unopened(shown, first.getMessage());
      }
      return 1;
    }
    try (H5File file = opened) {
      if (json) {
        return document.list(file, split == name.length() ? "/" : name.substring(split)) ? 0 : 1;
      }
      if (options.verbose) {
        streams.out().println("Opened \"" + file.name() + "\" with sec2 driver.");
      }
      String path = split == name.length() ? "/" : name.substring(split);
      GroupListing listing = new GroupListing(streams.out(), streams.err(), options, file);
      boolean complete = listing.list(path);
      return complete && !(noDangling && listing.foundDangling()) ? 0 : 1;
    } catch (HyperslabException failure) {
      streams.err().println(RemoteStores.shown(name) + ": " + failure.getMessage());
      if (errors) {
        failure.printStackTrace(streams.err());
      }
      return 1;
    }
  }
}
