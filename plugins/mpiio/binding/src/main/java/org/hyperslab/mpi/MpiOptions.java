package org.hyperslab.mpi;

import java.util.Optional;

/**
 * Options for finding and starting MPI.
 *
 * @param library the library's file name or path; empty to find it: system property {@value
 *     #LIBRARY_PROPERTY}, then environment {@value #LIBRARY_VARIABLE}, then what the launcher's
 *     environment names, then whatever is installed
 * @param abi the library's ABI; empty to detect it from the library
 * @param threads the thread level to request; the level that MPI grants may be lower
 * @param ownsExit whether MPI ends with the process: a normal end finalises it, and an uncaught
 *     exception aborts the job, so that no other rank waits for ever
 */
public record MpiOptions(
    Optional<String> library, Optional<Abi> abi, ThreadLevel threads, boolean ownsExit) {

  /** The system property that names the library. */
  public static final String LIBRARY_PROPERTY = "hyperslab.mpi.library";

  /** The environment variable that names the library. */
  public static final String LIBRARY_VARIABLE = "HYPERSLAB_MPI_LIBRARY";

  /** Finds the library, lets all threads call, and ends MPI with the process. */
  public static final MpiOptions DEFAULT =
      new MpiOptions(Optional.empty(), Optional.empty(), ThreadLevel.MULTIPLE, true);

  /**
   * {@return a copy of these options with a library}
   *
   * @param name the library's file name or path
   */
  public MpiOptions withLibrary(String name) {
    return new MpiOptions(Optional.of(name), abi, threads, ownsExit);
  }

  /**
   * {@return a copy of these options with an ABI}
   *
   * @param value the ABI
   */
  public MpiOptions withAbi(Abi value) {
    return new MpiOptions(library, Optional.of(value), threads, ownsExit);
  }

  /**
   * {@return a copy of these options that requests a thread level}
   *
   * @param level the level to request
   */
  public MpiOptions withThreads(ThreadLevel level) {
    return new MpiOptions(library, abi, level, ownsExit);
  }

  /**
   * {@return a copy of these options with or without ending MPI with the process}
   *
   * @param owns whether MPI ends with the process
   */
  public MpiOptions withOwnsExit(boolean owns) {
    return new MpiOptions(library, abi, threads, owns);
  }
}
