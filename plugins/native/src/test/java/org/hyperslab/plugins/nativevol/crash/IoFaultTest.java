package org.hyperslab.plugins.nativevol.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.plugins.nativevol.ConnectorOver;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.store.FaultStore;
import org.hyperslab.testkit.store.FaultStore.Fault;
import org.hyperslab.testkit.store.FaultStore.Operation;
import org.hyperslab.testkit.store.WriteLog;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes each request of a workload to its storage fail, once or permanently, with none or a part of
 * a write done, and limits the disk to many sizes. The caller must get a typed error, no memory may
 * be leaked, and the file must have the state of the last flush. The ordinary gate makes every
 * sixth request fail.
 *
 * <p>The system property {@code hyperslab.fault.files} sets the number of workloads (3).
 */
final class IoFaultTest {

  private static final int FILES = Integer.getInteger("hyperslab.fault.files", 3);
  private static final int FLUSHES = 4;
  private static final int EDITS = 6;
  private static final int DISK_SIZES = Effort.times(15, 60);
  private static final int FILE_FAULTS = 12;

  /** The distance between two calls that are made to fail. */
  private static final int OF_CALLS = Effort.times(6, 1);

  private static final long NEVER = Long.MAX_VALUE;

  private static final List<FormatVersion> GENERATIONS =
      List.of(FormatVersion.EARLIEST, FormatVersion.V110, FormatVersion.V18);

  @TempDir Path folder;
  private final long seed = Seeds.draw();
  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

  /** A workload and its state when a fault stops it. */
  private final class Run {
    private final long runSeed;
    private final FormatVersion low;
    private State last;
    private State next;
    private boolean flushing;

    Run(long runSeed, FormatVersion low) {
      this.runSeed = runSeed;
      this.low = low;
    }

    /** Edits a file in one session on a store; a failure is thrown after an attempt to close. */
    void go(ByteStore store, Runnable failed) {
      Random random = new Random(runSeed);
      Workload workload = Workload.ofNewFile(random);
      CreateOptions options =
          CreateOptions.DEFAULT.withAccess(CutJudge.EDIT.withBounds(low, FormatVersion.V200));
      try (Session session = Hdf5.session(ConnectorOver.store(store))) {
        H5File file = session.create("faulty", options);
        try {
          edit(file, workload, random);
          flushing(workload, file::close);
        } catch (HyperslabException failure) {
          failed.run();
          closeInSpiteOf(workload, file);
          throw failure;
        }
      }
    }

    private void edit(H5File file, Workload workload, Random random) {
      for (int flush = 0; flush < FLUSHES; flush++) {
        for (int i = 0; i < EDITS; i++) {
          workload.step(file);
          if (random.nextInt(8) == 0) {
            State.of(file);
          }
        }
        flushing(workload, file::flush);
      }
      workload.step(file);
      workload.closeObjects();
    }

    private void flushing(Workload workload, Runnable flush) {
      next = workload.model.unchanged();
      flushing = true;
      flush.run();
      flushing = false;
      last = workload.model.flushed();
    }

    private void closeInSpiteOf(Workload workload, H5File file) {
      try {
        workload.closeObjects();
      } catch (HyperslabException expected) {
        // The dataset could not write its pending changes.
      }
      try {
        file.close();
      } catch (HyperslabException expected) {
        // Neither could the file.
      }
    }
  }

  @Test
  void everyFaultIsReportedAndLeavesTheLastFlush() {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      long runSeed = seed + i;
      FormatVersion low = GENERATIONS.get(i % GENERATIONS.size());
      FaultStore whole = new FaultStore(new MemoryStore("whole"));
      Map<Operation, Long> calls = new EnumMap<>(Operation.class);
      new Run(runSeed, low).go(whole, () -> {});
      for (Operation operation : Operation.values()) {
        calls.put(operation, whole.calls(operation));
      }
      long end = 1 + whole.log().entries().stream().mapToLong(IoFaultTest::end).max().orElse(0);
      faults(calls, end)
          .parallel()
          .forEach(fault -> {
            String problem = problem(new Run(runSeed, low), fault);
            counts.computeIfAbsent(fault.name, name -> new AtomicLong()).incrementAndGet();
            if (problem != null) {
              synchronized (problems) {
                problems.add(low + ", seed " + runSeed + ", " + fault + ": " + problem);
              }
            }
          });
    }
    System.out.println("I/O faults: " + counts + ", seed " + seed);
    assertThat(problems.stream().limit(10)).as(problems.size() + " problems").isEmpty();
    assertThat(TransferResources.shared().buffers().lent()).as("buffers not given back").isZero();
  }

  private static long end(WriteLog.Entry entry) {
    return entry instanceof WriteLog.Written written
        ? written.offset() + written.bytes().byteSize()
        : 0;
  }

  /** A simulated failure: a fault, or a disk with a number of bytes. */
  private record Wrong(String name, Fault fault, long diskBytes) {
    void arm(FaultStore store) {
      if (fault == null) {
        store.limitSpace(diskBytes);
      } else {
        store.arm(fault);
      }
    }
  }

  private static Stream<Wrong> faults(Map<Operation, Long> calls, long end) {
    List<Wrong> all = new ArrayList<>();
    calls.forEach((operation, count) -> {
      for (long call = 1; call <= count; call += OF_CALLS) {
        all.add(new Wrong(operation + " once", Fault.once(operation, call), NEVER));
        all.add(new Wrong(operation + " for good", Fault.forGood(operation, call), NEVER));
        if (operation == Operation.WRITE) {
          for (long done : new long[] {1, 10, 30, 600}) {
            all.add(new Wrong("WRITE short", Fault.shortWrite(call, done), NEVER));
          }
        }
      }
    });
    for (int i = 0; i < DISK_SIZES; i++) {
      all.add(new Wrong("disk full", null, end * i / DISK_SIZES));
    }
    return all.stream();
  }

  private static String problem(Run run, Wrong wrong) {
    MemoryStore memory = new MemoryStore("faulty");
    Kept kept = new Kept(memory);
    FaultStore store = new FaultStore(kept);
    wrong.arm(store);
    byte[][] left = new byte[1][];
    try {
      run.go(store, () -> left[0] = memory.toByteArray());
      return wrong.fault == null ? null : "nothing failed";
    } catch (StorageException expected) {
      String problem = left[0] == null ? null : leftProblem(run, left[0]);
      if (problem == null && !kept.closed) {
        problem = "the store was not closed";
      }
      return problem == null ? closedProblem(run, memory.toByteArray()) : problem;
    } catch (RuntimeException | StackOverflowError other) {
      return "thrown: " + other;
    }
  }

  /**
   * Requires that the file after a failure has the state of the last flush, or of the one that
   * failed.
   */
  private static String leftProblem(Run run, byte[] image) {
    State found;
    try {
      found = CutJudge.state(image);
    } catch (HyperslabException refused) {
      return run.last == null ? null : "left unreadable: " + refused;
    }
    String last = run.last == null ? "no flush was completed" : run.last.difference(found);
    if (last == null) {
      return null;
    }
    String next = run.flushing ? run.next.difference(found) : "no flush was under way";
    return next == null ? null : "not the last flush: " + last + "; not the next: " + next;
  }

  /** After the file was closed as far as it could be, all of it can be read. */
  private static String closedProblem(Run run, byte[] image) {
    try {
      CutJudge.state(image);
      return null;
    } catch (HyperslabException refused) {
      return run.last == null ? null : "unreadable when closed: " + refused;
    }
  }

  /** A store whose bytes outlive its being closed. */
  private static final class Kept extends StoreDecorator {
    private volatile boolean closed;

    Kept(ByteStore store) {
      super(store);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void filesAreClosedWhateverFails() throws IOException {
    long before = openFiles();
    long failed = 0;
    for (Operation operation : Operation.values()) {
      for (long call = 1; call <= FILE_FAULTS; call++) {
        Path path = folder.resolve("faulty.h5");
        FaultStore store = new FaultStore(FileStore.open(path, FileAccess.TRUNCATE));
        store.arm(Fault.once(operation, call * call));
        try {
          new Run(seed, FormatVersion.V110).go(store, () -> {});
        } catch (StorageException expected) {
          failed++;
        }
      }
    }
    assertThat(failed).isPositive();
    assertThat(openFiles())
        .as("open files after %d faults, seed %d", failed, seed)
        .isEqualTo(before);
  }

  private static long openFiles() throws IOException {
    Path own = Path.of("/proc/self/fd");
    Assumptions.assumeTrue(Files.isDirectory(own), "no /proc");
    try (Stream<Path> files = Files.list(own)) {
      return files.filter(IoFaultTest::isFaulty).count();
    }
  }

  private static boolean isFaulty(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains("faulty.h5");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }
}
