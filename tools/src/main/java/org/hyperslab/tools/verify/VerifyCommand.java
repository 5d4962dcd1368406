package org.hyperslab.tools.verify;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.log.FileLogs;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads a file through two connectors and compares the results. */
@Command(
    name = "verify",
    header = "checks a file by reading it with two independent engines",
    description = {
      "Reads a file with Hyperslab and with jHDF, compares every object and element, and prints"
          + " where they disagree: one of the two engines is wrong there. What one of them could"
          + " not read is listed as not compared, with the engine and its reason.",
      "Exit codes: 0 everything compared, no differences; 1 differences; 2 no differences, but"
          + " one engine could not read everything, or the file has nothing to compare: no dataset,"
          + " attribute or committed type."
    },
    mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {

  private final Streams streams;

  @Option(
      names = "--first",
      paramLabel = "CONFIG",
      defaultValue = "native",
      description = "first connector (default: ${DEFAULT-VALUE})")
  private String first;

  @Option(
      names = "--second",
      paramLabel = "CONFIG",
      defaultValue = "jhdf",
      description = "second connector (default: ${DEFAULT-VALUE})")
  private String second;

  @Parameters(paramLabel = "FILE", description = "the file")
  private String name;

  private int differences;
  private int unreadable;
  private long compared;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public VerifyCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    tellOfLog();
    try (Session one = Hdf5.session(first);
        Session other = Hdf5.session(second);
        H5File a = one.open(name, OpenOptions.READ)) {
      compare(a, other);
    }
    new StatisticsCheck(this::different, text -> streams.out().println(text)).check(name);
    streams
        .out()
        .println(
            RemoteStores.shown(name)
                + ": "
                + verdict()
                + ", "
                + differences
                + " differences, "
                + unreadable
                + " places not compared");
    return differences > 0 ? 1 : unreadable > 0 || compared == 0 ? 2 : 0;
  }

  /** The file is complete without its log, but not new. */
  private void tellOfLog() {
    if (!RemoteStores.isRemote(name)
        && Files.exists(Path.of(name))
        && FileLogs.status(Path.of(name)).isPresent()) {
      streams
          .out()
          .println(name + " has a log that is not migrated: `hyperslab drain` brings it into it");
    }
  }

  private String verdict() {
    if (differences > 0) {
      return unreadable > 0 ? "mixed" : "different";
    }
    if (compared == 0) {
      return "nothing compared: no dataset, attribute or committed type that both engines read";
    }
    return unreadable > 0 ? "the same as far as compared" : "the same";
  }

  private void compare(H5File a, Session other) {
    H5File b;
    try {
      b = other.open(name, OpenOptions.READ);
    } catch (HyperslabException failure) {
      skipped(second + " could not read the file: " + failure.getMessage());
      return;
    }
    try (b) {
      FileComparison.Side one = new FileComparison.Side(first, a);
      FileComparison.Side two = new FileComparison.Side(second, b);
      FileComparison comparison = new FileComparison(one, two, this::different, this::skipped);
      comparison.compare("/", "/");
      compared = comparison.compared();
    }
  }

  private void different(String text) {
    differences++;
    streams.out().println("differs: " + text);
  }

  private void skipped(String text) {
    unreadable++;
    streams.out().println("not compared: " + text);
  }
}
