package org.hyperslab.tools.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.ThisMachine;
import org.hyperslab.machine.mapping.ApplicationMatrix;
import org.hyperslab.machine.mapping.ArchitectureMatrix;
import org.hyperslab.machine.mapping.MatrixText;
import org.hyperslab.machine.mapping.PlacementMethod;
import org.hyperslab.machine.mapping.ProcessPlacement;
import org.hyperslab.tools.command.OutputFile;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Chooses processors for the ranks of a job. */
@Command(
    name = "place",
    header = "chooses processors for the ranks of a job",
    description = {
      "Places ranks that exchange much data on processors that are close to each other. Prints "
          + "the placement and the traffic that it saves, and writes files for mpirun.",
      "Exit codes: 0 success, 1 failure, 2 wrong use."
    })
public final class PlaceCommand implements Callable<Integer> {

  private static final long MAX_BYTES = 1L << 28;

  private final Streams streams;

  /** The source of the application matrix: exactly one of these. */
  static final class Application {
    @Option(
        names = "--grid",
        paramLabel = "AxBxC",
        description = "a grid of processes in which the ranks of a row communicate, such as 4x16")
    String grid;

    @Option(
        names = "--matrix",
        paramLabel = "FILE",
        description =
            "text file with a recorded communication matrix, with the order of the "
                + "ranks' data in a file, or with the pieces of a file that ranks access")
    Path matrix;
  }

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Application application;

  @Mixin private MachineOption machine;

  @Option(
      names = "--hwloc",
      paramLabel = "FILE",
      description = "reads the structure of this machine's node from hwloc's XML (lstopo --of xml)")
  private Path hwloc;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "number of nodes of the job (default: the fewest that hold all ranks)")
  private Integer nodes;

  @Option(
      names = "--per-node",
      paramLabel = "N",
      description = "number of processors of each node to use (default: all)")
  private Integer perNode;

  @Option(
      names = "--method",
      paramLabel = "NAME",
      description =
          "byslot, bynode, setmatch, setmatchg, mpipp, mpippg or treematch (default: setmatch for a"
              + " grid, setmatchg for a matrix)")
  private String method;

  @Option(
      names = "--hosts",
      paramLabel = "HOST",
      split = ",",
      description = "names of the nodes, in order (default: localhost for each)")
  private List<String> hosts;

  @Option(
      names = "--rankfile",
      paramLabel = "FILE",
      description = "writes a rankfile for Open MPI: mpirun --rankfile FILE")
  private Path rankfile;

  @Option(
      names = "--host-list",
      paramLabel = "FILE",
      description = "writes a list of hosts for MPICH: mpirun -f FILE")
  private Path hostList;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public PlaceCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    Machine found = hwloc != null ? ThisMachine.ofHwloc(hwloc) : machine.find();
    ApplicationMatrix matrix = matrix();
    ArchitectureMatrix architecture = architecture(found, matrix.ranks());
    String name = method != null ? method : application.grid != null ? "setmatch" : "setmatchg";
    ProcessPlacement before = PlacementMethod.BYSLOT.place(matrix, architecture);
    ProcessPlacement after = PlacementMethod.parse(name).place(matrix, architecture);
    streams.out().println(found.describe());
    streams.out().println("before, " + before.describe());
    streams.out().println("after, " + after.describe());
    for (int rank = 0; rank < matrix.ranks(); rank++) {
      streams
          .out()
          .printf(
              "rank %d: node %d, processor %d%n",
              rank,
              after.ranks().node(rank),
              after.ranks().processor(rank) % found.processorsPerNode());
    }
    List<String> names = hosts != null ? hosts : Collections.nCopies(found.nodes(), "localhost");
    write(rankfile, rankfile == null ? "" : after.rankfile(names));
    write(hostList, hostList == null ? "" : after.hostList(names));
    return 0;
  }

  private ArchitectureMatrix architecture(Machine found, int ranks) {
    int each = perNode != null ? perNode : found.processorsPerNode();
    int needed = Math.ceilDiv(Math.max(1, ranks), Math.max(1, each));
    return ArchitectureMatrix.ofNodes(found, nodes != null ? nodes : needed, each);
  }

  private ApplicationMatrix matrix() {
    if (application.grid != null) {
      String[] words = application.grid.split("x", -1);
      int[] extents = new int[words.length];
      for (int i = 0; i < words.length; i++) {
        if (!words[i].matches("\\d{1,6}")) {
          throw new InvalidUseException(
              "--grid: actual=" + application.grid + ", expected=numbers such as 4x16");
        }
        extents[i] = Integer.parseInt(words[i]);
      }
      return ApplicationMatrix.ofGrid(extents);
    }
    Path file = application.matrix;
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new InvalidUseException(
            "--matrix: actual="
                + Files.size(file)
                + " bytes, expected=at most "
                + MAX_BYTES
                + ", at="
                + file);
      }
      return MatrixText.read(file.toString(), Files.readString(file));
    } catch (IOException failure) {
      throw new StorageException(
          "--matrix: actual=" + failure + ", expected=a text file, at=" + file, failure);
    }
  }

  private static void write(Path file, String text) {
    if (file != null) {
      try {
        OutputFile.writeText(file, text);
      } catch (IOException failure) {
        throw new StorageException("placement: actual=" + failure + ", at=" + file, failure);
      }
    }
  }
}
