package org.hyperslab.tools;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What the launcher's AOT cache is recorded from: writes a small file or, with {@code --run}, does
 * what short commands and the ranks of a parallel job do.
 */
@Command(
    name = "train",
    hidden = true,
    description = "Writes a small file of many kinds of object, or runs commands on it.")
final class TrainCommand implements Callable<Integer> {

  private static final String RANKS = "2";

  @Parameters(paramLabel = "FILE", description = "the file to write")
  private Path file;

  @Option(
      names = "--run",
      paramLabel = "DIR",
      description = "list the file, then write and read the FLASH kernel's files in this folder")
  private Path folder;

  @Override
  public Integer call() {
    if (folder != null) {
      int listed = Main.run("ls", file.toString());
      String out = folder.toString();
      int written = Main.run("flash-io", "--connector", "mpiio", "--ranks", RANKS, "--out", out);
      return Math.max(listed, written);
    }
    try (H5File sample = Hdf5.create(file)) {
      sample.createDataset("numbers", new double[] {1, 2, 3});
      sample.createDataset("group/words", new String[] {"one", "two"});
      sample.root().setAttribute("title", "a sample");
      sample.root().createSoftLink("alias", "/numbers");
    }
    return 0;
  }
}
