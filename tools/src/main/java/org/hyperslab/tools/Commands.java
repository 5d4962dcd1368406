package org.hyperslab.tools;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hyperslab.tools.bridge.BridgeCommand;
import org.hyperslab.tools.command.FailureReport;
import org.hyperslab.tools.command.ProductVersion;
import org.hyperslab.tools.command.StandardHelp;
import org.hyperslab.tools.command.StandardOutput;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.WrongUse;
import org.hyperslab.tools.convert.ConvertCommand;
import org.hyperslab.tools.convert.IndexCommand;
import org.hyperslab.tools.diff.DiffCommand;
import org.hyperslab.tools.dump.DumpCommand;
import org.hyperslab.tools.edit.AttrCommand;
import org.hyperslab.tools.edit.ClearCommand;
import org.hyperslab.tools.edit.CopyCommand;
import org.hyperslab.tools.edit.DeleteCommand;
import org.hyperslab.tools.edit.MkgrpCommand;
import org.hyperslab.tools.edit.MoveCommand;
import org.hyperslab.tools.explain.ExplainCommand;
import org.hyperslab.tools.kernel.ExampleCommand;
import org.hyperslab.tools.kernel.FfbenchCommand;
import org.hyperslab.tools.kernel.FlashIoCommand;
import org.hyperslab.tools.listing.LsCommand;
import org.hyperslab.tools.logs.DrainCommand;
import org.hyperslab.tools.logs.LogCommand;
import org.hyperslab.tools.machine.PlaceCommand;
import org.hyperslab.tools.machine.SimulateCommand;
import org.hyperslab.tools.machine.TuneCommand;
import org.hyperslab.tools.netcdf.NcdumpCommand;
import org.hyperslab.tools.netcdf.NcgenCommand;
import org.hyperslab.tools.plot.PlotCommand;
import org.hyperslab.tools.query.QueryCommand;
import org.hyperslab.tools.repack.RepackCommand;
import org.hyperslab.tools.serve.ServeCommand;
import org.hyperslab.tools.serve.ViewCommand;
import org.hyperslab.tools.stage.StageCommand;
import org.hyperslab.tools.stat.StatCommand;
import org.hyperslab.tools.verify.VerifyCommand;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The table of all commands. A new command is a class in the package that its name says, and a row
 * here.
 *
 * <p>Thread rule: immutable.
 */
final class Commands {

  /** By name; created on demand, because reading the annotations of all takes long. */
  private static final Map<String, Function<Streams, Object>> ALL = all();

  private static final String NO_DELIMITER = "\0";

  private Commands() {}

  /** Returns the factories. They are lambdas, because a constructor reference loads its class. */
  private static Map<String, Function<Streams, Object>> all() {
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
    commands.put("query", streams -> new QueryCommand(streams));
    commands.put("index", streams -> new IndexCommand(streams));
    commands.put("plot", streams -> new PlotCommand(streams));
    commands.put("stat", streams -> new StatCommand(streams));
    commands.put("clear", streams -> new ClearCommand(streams));
    commands.put("verify", streams -> new VerifyCommand(streams));
    commands.put("log", streams -> new LogCommand(streams));
    commands.put("drain", streams -> new DrainCommand(streams));
    commands.put("explain", streams -> new ExplainCommand(streams));
    commands.put("flash-io", streams -> FlashIoCommand.spec(streams));
    commands.put("example", streams -> ExampleCommand.line(streams.out()));
    commands.put("stage", streams -> new StageCommand(streams));
    commands.put("ffbench", streams -> new FfbenchCommand(streams));
    commands.put("place", streams -> new PlaceCommand(streams));
    commands.put("tune", streams -> TuneCommand.line(streams.out()));
    commands.put("simulate", streams -> SimulateCommand.line(streams.out()));
    commands.put("bridge", streams -> new BridgeCommand(streams));
    commands.put("completion", streams -> new CompletionCommand(streams, () -> whole(streams)));
    commands.put("man", streams -> new ManCommand(streams, () -> whole(streams)));
    commands.put("train", streams -> new TrainCommand(Main::run));
    return Collections.unmodifiableMap(commands);
  }

  /** {@return the names of the commands that help lists} */
  static Iterator<String> names() {
    return ALL.keySet().stream().filter(name -> !name.equals("train")).iterator();
  }

  /**
   * {@return the command line with all commands}
   *
   * @param streams receive the output of the commands
   */
  static CommandLine whole(Streams streams) {
    return line(streams);
  }

  /**
   * {@return the command line with the named command, or with all if none is named}
   *
   * @param streams receive the output of the commands
   * @param arguments the words, of which the first names a command
   */
  static CommandLine line(Streams streams, String... arguments) {
    // No option is a date or a database type; finding parsers for them would lengthen every start.
    System.setProperty("picocli.converters.excludes", "java\\.(sql|time)\\..*");
    CommandLine line = new CommandLine(spec());
    Function<Streams, Object> named = arguments.length == 0 ? null : ALL.get(arguments[0]);
    if (named == null) {
      ALL.forEach((name, command) -> line.addSubcommand(name, command.apply(streams)));
      line.addSubcommand(new CommandLine.HelpCommand());
    } else {
      line.addSubcommand(arguments[0], named.apply(streams));
    }
    if (line.getSubcommands().get("dump") instanceof CommandLine dump) {
      dump.setEndOfOptionsDelimiter(NO_DELIMITER); // it handles the end of options itself
    }
    streams.installIn(line);
    line.setExecutionExceptionHandler((failure, failed, parsed) ->
        FailureReport.report(failure, failed.getCommandSpec().qualifiedName(), failed.getErr()));
    line.setParameterExceptionHandler(WrongUse::report);
    line.setExecutionStrategy(Commands::execute);
    line.setExpandAtFiles(false);
    line.getSubcommands().values().forEach(StandardHelp::completeVersion);
    return line;
  }

  /** Returns the command without its subcommands. */
  private static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("hyperslab").versionProvider(new ProductVersion());
    spec.usageMessage().description("HDF5 files in pure Java.");
    StandardHelp.addTo(spec);
    return spec;
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

  /** Runs what was parsed; picocli reports what help cannot be written to like other failures. */
  private static int execute(CommandLine.ParseResult parsed) {
    try {
      return new CommandLine.RunLast().execute(parsed);
    } catch (StandardOutput.Failure failure) {
      CommandLine line = parsed.commandSpec().commandLine();
      throw new CommandLine.ExecutionException(line, failure.getMessage(), failure);
    }
  }
}
