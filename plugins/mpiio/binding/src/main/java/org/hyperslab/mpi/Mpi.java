package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;

/**
 * Starts and ends MPI in this process, and provides its predefined communicators and datatypes.
 *
 * <pre>{@code
 * Mpi mpi = Mpi.start();
 * MpiCommunicator world = mpi.world();
 * double[] sum = {world.rank()};
 * world.allReduce(MemorySegment.ofArray(sum), 1, mpi.type(MpiType.DOUBLE), MpiOperation.SUM);
 * }</pre>
 *
 * <p>Start the program with the library's launcher: {@code mpirun -n 4 java
 * --enable-native-access=ALL-UNNAMED …}. Without a launcher the process is the only rank of its
 * world.
 *
 * <p><b>End.</b> MPI cannot be started twice in a process, so it ends with the process: when main
 * returns or {@code System.exit(0)} is called, a shutdown hook waits for the other ranks and
 * finalises MPI. Starting and ending are collective. In a job that also runs programs without this
 * class, set {@code -Dhyperslab.mpi.farewellSeconds=0}: the ranks then finalise without meeting
 * first, and do not detect that they wait for a rank that has ended. After {@code System.exit} with
 * another code, or a signal, MPI is not finalised; the launcher then ends the other ranks and
 * reports the code. An uncaught exception is printed with its rank and aborts the job at once,
 * because the other ranks would wait for the one that is gone.
 *
 * <p><b>Errors</b> are {@link MpiException}s with the function, MPI's code and text, and the rank;
 * communicators and files are set to return errors instead of aborting.
 *
 * <p><b>Threads.</b> All threads may call MPI if {@link #threadLevel} is {@link
 * ThreadLevel#MULTIPLE}, which is requested by default. Call from platform threads: a virtual
 * thread that waits in MPI holds its carrier.
 *
 * <p><b>Memory.</b> Segments may be native or heap; heap segments are copied through native ones,
 * which are kept and reused. A segment that a non-blocking call uses must stay alive and untouched
 * until its request has completed.
 */
public final class Mpi {

  private static final long ABORT_PAUSE_NANOS = 200_000_000;

  private static final AtomicReference<Mpi> STARTED = new AtomicReference<>();

  private final Library library;
  private final ThreadLevel threadLevel;

  /** Whether other code has started MPI and will finalise it. */
  private final boolean foreign;

  private final MpiCommunicator world;
  private final MpiCommunicator self;
  private final Map<MpiType, MpiDatatype> types = new ConcurrentHashMap<>();

  private final OpenWindows windows = new OpenWindows();
  private final Finalization finalization = new Finalization();

  /** All ranks, for the barrier before finalising; null if this class does not finalise MPI. */
  private final MpiCommunicator ends;

  private final TerminationProbe probe;

  private Mpi(Library library, ThreadLevel threadLevel, boolean foreign) {
    this.library = library;
    this.threadLevel = threadLevel;
    this.foreign = foreign;
    this.world = MpiCommunicator.predefined(this, Predefined.COMM_WORLD);
    this.self = MpiCommunicator.predefined(this, Predefined.COMM_SELF);
    library.setWorldRank(world.rank());
    boolean seesToEnd = !foreign && world.size() > 1 && !Finalization.limit().isZero();
    this.ends = seesToEnd ? world.duplicate() : null;
    this.probe = seesToEnd ? new TerminationProbe(ends) : null;
  }

  /** {@return whether a launcher such as mpirun started this process as a rank of a job} */
  public static boolean launched() {
    return LauncherDetection.isRank(System.getenv());
  }

  /**
   * Starts MPI with {@link MpiOptions#DEFAULT}, or returns the instance that has been started.
   *
   * @return MPI in this process
   */
  public static Mpi start() {
    return start(MpiOptions.DEFAULT);
  }

  /**
   * Starts MPI, or returns the instance that has been started, whatever its options. All ranks of a
   * job must start it.
   *
   * @param options how MPI is found and started
   * @return MPI in this process
   * @throws MpiException if no library is found or it does not start
   */
  public static Mpi start(MpiOptions options) {
    synchronized (STARTED) {
      Mpi mpi = STARTED.get();
      if (mpi == null) {
        mpi = startNow(options);
        STARTED.set(mpi);
      }
      return mpi;
    }
  }

  private static Mpi startNow(MpiOptions options) {
    Loader loader = new Loader();
    // UCX, which MPICH and Open MPI use, would handle SIGSEGV, which the JVM needs for null checks.
    loader.setUnlessSet("UCX_ERROR_SIGNALS", "");
    Library library = new LibrarySearch(loader, System.getenv()).open(options);
    boolean foreign = library.anInt(Call.INITIALIZED) != 0;
    ThreadLevel level = foreign ? queryLevel(library) : initialise(library, options.threads());
    Mpi mpi = new Mpi(library, level, foreign);
    if (options.ownsExit() && !foreign) {
      mpi.endWithProcess();
    }
    return mpi;
  }

  private static ThreadLevel initialise(Library library, ThreadLevel wanted) {
    int asked = library.constant(wanted.constant());
    int given =
        library.anInt(Call.INIT_THREAD, MemorySegment.NULL, MemorySegment.NULL, value(asked));
    return ThreadLevel.of(library.abi(), given);
  }

  private static ThreadLevel queryLevel(Library library) {
    int given = library.anInt(Call.QUERY_THREAD);
    return ThreadLevel.of(library.abi(), given);
  }

  private void endWithProcess() {
    ExitWatch watch = ExitWatch.install();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(watch), "MPI end"));
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
      if (before != null) {
        before.uncaughtException(thread, failure);
      }
      if (!library.isFinished()) {
        failure.printStackTrace();
        abort(1, "exception in thread " + thread.getName() + ": " + failure);
      }
    });
  }

  private void end(ExitWatch watch) {
    if (watch.endsWell()) {
      finish();
    } else if (!library.isFinished() && world.size() > 1) {
      System.err.println(
          "rank " + world.rank() + " of " + world.size() + " ends early: " + watch.describe());
    }
  }

  /** Waits for the other ranks; aborts the job if they may be waiting for this rank. */
  private void meetBeforeEnd() {
    if (ends == null) {
      return;
    }
    probe.end();
    List<String> open = finalization.open();
    if (!finalization.meetsOthers(ends, probe, open.isEmpty() ? null : Finalization.limit())) {
      abort(
          1,
          "it has ended while others go on, with "
              + String.join(", ", open)
              + " open, which only all ranks together can use and close; others have waited for "
              + Finalization.limit().toSeconds()
              + " s");
    }
  }

  /**
   * {@return the probe with which ranks ask each other whether they have ended; empty in a world of
   * one rank, if the limit is zero, and if other code has started MPI}
   */
  public Optional<TerminationProbe> terminationProbe() {
    return Optional.ofNullable(probe);
  }

  /**
   * {@return the time for which ranks wait for one that has ended before the job is aborted: {@code
   * -Dhyperslab.mpi.farewellSeconds}, 30 unless set; zero if they wait for ever}
   */
  public Duration farewellLimit() {
    return Finalization.limit();
  }

  /**
   * Registers a supplier of the names of resources that this rank has open and that only all ranks
   * together can close. It is called when the process ends. If it returns names and other ranks do
   * not end, these would wait for ever, so the job is aborted after {@code
   * -Dhyperslab.mpi.farewellSeconds} (30).
   *
   * @param open supplies the names, which messages show; called by any thread
   * @return an action that removes the registration
   */
  public Runnable watchOpen(Supplier<List<String>> open) {
    return finalization.watch(open);
  }

  /** {@return this process's MPI if it has been started} */
  public static Optional<Mpi> started() {
    return Optional.ofNullable(STARTED.get());
  }

  /**
   * Finalises MPI and waits for all ranks to do so. Every later call throws {@link
   * InvalidUseException}. Call this only if MPI must end before the process does.
   */
  public void finish() {
    synchronized (STARTED) {
      if (!library.isFinished()) {
        meetBeforeEnd();
        windows.close();
        int code = library.code(Call.FINALIZE);
        library.finish();
        if (code != 0) {
          throw new MpiException(
              Call.FINALIZE.symbol(), library.worldRank(), code, "did not finalise");
        }
      }
    }
  }

  /** {@return whether MPI has been finalised, by this class or by the code that started it} */
  public boolean isFinished() {
    if (foreign && !library.isFinished() && library.anInt(Call.FINALIZED) != 0) {
      library.finish();
    }
    return library.isFinished();
  }

  /** Returns whether other code has started MPI, and owns its predefined communicators. */
  boolean isForeign() {
    return foreign;
  }

  /**
   * Takes ownership of a communicator that other code of this process has made. Its errors are
   * returned from now on, instead of ending the job.
   *
   * @param place memory that holds the MPI_Comm
   * @return the communicator, to be closed by the caller, which is collective
   * @throws InvalidUseException if it is MPI_COMM_NULL
   */
  public MpiCommunicator adoptCommunicator(MemorySegment place) {
    MpiCommunicator adopted = world.made(library.handleAt(place, 0));
    if (adopted == null) {
      throw new InvalidUseException("communicator: actual=MPI_COMM_NULL, expected=one with ranks");
    }
    return adopted;
  }

  /**
   * Takes ownership of hints that other code of this process has made.
   *
   * @param place memory that holds the MPI_Info
   * @return the hints, to be closed by the caller; empty for MPI_INFO_NULL
   */
  public Optional<MpiInfo> adoptInfo(MemorySegment place) {
    long handle = library.handleAt(place, 0);
    return handle == library.handle(Predefined.INFO_NULL)
        ? Optional.empty()
        : Optional.of(MpiInfo.owning(library, handle));
  }

  /**
   * Ends all ranks of the job at once.
   *
   * @param code the job's exit code, other than 0
   * @param why printed on standard error with the rank
   */
  public void abort(int code, String why) {
    System.err.println("rank " + world.rank() + " of " + world.size() + " aborts: " + why);
    System.err.flush();
    System.out.flush();
    // A launcher may end before it has forwarded output that it has not read yet.
    LockSupport.parkNanos(ABORT_PAUSE_NANOS);
    long handle = world.handle();
    int unused = library.code(Call.ABORT, value(handle), value(code));
    Runtime.getRuntime().halt(code);
  }

  /** {@return the version of the MPI standard, such as {@code 3.1}} */
  public String standardVersion() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment major = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment minor = arena.allocate(ValueLayout.JAVA_INT);
      library.call(Call.GET_VERSION, major, minor);
      return major.get(ValueLayout.JAVA_INT, 0) + "." + minor.get(ValueLayout.JAVA_INT, 0);
    }
  }

  /** {@return the library's version text: name and version, in one or more lines} */
  public String libraryVersion() {
    return library.text(Call.GET_LIBRARY_VERSION);
  }

  /** {@return the library's name and version in short form, such as {@code Open MPI 4.1.4}} */
  public String libraryTitle() {
    return LibraryTitle.of(library.abi(), libraryVersion());
  }

  /**
   * {@return how many started transfers, of all files of this process, nobody has tested or awaited
   * to their end; a split transfer counts until its second half} OMPIO, the MPI-IO of Open MPI,
   * refuses to sync any file meanwhile, on this rank only, so that the others wait for it for ever.
   */
  public int startedFileTransfers() {
    return library.startedFileTransfers().size();
  }

  /** {@return the library's file name or path} */
  public String libraryName() {
    return library.name();
  }

  /** {@return the library's ABI} */
  public Abi abi() {
    return library.abi();
  }

  /** {@return the thread level, which says which threads may call MPI} */
  public ThreadLevel threadLevel() {
    return threadLevel;
  }

  /** {@return the name of the machine as MPI knows it} */
  public String processorName() {
    return library.text(Call.GET_PROCESSOR_NAME);
  }

  /** {@return the communicator of all ranks of the job} */
  public MpiCommunicator world() {
    return world;
  }

  /** {@return the communicator of this rank alone} */
  public MpiCommunicator self() {
    return self;
  }

  /**
   * {@return a predefined datatype}
   *
   * @param type the datatype
   */
  public MpiDatatype type(MpiType type) {
    return types.computeIfAbsent(type, t -> MpiDatatype.predefined(library, t));
  }

  /** {@return empty hints, to be closed by the caller} */
  public MpiInfo newInfo() {
    return MpiInfo.create(library);
  }

  /**
   * {@return hints with the given values, to be closed by the caller}
   *
   * @param values values by name
   */
  public MpiInfo newInfo(Map<String, String> values) {
    MpiInfo info = newInfo();
    values.forEach(info::set);
    return info;
  }

  /**
   * {@return the lengths of a process grid for a number of ranks, as nearly equal as possible}
   *
   * @param ranks the number of ranks
   * @param fixed for each dimension, its length, or 0 to let MPI choose
   * @throws MpiException if the fixed lengths do not divide the ranks
   */
  public int[] dimensions(int ranks, int... fixed) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment dims = arena.allocateFrom(ValueLayout.JAVA_INT, fixed);
      library.call(Call.DIMS_CREATE, value(ranks), value(fixed.length), dims);
      return dims.toArray(ValueLayout.JAVA_INT);
    }
  }

  Library library() {
    return library;
  }

  OpenWindows windows() {
    return windows;
  }
}
