package org.hyperslab.tools;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.tools.example.ExampleCommand;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The {@code hyperslab} command. Exit codes: 0 done, 1 failed or different, 2 wrong use. */
public final class Main {

  /** Made only when needed: reading the annotations of all takes longer than listing a file. */
  private static final Map<String, Function<Streams, Object>> COMMANDS = commands();

  private static final String NO_DELIMITER = "\0";

  private Main() {}

  private static Map<String, Function<Streams, Object>> commands() {
    Map<String, Function<Streams, Object>> commands = new LinkedHashMap<>();
    commands.put("ls", LsCommand::new);
    commands.put("dump", DumpCommand::new);
    commands.put("diff", DiffCommand::new);
    commands.put("copy", CopyCommand::new);
    commands.put("repack", RepackCommand::new);
    commands.put("convert", ConvertCommand::new);
    commands.put("stat", StatCommand::new);
    commands.put("clear", streams -> new ClearCommand());
    commands.put("verify", VerifyCommand::new);
    commands.put("flash-io", FlashIoCommand::spec);
    commands.put("example", streams -> ExampleCommand.line(streams.out()));
    commands.put("stage", StageCommand::new);
    commands.put("ffbench", FfbenchCommand::new);
    commands.put("train", streams -> new TrainCommand());
    return Collections.unmodifiableMap(commands);
  }

  /** Runs one command and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(run(Streams.ofProcess(), arguments));
  }

  /**
   * Runs one command.
   *
   * @param streams where it writes to
   * @param arguments the name of the command, and its options and parameters
   * @return its exit code
   */
  static int run(Streams streams, String... arguments) {
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
    return line.execute(arguments);
  }

  private static String noSuchCommand(String name, CommandLine line) {
    String names =
        line.getSubcommands().entrySet().stream()
            .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden())
            .map(Map.Entry::getKey)
            .collect(Collectors.joining(", "));
    return "hyperslab: no such command: actual='"
        + name
        + "', expected=one of "
        + names
        + "; hyperslab help says what they do";
  }

  /** What stands before the command; without annotations, as {@link FlashIoCommand} is. */
  private static CommandSpec spec() {
    CommandSpec spec =
        CommandSpec.wrapWithoutInspection(new Main())
            .name("hyperslab")
            .versionProvider(new ProductVersion());
    spec.usageMessage().description("HDF5 files in pure Java.");
    StandardHelp.addTo(spec);
    return spec;
  }

  /** The command line with the command that is named, or with all of them. */
  private static CommandLine line(Streams streams, String... arguments) {
    // No option is a date or a database; finding their parsers costs every start 20 ms.
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
      dump.setEndOfOptionsDelimiter(NO_DELIMITER); // it looks for the end of options itself
    }
    streams.installIn(line);
    line.setExecutionExceptionHandler((failure, failed, parsed) -> report(failure, failed));
    line.setExpandAtFiles(false);
    return line;
  }

  private static int report(Exception failure, CommandLine line) {
    boolean expected = failure instanceof HyperslabException;
    line.getErr()
        .println(
            line.getCommandSpec().qualifiedName()
                + ": "
                + (expected ? failure.getMessage() : failure.toString()));
    if (!expected || System.getenv("HYPERSLAB_STACKTRACE") != null) {
      failure.printStackTrace(line.getErr());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }
}
