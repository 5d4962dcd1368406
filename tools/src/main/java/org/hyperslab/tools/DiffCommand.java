package org.hyperslab.tools;

import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.tools.diff.FileComparison;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two files. */
@Command(
    name = "diff",
    description = {
      "Compares two files, or an object of each, and names what differs: objects, types, shapes,",
      "attributes, and the first element that differs of each dataset.",
      "Exit codes: 0 the same, 1 different, 2 something cannot be read."
    },
    mixinStandardHelpOptions = true)
final class DiffCommand implements Callable<Integer> {

  @Option(
      names = {"-q", "--quiet"},
      description = "prints nothing")
  private boolean quiet;

  @Parameters(index = "0", paramLabel = "FILE1", description = "a file")
  private String firstName;

  @Parameters(index = "1", paramLabel = "FILE2", description = "another file")
  private String secondName;

  @Parameters(index = "2", arity = "0..1", paramLabel = "OBJECT1", description = "default: /")
  private String firstPath;

  @Parameters(index = "3", arity = "0..1", paramLabel = "OBJECT2", description = "default: OBJECT1")
  private String secondPath;

  private boolean different;
  private boolean failed;

  @Override
  public Integer call() {
    String from = firstPath == null ? "/" : firstPath;
    String to = secondPath == null ? from : secondPath;
    try (H5File a = Hdf5.open(firstName);
        H5File b = Hdf5.open(secondName)) {
      new FileComparison(a, b, this::differs, this::fails).compare(from, to);
    } catch (HyperslabException failure) {
      fails(failure.getMessage());
    }
    return failed ? 2 : different ? 1 : 0;
  }

  private void differs(String text) {
    different = true;
    if (!quiet) {
      System.out.println(text);
    }
  }

  private void fails(String text) {
    failed = true;
    System.err.println("diff: " + text);
  }
}
