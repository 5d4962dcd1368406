package org.hyperslab.tools.logs;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.hyperslab.plugins.log.FileLogs;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells whether files have logs that are to be migrated. */
@Command(
    name = "log",
    header = "tells whether a file has a log that is to be migrated",
    description = {
      "Prints a line for each file: whether the connector log (docs/log.md) has left a log of it,"
          + " where it is, and whether a program uses it.",
      "Exit codes: 0 no file has a log, 1 one has, 2 wrong use."
    })
public final class LogCommand implements Callable<Integer> {

  private final Streams streams;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Option(
      names = {"-s", "--status"},
      description = "prints the state of the log, as without this option")
  private boolean status;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "the files")
  private List<Path> files;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public LogCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    int code = 0;
    for (Path file : files) {
      Optional<FileLogs.Status> log = FileLogs.status(file);
      code = log.isPresent() ? 1 : code;
      streams.out().println(file + ": " + log.map(LogCommand::text).orElse("no log"));
    }
    return code;
  }

  private static String text(FileLogs.Status log) {
    return (log.logBytes() < 0 ? "missing log " : log.logBytes() + " bytes in ")
        + log.log()
        + (log.isInUse() ? ", in use" : ", not in use")
        + (log.isEdited() ? "; the file was edited by another program since" : "");
  }
}
