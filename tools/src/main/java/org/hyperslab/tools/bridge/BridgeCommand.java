package org.hyperslab.tools.bridge;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.hyperslab.plugins.libhdf5.BridgeLibrary;
import org.hyperslab.tools.command.Streams;
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
      "h5py, netCDF, PyTables and programs of HDF5 1.8 and 1.10 also call functions that libhdf5"
          + " keeps for its own connector; --preload answers them. In a shell, all at once:",
      "  eval \"$$(hyperslab bridge --env native)\"",
      "Exit codes: 0 built, or exists already; 1 failure; 2 wrong use."
    })
public final class BridgeCommand implements Callable<Integer> {

  /** The system property by which the launcher names its AOT cache. */
  private static final String CACHE = "hyperslab.bridge.cache";

  /** The system property by which it names the folder of a plugin that came with it. */
  private static final String PACKAGE = "hyperslab.bridge.package";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Option(names = "--path", description = "prints only the folder for HDF5_PLUGIN_PATH")
  private boolean path;

  @Option(names = "--preload", description = "prints only the value for LD_PRELOAD")
  private boolean preload;

  @Option(
      names = "--env",
      paramLabel = "CONNECTOR",
      description =
          "prints the commands of a shell that set all variables for a connector configuration")
  private String environment;

  @Option(
      names = "--package",
      hidden = true,
      paramLabel = "FOLDER",
      description = "builds a plugin that can be moved together with the jars, in this folder")
  private Path packaged;

  @Option(
      names = "--into",
      paramLabel = "FOLDER",
      description =
          "folder to keep plugins in (default: the plugin that came with the launcher, or else"
              + " hyperslab in the user's cache folder)")
  private Path into;

  private final Streams streams;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public BridgeCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    Optional<Path> cache = Optional.ofNullable(System.getProperty(CACHE)).map(Path::of);
    BridgeLibrary.Binding binding = BridgeLibrary.Binding.ofThisProcess(cache);
    if (packaged != null) {
      streams.out().println(BridgeLibrary.buildPackage(packaged, binding));
      return 0;
    }
    Optional<Path> ready =
        Optional.ofNullable(System.getProperty(PACKAGE))
            .map(Path::of)
            .filter(folder -> into == null && BridgeLibrary.isPackage(folder));
    Path folder = into == null ? cacheFolder() : into;
    String preloaded = path ? "" : preloaded(ready, folder, binding);
    if (preload) {
      streams.out().println(preloaded);
      return 0;
    }
    Path plugin = ready.orElseGet(() -> BridgeLibrary.build(folder, binding));
    streams.out().println(path ? plugin : text(plugin, preloaded));
    return 0;
  }

  private static String preloaded(
      Optional<Path> ready, Path folder, BridgeLibrary.Binding binding) {
    return ready
        .map(place -> BridgeLibrary.preloadOf(place, binding))
        .orElseGet(() -> BridgeLibrary.buildPreload(folder, binding))
        .stream()
        .map(Path::toString)
        .collect(Collectors.joining(":"));
  }

  private String text(Path plugin, String preloaded) {
    return environment == null ? usage(plugin, preloaded) : variables(plugin, preloaded);
  }

  private static String usage(Path plugin, String preloaded) {
    return "The plugin is in "
        + plugin
        + "\nTo run a program of libhdf5 1.14 or 2.x with it:\n  HDF5_PLUGIN_PATH="
        + plugin
        + " HDF5_VOL_CONNECTOR=\"hyperslab native\" PROGRAM"
        + "\nh5py, netCDF, PyTables and programs of HDF5 1.8 and 1.10 also need:\n  LD_PRELOAD="
        + preloaded;
  }

  /** Variables that have a value keep it: other plugins and libraries come after these. */
  private String variables(Path plugin, String preloaded) {
    return "export HDF5_PLUGIN_PATH="
        + quoted(plugin.toString())
        + "\"${HDF5_PLUGIN_PATH:+:$HDF5_PLUGIN_PATH}\""
        + "\nexport HDF5_VOL_CONNECTOR="
        + quoted("hyperslab " + environment)
        + "\nexport LD_PRELOAD="
        + quoted(preloaded)
        + "\"${LD_PRELOAD:+:$LD_PRELOAD}\"";
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
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
