package org.hyperslab.mpiio.file;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.testkit.Seeds;

/**
 * Carries out random programs of collective routines for a long time in one JVM, on files: blocking
 * and started accesses beside a model ({@link RandomProgram}), and programs whose ranks diverge
 * ({@link DivergentProgram}). Prints once a minute how many there were, and the memory, open files
 * and threads in use, which should stay level. Native buffers are counted only if the JVM was
 * started with {@code -XX:NativeMemoryTracking=summary}. Resident memory grows until all of the
 * committed heap has been touched; by default that is at least a 64th of the machine's memory, so
 * start the JVM with a small heap, such as {@code -Xmx64m}.
 *
 * <p>Arguments: minutes, a folder, and optionally a seed. Each program has a generator of its own,
 * so that one can be repeated: its number is in the message of a failure.
 */
final class CollectiveSoak {

  private static final int STEPS = 30;
  private static final double DEADLINE_SECONDS = 0.05;

  /** The JVM's category of memory that {@code Arena.allocate} takes. */
  private static final Pattern OTHER_MEMORY =
      Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB");

  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final List<String> HINTS =
      List.of(
          "progress=thread",
          "progress=engine romio_cb_write=enable romio_cb_read=enable",
          "progress=wait sharedfp=lockedfile",
          "progress=wait hyperslab_requests=io_uring",
          "progress=thread hyperslab_requests=io_uring hyperslab_shared_memory=disable",
          "progress=thread hyperslab_shared_memory=disable romio_cb_write=enable",
          "progress=wait hyperslab_collective=individual romio_ds_write=enable",
          "progress=thread hyperslab_collective=dynamic hyperslab_shared_memory=disable");

  private final Path folder;
  private final long seed;
  private long modelled;
  private long divergent;
  private long failures;

  private CollectiveSoak(Path folder, long seed) {
    this.folder = folder;
    this.seed = seed;
  }

  /** Runs for a number of minutes; throws at the first program that does something wrong. */
  public static void main(String[] arguments) throws IOException {
    long seed = arguments.length > 2 ? Long.parseLong(arguments[2]) : Seeds.draw();
    System.out.println("seed " + seed);
    long end = System.nanoTime() + Integer.parseInt(arguments[0]) * MINUTE_NANOS;
    CollectiveSoak soak = new CollectiveSoak(Path.of(arguments[1]), seed);
    long told = System.nanoTime();
    for (long program = 0; System.nanoTime() - end < 0; program++) {
      try {
        soak.run(program);
      } catch (RuntimeException | AssertionError wrong) {
        throw new AssertionError("program " + program + " of seed " + seed, wrong);
      }
      if (System.nanoTime() - told > MINUTE_NANOS) {
        told = System.nanoTime();
        soak.report();
      }
    }
    soak.report();
    System.out.println("ended well");
  }

  private void run(long program) throws IOException {
    Random random = Seeds.random(seed, program);
    Path path = folder.resolve("soak");
    Files.deleteIfExists(path);
    int ranks = 2 + random.nextInt(3);
    String hints = HINTS.get(random.nextInt(HINTS.size()));
    ThreadWorld world = ThreadWorld.of(ranks).withTimeLimit(Duration.ofMinutes(5));
    if (random.nextInt(4) > 0) {
      diverge(world, DivergentProgram.of(random, ranks, DEADLINE_SECONDS), path);
      return;
    }
    modelled++;
    long numbers = random.nextLong();
    world.run(comm -> model(comm, path, Hints.parse(hints), numbers));
  }

  private static void model(Communicator comm, Path path, Hints hints, long numbers) {
    MpiFile file =
        MpiFile.open(comm, path, Set.of(AccessMode.CREATE, AccessMode.READ_WRITE), hints);
    FileModel model = new RandomProgram(comm, file, numbers).run(STEPS);
    file.close();
    comm.barrier();
    try {
      if (!Arrays.equals(Files.readAllBytes(path), model.content())) {
        throw new AssertionError("the file is not what the model says");
      }
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
    comm.barrier();
  }

  private void diverge(ThreadWorld world, DivergentProgram program, Path path) {
    divergent++;
    try {
      world.run(comm ->
          program.run(comm, (ranks, modes, hints) -> MpiFile.open(ranks, path, modes, hints)));
    } catch (MpiException told) {
      failures++;
      boolean typed =
          told.getCause() instanceof HyperslabException
              || told.getCause() instanceof DivergentProgram.Injected;
      if (!typed || told.getMessage().contains("time limit")) {
        throw new AssertionError(program.toString(), told);
      }
    }
  }

  private void report() throws IOException {
    System.gc();
    Request.testGivenUp();
    Runtime runtime = Runtime.getRuntime();
    long heap = runtime.totalMemory() - runtime.freeMemory();
    long resident = 0;
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        resident = Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    System.out.printf(
        "%d programs beside a model, %d divergent (%d failed with a type); heap %.1f of %.1f MiB,"
            + " native buffers %.1f MiB (%d lent), resident %.1f MiB, %d open files, %d threads%n",
        modelled,
        divergent,
        failures,
        heap / 1048576.0,
        runtime.totalMemory() / 1048576.0,
        nativeBufferKibibytes() / 1024.0,
        BufferPool.lentByAll(),
        resident / 1024.0,
        Objects.requireNonNull(new File("/proc/self/fd").list()).length,
        Objects.requireNonNull(new File("/proc/self/task").list()).length);
  }

  /** Returns the memory of native buffers; NaN if the JVM does not track it. */
  private static double nativeBufferKibibytes() {
    try {
      Object text =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "vmNativeMemory",
                  new Object[] {new String[] {"summary", "scale=KB"}},
                  new String[] {String[].class.getName()});
      Matcher other = OTHER_MEMORY.matcher((String) text);
      return other.find() ? Double.parseDouble(other.group(1)) : Double.NaN;
    } catch (JMException unavailable) {
      return Double.NaN;
    }
  }
}
