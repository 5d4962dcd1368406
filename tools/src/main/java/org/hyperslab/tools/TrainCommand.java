package org.hyperslab.tools;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes a small file for the run in which the launcher's AOT cache is recorded. */
@Command(
    name = "train",
    hidden = true,
    description = "Writes a small file of many kinds of object.")
final class TrainCommand implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", description = "the file to write")
  private Path file;

  @Override
  public Integer call() {
    try (H5File sample = Hdf5.create(file)) {
      sample.createDataset("numbers", new double[] {1, 2, 3});
      sample.createDataset("group/words", new String[] {"one", "two"});
      sample.root().setAttribute("title", "a sample");
      sample.root().createSoftLink("alias", "/numbers");
    }
    return 0;
  }
}
