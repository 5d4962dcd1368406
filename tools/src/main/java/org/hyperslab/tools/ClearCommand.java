package org.hyperslab.tools;

import java.util.concurrent.Callable;
import org.hyperslab.Hdf5;
import org.hyperslab.model.OpenOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes the mark that a crashed writer leaves in a file. */
@Command(
    name = "clear",
    header = "makes a file usable again after its writer crashed",
    description = {
      "A program that crashes while it has a file open for writing leaves a mark in it, and other"
          + " programs then refuse to open the file. This command removes the mark (the consistency"
          + " flags). Make sure first that no program is still writing the file.",
      "Like h5clear, it does nothing without -s: hyperslab clear -s FILE.",
      "Exit codes: 0 mark removed, or there was none; 1 failure; 2 wrong use."
    })
final class ClearCommand implements Callable<Integer> {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Option(
      names = {"-s", "--status"},
      required = true,
      description = "removes the mark; required")
  private boolean status;

  @Parameters(paramLabel = "FILE", description = "the file")
  private String file;

  ClearCommand() {}

  @Override
  public Integer call() {
    OpenOptions clearing = OpenOptions.EDIT.withProperty("clearConsistencyFlags", "true");
    Hdf5.open(file, clearing).close();
    return 0;
  }
}
