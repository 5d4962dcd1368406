package org.hyperslab.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.store.FileStore;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code hyperslab} command. Exit codes: 0 success, 1 failure or difference, 2 wrong use.
 *
 * <p>Thread rule: {@link #run} may be called by several threads at a time.
 */
public final class Main {

  /**
   * The commands by name, created on demand: reading the annotations of all takes longer than
   * listing a file.
   */
  private static final Map<String, Function<Streams, Object>> COMMANDS = commands();

  private static final Pattern JAVA_NAME =
      Pattern.compile("\\bjavax?(\\.[a-z]\\w*)+\\.[A-Z]\\w*(Exception|Error): ");

  private static final String NO_DELIMITER = "\0";

  private Main() {}

  /**
   * Returns the factories of commands. They are lambdas, because a constructor reference loads its
   * class.
   */
  private static Map<String, Function<Streams, Object>> commands() {
    Map<String, Function<Streams, Object>> commands = new LinkedHashMap<>();
    commands.put("ls", streams -> new LsCommand(streams));
    commands.put("dump", streams -> new DumpCommand(streams));
    commands.put("diff", streams -> new DiffCommand(streams));
    commands.put("copy", streams -> new CopyCommand(streams));
    commands.put("attr", streams -> AttrCommand.line(streams));
    commands.put("mkgrp", streams -> new MkgrpCommand(streams));
    commands.put("delete", streams -> new DeleteCommand(streams));
    commands.put("move", streams -> new MoveCommand(streams));
    commands.put("repack", streams -> new RepackCommand(streams));
    commands.put("convert", streams -> new ConvertCommand(streams));
    commands.put("view", streams -> new ViewCommand(streams));
    commands.put("serve", streams -> new ServeCommand(streams));
    commands.put("ncdump", streams -> new NcdumpCommand(streams));
    commands.put("ncgen", streams -> new NcgenCommand(streams));
    commands.put("index", streams -> new IndexCommand(streams));
    commands.put("plot", PlotCommand::new);
    commands.put("stat", streams -> new StatCommand(streams));
    commands.put("clear", streams -> new ClearCommand(streams));
    commands.put("verify", streams -> new VerifyCommand(streams));
    commands.put("flash-io", streams -> FlashIoCommand.spec(streams));
    commands.put("example", streams -> ExampleCommand.line(streams.out()));
    commands.put("stage", streams -> new StageCommand(streams));
    commands.put("ffbench", streams -> new FfbenchCommand(streams));
    commands.put("place", streams -> new PlaceCommand(streams));
    commands.put("tune", streams -> TuneCommand.line(streams.out()));
    commands.put("simulate", streams -> SimulateCommand.line(streams.out()));
    commands.put("bridge", streams -> new BridgeCommand(streams));
    commands.put("completion", streams -> new CompletionCommand(streams));
    commands.put("man", streams -> new ManCommand(streams));
    commands.put("train", streams -> new TrainCommand());
    return Collections.unmodifiableMap(commands);
  }

  /**
   * Runs one command and ends the process with its exit code.
   *
   * @param arguments the name of the command, and its options and parameters
   */
  public static void main(String[] arguments) {
    if (arguments.length > 1) {
      FileStore.linkAhead();
    }
    leaveFilesOnInterrupt();
    System.exit(runAndFlush(Streams.ofProcess(), arguments));
  }

  /** Does not complete the files of a command that is interrupted, whose output is deleted. */
  private static void leaveFilesOnInterrupt() {
    String seconds = "hyperslab.exitSeconds";
    if (System.getProperty(seconds) == null) {
      System.setProperty(seconds, "0");
    }
  }

  /**
   * Runs one command, and reports if its output could not be written.
   *
   * @param streams receive its output
   * @param arguments the name of the command, and its options and parameters
   * @return its exit code
   */
  static int runAndFlush(Streams streams, String... arguments) {
    try {
      int code = run(streams, arguments);
      streams.out().flush();
      return code;
    } catch (StandardOutput.Failure failure) {
      String command = arguments.length == 0 ? "" : " " + arguments[0];
      PrintWriter err = new PrintWriter(streams.err(), true, streams.err().charset());
      return failure.report("hyperslab" + command, err);
    }
  }

  /**
   * Runs one command.
   *
   * @param streams receive its output
   * @param given the name of the command, and its options and parameters; names may be spelled as
   *     commands print them
   * @return its exit code
   */
  static int run(Streams streams, String... given) {
    String[] arguments = helpAsOption(given);
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = NameBytes.ofSpelling(arguments[i]);
    }
    OptionalInt plain = PlainCommand.run(streams, arguments);
    if (plain.isPresent()) {
      return plain.getAsInt();
    }
    CommandLine line = line(streams, arguments);
    if (arguments.length == 0) {
      line.usage(streams.out());
      return CommandLine.ExitCode.USAGE;
    }
    String first = arguments[0];
    if (!first.startsWith("-") && !line.getSubcommands().containsKey(first)) {
      streams.err().println(noSuchCommand(first, line));
      return CommandLine.ExitCode.USAGE;
    }
    if (isHelpOf(given)) {
      CommandLine last = line.getSubcommands().get(first);
      for (int i = 2; i < given.length && !given[i].startsWith("-"); i++) {
        CommandLine next = last.getSubcommands().get(given[i]);
        if (next == null) {
          streams.err().println(noSuchCommand(given[i], last));
          return CommandLine.ExitCode.USAGE;
        }
        last = next;
      }
    }
    return line.execute(arguments);
  }

  private static boolean isHelpOf(String... given) {
    return given.length > 1
        && given[0].equals("help")
        && !given[1].startsWith("-")
        && !given[1].equals("help");
  }

  /**
   * Returns {@code COMMAND … --help} for {@code help COMMAND …}, a copy of other words: picocli's
   * command takes the name of a subcommand for that of a command, and any name.
   */
  private static String[] helpAsOption(String... given) {
    if (!isHelpOf(given)) {
      return given.clone();
    }
    String[] words = Arrays.copyOfRange(given, 1, given.length + 1);
    words[words.length - 1] = "--help";
    return words;
  }

  /**
   * {@return what to say about a command that does not exist}
   *
   * @param name its name
   * @param line the command to which it would belong
   */
  static String noSuchCommand(String name, CommandLine line) {
    List<String> names =
        line.getSubcommands().entrySet().stream()
            .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden())
            .map(Map.Entry::getKey)
            .toList();
    if (names.isEmpty()) {
      return line.getCommandSpec().qualifiedName()
          + ": actual='"
          + name
          + "' behind it, expected=nothing, for it has no commands";
    }
    // picocli's measure of nearness ignores the order of letters.
    String near =
        new UnmatchedArgumentException(line, List.of(name))
            .getSuggestions().stream()
                .filter(each -> names.contains(each) && each.charAt(0) == name.charAt(0))
                .collect(Collectors.joining(" or "));
    return "hyperslab: no such command: actual='"
        + name
        + "', expected=one of "
        + String.join(", ", names)
        + (near.isEmpty() ? ";" : "; did you mean " + near + "?")
        + " 'hyperslab help' describes them";
  }

  /**
   * {@return the command without its subcommands, described without annotations like {@link
   * FlashIoCommand}}
   */
  private static CommandSpec spec() {
    CommandSpec spec =
        CommandSpec.wrapWithoutInspection(new Main())
            .name("hyperslab")
            .versionProvider(new ProductVersion());
    spec.usageMessage().description("HDF5 files in pure Java.");
    StandardHelp.addTo(spec);
    return spec;
  }

  /** {@return the names of the commands that help lists} */
  static Iterator<String> names() {
    return COMMANDS.keySet().stream().filter(name -> !name.equals("train")).iterator();
  }

  /** {@return the command line with all commands} */
  static CommandLine whole(Streams streams) {
    return line(streams);
  }

  /** {@return the command line with the named subcommand, or with all if none is named} */
  private static CommandLine line(Streams streams, String... arguments) {
    // No option is a date or a database type; finding parsers for them costs 20 ms at every start.
    System.setProperty("picocli.converters.excludes", "java\\.(sql|time)\\..*");
    CommandLine line = new CommandLine(spec());
    Function<Streams, Object> named = arguments.length == 0 ? null : COMMANDS.get(arguments[0]);
    if (named == null) {
      COMMANDS.forEach((name, command) -> line.addSubcommand(name, command.apply(streams)));
      line.addSubcommand(new CommandLine.HelpCommand());
    } else {
      line.addSubcommand(arguments[0], named.apply(streams));
    }
    if (line.getSubcommands().get("dump") instanceof CommandLine dump) {
      dump.setEndOfOptionsDelimiter(NO_DELIMITER); // it handles the end of options itself
    }
    streams.installIn(line);
    line.setExecutionExceptionHandler((failure, failed, parsed) ->
        report(failure, failed.getCommandSpec().qualifiedName(), failed.getErr()));
    line.setParameterExceptionHandler(WrongUse::report);
    line.setExecutionStrategy(Main::execute);
    line.setExpandAtFiles(false);
    line.getSubcommands().values().forEach(StandardHelp::completeVersion);
    return line;
  }

  /** Runs what was parsed; picocli reports what help cannot be written to like other failures. */
  private static int execute(CommandLine.ParseResult parsed) {
    try {
      return new CommandLine.RunLast().execute(parsed);
    } catch (StandardOutput.Failure failure) {
      CommandLine line = parsed.commandSpec().commandLine();
      throw new CommandLine.ExecutionException(line, failure.getMessage(), failure);
    }
  }

  /**
   * Returns the message of a failure and, if it does not contain it, that of the failure of this
   * library which led to it: a file that is unusable says so at the next call, not why.
   */
  private static String withRoot(Exception failure) {
    Throwable root = failure;
    while (root.getCause() instanceof HyperslabException deeper) {
      root = deeper;
    }
    String text = failure.getMessage();
    String reason = root.getMessage();
    return reason == null || text.contains(reason) ? text : text + "; because of: " + reason;
  }

  /**
   * {@return a message without the names of Java's exceptions, which say nothing to users}
   *
   * @param message the message
   */
  static String inWords(String message) {
    return message == null
        ? "no reason is known"
        : JAVA_NAME
            .matcher(message)
            .replaceAll("")
            .replace("No space left on device", "no space left on the device");
  }

  /** {@return the failure of input or output that caused an exception; null if there is none} */
  private static IOException inputOrOutput(Exception failure) {
    return switch (failure) {
      case IOException known -> known;
      case UncheckedIOException wrapper -> wrapper.getCause();
      default -> null;
    };
  }

  private static String message(IOException failure) {
    if (!(failure instanceof FileSystemException known)) {
      return "file system: actual=" + failure.getMessage() + ", expected=success";
    }
    String reason =
        switch (known) {
          case NoSuchFileException _ -> "no such file or folder";
          case AccessDeniedException _ -> "access denied";
          case FileAlreadyExistsException _ -> "exists already";
          default -> known.getReason() == null ? known.toString() : known.getReason();
        };
    return "file system: actual=" + reason + ", at=" + known.getFile();
  }

  /**
   * Prints what a command failed by.
   *
   * @param failure the exception
   * @param command the command's name, with that of the program
   * @param err receives the message
   * @return the exit code
   */
  static int report(Exception failure, String command, PrintWriter err) {
    if (failure instanceof StandardOutput.Failure incomplete) {
      return incomplete.report(command, err);
    }
    boolean expected = failure instanceof HyperslabException || inputOrOutput(failure) != null;
    String message =
        failure instanceof HyperslabException
            ? withRoot(failure)
            : expected ? message(inputOrOutput(failure)) : failure.toString();
    err.println(command + ": " + NameBytes.spelling(inWords(message)));
    if (!expected || System.getenv("HYPERSLAB_STACKTRACE") != null) {
      failure.printStackTrace(err);
    }
    return CommandLine.ExitCode.SOFTWARE;
  }
}
