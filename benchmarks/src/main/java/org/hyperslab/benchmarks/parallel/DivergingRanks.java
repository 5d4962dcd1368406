package org.hyperslab.benchmarks.parallel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.plugins.mpiio.MpiioConnector;
import org.hyperslab.plugins.mpiio.MpiioOptions;

/**
 * One rank of programs of collective HDF5 calls in which ranks may diverge, as {@code
 * src/main/c/divergence.c} has it for parallel libhdf5. All programs are run by one job, each on a
 * communicator of its own.
 *
 * <p>Arguments: a folder with the programs {@code p0}, {@code p1} and so on, each with a line for
 * each rank; how many; the deadline in seconds. Prints {@code program P rank R: OUTCOME} for each.
 */
final class DivergingRanks {

  private static final int COUNT = 16;

  private final Communicator comm;
  private final H5File file;
  private final Dataset first;
  private final Dataset second;
  private final Dataset growing;

  private DivergingRanks(Communicator comm, H5File file) {
    this.comm = comm;
    this.file = file;
    long all = (long) comm.size() * COUNT;
    this.first = file.createDataset("d", int.class, all);
    this.second = file.createDataset("e", int.class, all);
    this.growing = chunked("c");
  }

  private Dataset chunked(String name) {
    return file.datasetBuilder(name)
        .type(int.class)
        .shape(COUNT)
        .maxShape(Dataspace.UNLIMITED)
        .options(options -> options.chunked(COUNT))
        .create();
  }

  public static void main(String[] arguments) throws IOException {
    Communicator world = Worlds.current();
    Path folder = Path.of(arguments[0]);
    int programs = Integer.parseInt(arguments[1]);
    MpiioOptions options =
        MpiioOptions.DEFAULT.withHints(Hints.parse("hyperslab_deadline=" + arguments[2]));
    for (int program = 0; program < programs; program++) {
      List<String> lines = Files.readAllLines(folder.resolve("p" + program));
      Communicator ranks = world.duplicate();
      String outcome;
      try {
        run(ranks, options, folder.resolve("ours" + program + ".h5"), lines.get(world.rank()));
        outcome = "ended";
      } catch (HyperslabException typed) {
        outcome = "typed " + typed.getClass().getSimpleName() + " " + typed.getMessage();
      }
      System.out.println("program " + program + " rank " + world.rank() + ": " + outcome);
      world.barrier(); // however far each came
    }
  }

  @SuppressWarnings("resource") // a rank that leaves does not close what it has opened
  private static void run(Communicator comm, MpiioOptions options, Path path, String line) {
    Session session = Hdf5.session(MpiioConnector.over(comm, options));
    H5File file = session.create(path);
    HyperslabException failure = null;
    try {
      DivergingRanks ranks = new DivergingRanks(comm, file);
      for (String word : line.split(" ")) {
        if (word.equals("leave")) {
          return;
        }
        ranks.call(word);
      }
    } catch (HyperslabException typed) {
      failure = typed;
    }
    try {
      file.close();
    } catch (HyperslabException closing) {
      failure = failure == null ? closing : failure;
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void call(String word) {
    String[] parts = word.split(":");
    Dataset dataset = parts.length > 1 && parts[1].equals("e") ? second : first;
    Selection mine = Selection.box(new long[] {(long) comm.rank() * COUNT}, new long[] {COUNT});
    switch (parts[0]) {
      case "write" -> dataset.write(mine, new int[COUNT], TransferOptions.COLLECTIVE);
      case "read" -> dataset.readInto(mine, new int[COUNT], TransferOptions.COLLECTIVE);
      case "flush" -> file.flush();
      case "extent" -> growing.setExtent(Long.parseLong(parts[1]));
      case "attribute" -> first.setAttribute(parts[1], 1);
      case "group" -> file.createGroup(parts[1]);
      case "dataset" -> chunked("n" + parts[1]).close();
      case "late" -> pause(Long.parseLong(parts[1]));
      default -> throw new IllegalArgumentException(word);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
