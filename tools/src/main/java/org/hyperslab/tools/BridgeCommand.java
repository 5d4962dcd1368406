package org.hyperslab.tools;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.hyperslab.plugins.libhdf5.BridgeLibrary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Builds the plugin by which programs of the C library use connectors of this project. */
@Command(
    name = "bridge",
    header = "lets programs written for libhdf5 use Hyperslab",
    description = {
      "Builds, with the C compiler of this machine, a plugin that libhdf5 (1.14 or 2.x) loads by"
          + " itself. The program is neither changed nor linked again:",
      "  HDF5_PLUGIN_PATH=$$(hyperslab bridge --path) HDF5_VOL_CONNECTOR=\"hyperslab native\""
          + " PROGRAM",
      "What follows the word hyperslab is any connector configuration, such as \"async | native\""
          + " or \"forwarding servers=127.0.0.1:7070\".",
      "Exit codes: 0 built, or exists already; 1 failure; 2 wrong use."
    })
final class BridgeCommand implements Callable<Integer> {

  /** The system property by which the launcher names its AOT cache. */
  private static final String CACHE = "hyperslab.bridge.cache";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Option(names = "--path", description = "prints only the folder for HDF5_PLUGIN_PATH")
  private boolean path;

  @Option(
      names = "--into",
      paramLabel = "FOLDER",
      description = "folder to keep plugins in (default: hyperslab in the user's cache folder)")
  private Path into;

  private final Streams streams;

  BridgeCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    Path folder = into == null ? cacheFolder() : into;
    Optional<Path> cache = Optional.ofNullable(System.getProperty(CACHE)).map(Path::of);
    Path built = BridgeLibrary.build(folder, BridgeLibrary.Binding.ofThisProcess(cache));
    streams.out().println(path ? built.toString() : usage(built));
    return 0;
  }

  private static String usage(Path built) {
    return "The plugin is in "
        + built
        + "\nTo run a program of libhdf5 1.14 or 2.x with it:\n  HDF5_PLUGIN_PATH="
        + built
        + " HDF5_VOL_CONNECTOR=\"hyperslab native\" PROGRAM";
  }

  private static Path cacheFolder() {
    String given = System.getenv("XDG_CACHE_HOME");
    Path caches =
        given == null || given.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(given);
    return caches.resolve("hyperslab");
  }
}
