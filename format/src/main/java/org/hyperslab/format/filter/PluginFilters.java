package org.hyperslab.format.filter;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.NativeFunction;

/**
 * The filters of HDF5's own plugins: shared libraries with the functions {@code
 * H5PLget_plugin_type} and {@code H5PLget_plugin_info}. Nothing is loaded unless the property
 * {@value #PROPERTY} names their folders, since a library that is loaded may do anything.
 *
 * <p>They decode; a dataset with such a filter cannot be created, because the functions that check
 * and complete its parameters need objects of libhdf5.
 *
 * <p>Thread rule: any thread may call it; folders are searched once.
 */
final class PluginFilters implements FilterProvider {

  /**
   * The property with the folders, separated as paths are; {@code env} stands for those of the
   * variable HDF5_PLUGIN_PATH.
   */
  static final String PROPERTY = "hyperslab.filter.plugins";

  /** The value of {@code H5PL_TYPE_FILTER}. */
  private static final long TYPE_FILTER = 0;

  private static final int MAXIMUM_FILES = 1000;

  private final List<Path> folders;

  /** The filters by number; null until the folders are searched. */
  private Map<Integer, Filter> found;

  private PluginFilters(List<Path> folders) {
    this.folders = List.copyOf(folders);
  }

  /** {@return the filters of the folders that the property names} */
  static PluginFilters configured() {
    String folders = System.getProperty(PROPERTY, "");
    String variable = System.getenv("HDF5_PLUGIN_PATH");
    return in(folders.equals("env") ? (variable == null ? "" : variable) : folders);
  }

  /**
   * {@return the filters of some folders}
   *
   * @param folders the folders, separated as paths are
   */
  static PluginFilters in(String folders) {
    List<Path> paths = new ArrayList<>();
    for (String folder : folders.split(File.pathSeparator)) {
      if (!folder.isBlank()) {
        paths.add(Path.of(folder));
      }
    }
    return new PluginFilters(paths);
  }

  @Override
  public List<Filter> filters() {
    return List.of();
  }

  @Override
  public synchronized Optional<Filter> find(int id) {
    if (found == null) {
      Map<Integer, Filter> all = new HashMap<>();
      folders.forEach(folder -> search(folder, all));
      found = all;
    }
    return Optional.ofNullable(found.get(id));
  }

  private static void search(Path folder, Map<Integer, Filter> all) {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, PluginFilters::mayBePlugin)) {
      int count = 0;
      for (Path file : files) {
        if (++count > MAXIMUM_FILES) {
          throw new UnsupportedFeatureException(
              PROPERTY
                  + ": actual=a folder of more than "
                  + MAXIMUM_FILES
                  + " libraries, expected=a folder of plugins: "
                  + folder);
        }
        load(file).ifPresent(filter -> all.putIfAbsent(filter.id(), filter));
      }
    } catch (IOException missing) {
      throw new UnsupportedFeatureException(
          PROPERTY + ": actual=" + folder + " cannot be listed, expected=a folder of plugins",
          missing);
    }
  }

  /** Returns whether HDF5 would look into a file. */
  private static boolean mayBePlugin(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith("lib") && (name.contains(".so") || name.endsWith(".dylib"))
        || name.endsWith(".dll");
  }

  /** Loads a library, for as long as the process lives; empty if it is no plugin of a filter. */
  private static Optional<Filter> load(Path file) {
    SymbolLookup library;
    try {
      library = SymbolLookup.libraryLookup(file.toAbsolutePath(), Arena.global());
    } catch (IllegalArgumentException _) {
      // A library that needs others, or of another machine; HDF5 passes it over, too.
      return Optional.empty();
    }
    Optional<MemorySegment> type = library.find("H5PLget_plugin_type");
    Optional<MemorySegment> info = library.find("H5PLget_plugin_info");
    boolean isFilter =
        type.isPresent()
            && info.isPresent()
            && (int) NativeFunction.at(type.get(), 0).call() == TYPE_FILTER;
    return isFilter ? PluginFilter.of(NativeFunction.at(info.get(), 0).call()) : Optional.empty();
  }
}
