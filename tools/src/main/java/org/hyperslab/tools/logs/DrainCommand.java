package org.hyperslab.tools.logs;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.log.FileLogs;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Migrates logs that programs have left to their files. */
@Command(
    name = "drain",
    header = "migrates the log of a file to the file",
    description = {
      "Brings what the connector log (docs/log.md) has left in a log into the file, and deletes the"
          + " log. The file is replaced in one step; interrupted, the command can be begun again."
          + " Does nothing for a file without a log.",
      "Exit codes: 0 success, 1 a log cannot be migrated; it is kept, 2 wrong use."
    })
public final class DrainCommand implements Callable<Integer> {

  private final Streams streams;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Option(
      names = "--overwrite",
      description = "replaces the file even if another program has edited it since the log began")
  private boolean overwrite;

  @Option(
      names = "--discard",
      description = "keeps the file as it is, and gives up what is in its log only")
  private boolean discard;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "the files")
  private List<Path> files;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public DrainCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    if (overwrite && discard) {
      throw new InvalidUseException(
          "options: actual=--overwrite and --discard, expected=one of them");
    }
    for (Path file : files) {
      streams.out().println(discard ? discarded(file) : drained(file));
    }
    return 0;
  }

  private String drained(Path file) {
    FileLogs.Conflict conflict = overwrite ? FileLogs.Conflict.OVERWRITE : FileLogs.Conflict.REFUSE;
    return FileLogs.drain(file, conflict).orElse(file + ": no log");
  }

  private static String discarded(Path file) {
    return file + (FileLogs.discard(file) ? ": log deleted" : ": no log");
  }
}
