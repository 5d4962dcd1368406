package org.hyperslab.mpi;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.MpiException;

/**
 * Finds an MPI library: the one that the options name, otherwise one that this process has loaded
 * already, otherwise the launcher's, otherwise any that the loader or the usual folders have.
 */
final class LibrarySearch {

  private static final List<String> FOLDERS =
      List.of(
          "/usr/lib64/openmpi/lib",
          "/usr/lib64/mpich/lib",
          "/usr/local/lib",
          "/opt/openmpi/lib",
          "/opt/mpich/lib",
          "/opt/homebrew/lib");

  private final Map<String, String> environment;
  private final Loader loader;
  private final List<String> tried = new ArrayList<>();

  LibrarySearch(Loader loader, Map<String, String> environment) {
    this.loader = loader;
    this.environment = environment;
  }

  /**
   * Opens the library.
   *
   * @throws MpiException if no library can be opened; the message lists each attempt and the reason
   *     of its failure
   */
  Library open(MpiOptions options) {
    Optional<String> named = named(options);
    if (named.isPresent()) {
      return open(named.get(), options.abi())
          .orElseThrow(() -> nothing("name another library, or none to have one searched for"));
    }
    Optional<Library> loaded = loaded(options);
    if (loaded.isPresent()) {
      return loaded.get();
    }
    for (Abi abi : order(options)) {
      for (String candidate : candidates(abi)) {
        Optional<Library> found = open(candidate, options.abi());
        if (found.isPresent()) {
          return found.get();
        }
      }
    }
    throw nothing(
        "install Open MPI or MPICH, or name the library with "
            + MpiOptions.LIBRARY_VARIABLE
            + " or -D"
            + MpiOptions.LIBRARY_PROPERTY);
  }

  /** Returns the library that other code of this process has loaded, if there is one. */
  private Optional<Library> loaded(MpiOptions options) {
    for (Abi abi : order(options)) {
      for (String name : abi.libraries()) {
        MemorySegment library = loader.openLoaded(name);
        if (library != null && loader.find(library, Call.INIT_THREAD.symbol()) != null) {
          Abi found = options.abi().orElseGet(() -> abiOf(library, name));
          return Optional.of(new Library(loader, library, name, found));
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> named(MpiOptions options) {
    return options
        .library()
        .or(() -> Optional.ofNullable(System.getProperty(MpiOptions.LIBRARY_PROPERTY)))
        .or(() -> Optional.ofNullable(environment.get(MpiOptions.LIBRARY_VARIABLE)))
        .filter(name -> !name.isBlank());
  }

  /** Returns the ABIs in the order of the search, the launcher's first. */
  private Set<Abi> order(MpiOptions options) {
    Set<Abi> order = new LinkedHashSet<>();
    options.abi().ifPresent(order::add);
    if (order.isEmpty()) {
      LauncherDetection.abi(environment).ifPresent(order::add);
      order.addAll(List.of(Abi.OPEN_MPI, Abi.MPICH, Abi.STANDARD));
    }
    return order;
  }

  /** Returns the names to try: bare names, which the loader looks up, then paths. */
  private List<String> candidates(Abi abi) {
    List<String> all = new ArrayList<>(abi.libraries());
    List<String> folders = new ArrayList<>();
    for (String variable : List.of("MPI_HOME", "MPI_ROOT", "I_MPI_ROOT", "CONDA_PREFIX")) {
      String home = environment.get(variable);
      if (home != null && !home.isBlank()) {
        folders.add(home + "/lib");
        folders.add(home + "/lib/release");
      }
    }
    folders.addAll(FOLDERS);
    for (String folder : folders) {
      for (String file : abi.libraries()) {
        Path path = Path.of(folder, file);
        if (Files.exists(path)) {
          all.add(path.toString());
        }
      }
    }
    return all;
  }

  private Optional<Library> open(String name, Optional<Abi> wanted) {
    MemorySegment library = loader.open(name);
    if (library == null) {
      tried.add(name + " (" + loader.problem() + ")");
      return Optional.empty();
    }
    if (loader.find(library, Call.INIT_THREAD.symbol()) == null) {
      tried.add(name + " (it has no " + Call.INIT_THREAD.symbol() + ")");
      return Optional.empty();
    }
    Abi abi = wanted.orElseGet(() -> abiOf(library, name));
    return Optional.of(new Library(loader, library, name, abi));
  }

  private Abi abiOf(MemorySegment library, String name) {
    if (name.contains("mpi_abi")) {
      return Abi.STANDARD;
    }
    boolean openMpi = loader.find(library, Predefined.COMM_WORLD.symbol()) != null;
    return openMpi ? Abi.OPEN_MPI : Abi.MPICH;
  }

  private MpiException nothing(String advice) {
    return new MpiException(
        "start",
        MpiException.NO_RANK,
        MpiException.NO_CODE,
        "MPI library: actual=" + String.join("; ", tried) + ", expected=one that loads; " + advice);
  }
}
