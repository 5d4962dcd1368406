package org.hyperslab.mpi;

import java.util.List;
import java.util.Optional;

/**
 * Options for finding and starting MPI.
 *
 * <p>Thread rule: immutable.
 */
public final class MpiOptions {

  /** The system property that names the library. */
  public static final String LIBRARY_PROPERTY = "hyperslab.mpi.library";

  /** The environment variable that names the library. */
  public static final String LIBRARY_VARIABLE = "HYPERSLAB_MPI_LIBRARY";

  /** Finds the library, lets all threads call, and ends MPI with the process. */
  public static final MpiOptions DEFAULT = builder().build();

  private final Optional<String> library;
  private final Optional<Abi> abi;
  private final ThreadLevel threads;
  private final boolean ownsExit;

  private MpiOptions(Builder builder) {
    library = builder.library;
    abi = builder.abi;
    threads = builder.threads;
    ownsExit = builder.ownsExit;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.library = library;
    builder.abi = abi;
    builder.threads = threads;
    builder.ownsExit = ownsExit;
    return builder;
  }

  /**
   * {@return the library's file name or path; empty to find it: system property {@value
   * #LIBRARY_PROPERTY}, then environment {@value #LIBRARY_VARIABLE}, then what the launcher's
   * environment names, then whatever is installed}
   */
  public Optional<String> library() {
    return library;
  }

  /** {@return the library's ABI; empty to detect it from the library} */
  public Optional<Abi> abi() {
    return abi;
  }

  /** {@return the thread level to request; the level that MPI grants may be lower} */
  public ThreadLevel threads() {
    return threads;
  }

  /**
   * {@return whether MPI ends with the process: a normal end finalises it, and an uncaught
   * exception aborts the job, so that no other rank waits for ever}
   */
  public boolean ownsExit() {
    return ownsExit;
  }

  /**
   * {@return a copy of these options with a library}
   *
   * @param name the library's file name or path
   */
  public MpiOptions withLibrary(String name) {
    return toBuilder().library(Optional.of(name)).build();
  }

  /**
   * {@return a copy of these options with an ABI}
   *
   * @param value the ABI
   */
  public MpiOptions withAbi(Abi value) {
    return toBuilder().abi(Optional.of(value)).build();
  }

  /**
   * {@return a copy of these options that requests a thread level}
   *
   * @param level the level to request
   */
  public MpiOptions withThreads(ThreadLevel level) {
    return toBuilder().threads(level).build();
  }

  /**
   * {@return a copy of these options with or without ending MPI with the process}
   *
   * @param owns whether MPI ends with the process
   */
  public MpiOptions withOwnsExit(boolean owns) {
    return toBuilder().ownsExit(owns).build();
  }

  private List<Object> values() {
    return List.of(library, abi, threads, ownsExit);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MpiOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "MpiOptions[library="
        + library
        + ", abi="
        + abi
        + ", threads="
        + threads
        + ", ownsExit="
        + ownsExit
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private Optional<String> library = Optional.empty();
    private Optional<Abi> abi = Optional.empty();
    private ThreadLevel threads = ThreadLevel.MULTIPLE;
    private boolean ownsExit = true;

    private Builder() {}

    /**
     * Sets the library's file name or path.
     *
     * @param newLibrary the library's file name or path; empty to find it: system property {@value
     *     #LIBRARY_PROPERTY}, then environment {@value #LIBRARY_VARIABLE}, then what the launcher's
     *     environment names, then whatever is installed
     * @return this builder
     */
    public Builder library(Optional<String> newLibrary) {
      this.library = newLibrary;
      return this;
    }

    /**
     * Sets the library's ABI.
     *
     * @param newAbi the library's ABI; empty to detect it from the library
     * @return this builder
     */
    public Builder abi(Optional<Abi> newAbi) {
      this.abi = newAbi;
      return this;
    }

    /**
     * Sets the thread level to request.
     *
     * @param newThreads the thread level to request; the level that MPI grants may be lower
     * @return this builder
     */
    public Builder threads(ThreadLevel newThreads) {
      this.threads = newThreads;
      return this;
    }

    /**
     * Sets whether MPI ends with the process.
     *
     * @param newOwnsExit whether MPI ends with the process: a normal end finalises it, and an
     *     uncaught exception aborts the job, so that no other rank waits for ever
     * @return this builder
     */
    public Builder ownsExit(boolean newOwnsExit) {
      this.ownsExit = newOwnsExit;
      return this;
    }

    /** {@return the options} */
    public MpiOptions build() {

      return new MpiOptions(this);
    }
  }
}
