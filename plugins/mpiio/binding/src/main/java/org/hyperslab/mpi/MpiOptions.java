package org.hyperslab.mpi;

import java.util.Optional;

/**
 * How MPI is found and started.
 *
 * @param library the library's file name or path; empty to find it: system property {@value
 *     #LIBRARY_PROPERTY}, then environment {@value #LIBRARY_VARIABLE}, then what the launcher's
 *     environment names, then whatever is installed
 * @param abi the library's ABI; empty to tell it from the library
 * @param threads the level to ask for; what is granted may be less
 * @param ownsExit whether MPI is ended with the process: a normal end finalises it, an exception
 *     that no thread catches aborts the job, so that no other rank waits for ever
 */
public record MpiOptions(
    Optional<String> library, Optional<Abi> abi, ThreadLevel threads, boolean ownsExit) {

  /** System property that names the library. */
  public static final String LIBRARY_PROPERTY = "hyperslab.mpi.library";

  /** Environment variable that names the library. */
  public static final String LIBRARY_VARIABLE = "HYPERSLAB_MPI_LIBRARY";

  /** Find the library, all threads may call, MPI ends with the process. */
  public static final MpiOptions DEFAULT =
      new MpiOptions(Optional.empty(), Optional.empty(), ThreadLevel.MULTIPLE, true);

  /**
   * {@return the same with this library, by file name or path}
   *
   * @param name the library's file name or path
   */
  public MpiOptions withLibrary(String name) {
    return new MpiOptions(Optional.of(name), abi, threads, ownsExit);
  }

  /**
   * {@return the same with this ABI}
   *
   * @param value the ABI
   */
  public MpiOptions withAbi(Abi value) {
    return new MpiOptions(library, Optional.of(value), threads, ownsExit);
  }

  /**
   * {@return the same asking for this thread level}
   *
   * @param level the level to ask for
   */
  public MpiOptions withThreads(ThreadLevel level) {
    return new MpiOptions(library, abi, level, ownsExit);
  }

  /**
   * {@return the same with or without care for the process's end}
   *
   * @param owns whether MPI is finalised at the process's end
   */
  public MpiOptions withOwnsExit(boolean owns) {
    return new MpiOptions(library, abi, threads, owns);
  }
}
