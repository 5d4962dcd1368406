package org.hyperslab.tools;

import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.tools.repack.Repack;
import org.hyperslab.tools.repack.RepackPlan;
import org.hyperslab.tools.repack.RepackPlanParser;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a file anew, perhaps with other layouts, filters or structures. */
@Command(
    name = "repack",
    description = {
      "Copies IN to OUT object by object. What nothing refers to is left behind; layouts, filters"
          + " and",
      "the age of structures can be changed on the way."
    },
    mixinStandardHelpOptions = true)
final class RepackCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "IN", description = "the file to read")
  private String in;

  @Parameters(index = "1", paramLabel = "OUT", description = "the file to write")
  private String out;

  @Option(
      names = {"-f", "--filter"},
      paramLabel = "[PATHS:]FILTER",
      description =
          "GZIP=1..9, SHUF, FLET, NBIT, SOFF=scale,IN|DS, SZIP=pixels,EC|NN, UD=id,flags,n,values,"
              + " NONE; paths separated by commas, all datasets without; may be repeated")
  private String[] filters = {};

  @Option(
      names = {"-l", "--layout"},
      paramLabel = "[PATHS:]LAYOUT",
      description = "CHUNK=10x20, COMPA, CONTI; paths as for -f; may be repeated")
  private String[] layouts = {};

  @Option(
      names = {"-L", "--latest"},
      description = "newest structures that HDF5 1.10 reads")
  private boolean latest;

  @Option(
      names = {"-j", "--low"},
      paramLabel = "VERSION",
      description = "oldest structures: EARLIEST, V18, V110, V112, V114, V200")
  private FormatVersion low;

  @Option(
      names = {"-k", "--high"},
      paramLabel = "VERSION",
      description = "newest structures, as for --low")
  private FormatVersion high;

  @Option(
      names = {"-m", "--minimum"},
      paramLabel = "BYTES",
      defaultValue = "0",
      description = "datasets of fewer bytes get no filters (default: ${DEFAULT-VALUE})")
  private long smallest;

  @Override
  public Integer call() {
    FormatVersion oldest = low != null ? low : latest ? FormatVersion.V110 : FormatVersion.EARLIEST;
    FormatVersion newest = high != null ? high : FormatVersion.V110;
    RepackPlan plan = RepackPlanParser.parse(filters, layouts, oldest, newest, smallest);
    try (H5File source = Hdf5.open(in);
        TerminalProgress progress = TerminalProgress.start()) {
      CreateOptions options =
          source.info().creation().withBounds(plan.low(), plan.high()).withExclusive(false);
      try (H5File target = Hdf5.create(out, options)) {
        new Repack(
                source,
                target,
                plan,
                (path, done, total) -> progress.advanced("repacking", done, total))
            .run();
      }
    }
    return 0;
  }
}
