package org.hyperslab.tools;

import java.util.concurrent.Callable;
import org.hyperslab.Hdf5;
import org.hyperslab.model.OpenOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Clears the marks that a writer which died has left in a file. */
@Command(
    name = "clear",
    header = "clears the marks of a writer that died",
    description = {
      "Clears the consistency flags of a file, which say that a process has it open for writing.",
      "Options are those of h5clear. Exit codes: 0 cleared or nothing to clear, 1 failed, 2 wrong"
          + " use."
    })
final class ClearCommand implements Callable<Integer> {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "shows this help")
  private boolean help;

  @Option(
      names = {"-s", "--status"},
      required = true,
      description = "clears the consistency flags; make sure that no writer lives")
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
