package org.hyperslab.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.examples.flashio.FlashIo;
import org.hyperslab.examples.flashio.FlashMesh;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes FLASH's checkpoint and plotfiles, reads them back and prints a table. */
@Command(
    name = "flash-io",
    description = {
      "Writes a FLASH checkpoint and both plotfiles through the virtual object layer,",
      "reads them back, compares every value, and prints sizes, times and bandwidth."
    },
    mixinStandardHelpOptions = true)
final class FlashIoCommand implements Callable<Integer> {

  @Option(
      names = "--ranks",
      paramLabel = "N",
      defaultValue = "4",
      description = "ranks that share the mesh (default: ${DEFAULT-VALUE})")
  private int ranks;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "flash-io-out",
      description = "folder for the files, made if missing (default: ${DEFAULT-VALUE})")
  private String out;

  @Option(
      names = "--connector",
      paramLabel = "CONFIG",
      defaultValue = "native",
      description = "connector, such as \"tracing | native\" (default: ${DEFAULT-VALUE})")
  private String connector;

  @Override
  public Integer call() throws IOException {
    if (connector.contains("native")) {
      Files.createDirectories(Path.of(out));
    }
    FlashMesh mesh = new FlashMesh(ranks);
    System.out.printf(
        "FLASH I/O: %d ranks, %d blocks, connector \"%s\", into %s%n",
        ranks, mesh.totalBlocks(), connector, out);
    List<FlashIo.Result> results;
    try (Session session = Hdf5.session(connector);
        TerminalProgress progress = TerminalProgress.start()) {
      results = new FlashIo(session, mesh, out, progress::advanced).run();
    }
    print(results);
    return 0;
  }

  private static void print(List<FlashIo.Result> results) {
    String row = "%-32s %12s %9s %9s %9s %9s%n";
    System.out.printf(row, "file", "bytes", "write s", "MB/s", "read s", "MB/s");
    for (FlashIo.Result result : results) {
      System.out.printf(
          row,
          result.file().fileName(),
          String.format(Locale.ROOT, "%,d", result.sizeBytes()),
          seconds(result.writeSeconds()),
          rate(result.sizeBytes(), result.writeSeconds()),
          seconds(result.readSeconds()),
          rate(result.sizeBytes(), result.readSeconds()));
    }
    System.out.println("every value read back as written");
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }

  private static String rate(long bytes, double seconds) {
    return String.format(Locale.ROOT, "%.0f", bytes / 1e6 / seconds);
  }
}
