package org.hyperslab.testkit.fuzz;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The process in which mutants are tried. A case fails if it takes more than two seconds of
 * processor time twice, if the target throws, or if the heap is exhausted.
 *
 * <p>It prints lines of words separated by tabs: {@code bad}, kind, case, file, stack; at the end
 * {@code end}, cases tried, edges, files in the pool, the slowest case in milliseconds of processor
 * time, and the next case.
 */
final class FuzzChild {

  /** The exit code of a child that cannot try more cases. */
  static final int GO_ON = 3;

  private static final long MAX_MILLIS = 2000;
  private static final long HANGING_MILLIS = 10_000;
  private static final long HANGING_WALL_MILLIS = 60_000;
  private static final long LONGEST_SEED_BYTES = 1 << 19;
  private static final int LONGEST_STACK = 24;

  /** A file of the pool. */
  private record Entry(Path path, MetadataMap map) {}

  private final FuzzOptions options;
  private final Path scratch;
  private final PrintStream out;
  private final FuzzTarget target;
  private final ClassLoader loader;
  private final List<Entry> pool = new ArrayList<>();
  private final Set<String> known = new HashSet<>();
  private final MetadataMap[] maps;
  private long tried;
  private long slowestMillis;

  private FuzzChild(FuzzOptions options, Path scratch, PrintStream out)
      throws ReflectiveOperationException {
    this.options = options;
    this.scratch = scratch;
    this.out = out;
    this.loader = options.guided() ? new CoverageLoader() : FuzzChild.class.getClassLoader();
    this.target =
        (FuzzTarget) loader.loadClass(options.target()).getDeclaredConstructor().newInstance();
    this.maps = new MetadataMap[options.seeds().size()];
  }

  /** Runs a child. Arguments: the list of seeds, the first case, and the options. */
  public static void main(String[] arguments) throws Exception {
    List<Path> seeds = Files.readAllLines(Path.of(arguments[0])).stream().map(Path::of).toList();
    List<String> words = Arrays.asList(arguments).subList(2, arguments.length);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    System.setErr(System.out);
    Path shared = Path.of("/dev/shm");
    Path scratch =
        Files.isWritable(shared)
            ? Files.createTempDirectory(shared, "hyperslab-fuzz")
            : Files.createTempDirectory("hyperslab-fuzz");
    int code = 1;
    try {
      FuzzChild child = new FuzzChild(FuzzOptions.of(words, seeds), scratch, out);
      code = child.run(Long.parseLong(arguments[1])) ? 0 : GO_ON;
    } catch (Throwable failure) {
      failure.printStackTrace(out);
    } finally {
      delete(scratch);
    }
    out.flush();
    Runtime.getRuntime().halt(code);
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path each : files.toList()) {
        Files.deleteIfExists(each);
      }
    }
    Files.deleteIfExists(folder);
  }

  /** Tries cases; returns false if another process must continue. */
  private boolean run(long first) throws Exception {
    boolean seedsOnly = options.cases() == 0;
    if (options.guided()) {
      learn();
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.seconds());
    long total = seedsOnly ? options.seeds().size() : options.cases();
    long at = first;
    boolean usable = true;
    while (usable && at < total && System.nanoTime() < deadline) {
      usable = seedsOnly ? unchanged((int) at) : mutant(at);
      at++;
      tried++;
    }
    long next = usable && at < total ? total : at;
    out.println(
        String.join(
            "\t",
            "end",
            Long.toString(tried),
            Integer.toString(Coverage.edges()),
            Integer.toString(pool.size()),
            Long.toString(slowestMillis),
            Long.toString(next)));
    return usable;
  }

  /** Marks the edges that the seeds cover as seen. */
  private void learn() throws Exception {
    for (int i = 0; i < options.seeds().size(); i++) {
      if (Files.size(options.seeds().get(i)) <= LONGEST_SEED_BYTES) {
        Coverage.clear();
        Path file = scratch.resolve("seed");
        Files.copy(options.seeds().get(i), file, StandardCopyOption.REPLACE_EXISTING);
        use(file);
        Coverage.takeNewCoverage();
      }
    }
  }

  private boolean unchanged(int i) throws Exception {
    Path file = scratch.resolve("case.h5");
    Files.copy(options.seeds().get(i), file, StandardCopyOption.REPLACE_EXISTING);
    return judged(file, i, options.seeds().get(i).getFileName().toString());
  }

  private boolean mutant(long index) throws Exception {
    Random random = new Random(options.seed() * 1_000_003 + index);
    Entry parent = pick(random);
    byte[] other = Files.readAllBytes(pick(random).path);
    byte[] bytes =
        new Mutator(random)
            .mutate(
                Files.readAllBytes(parent.path),
                parent.map,
                other.length == 0 ? new byte[1] : other);
    Path file = scratch.resolve("case.h5");
    Files.write(file, bytes);
    if (options.guided()) {
      Coverage.clear();
    }
    boolean usable = judged(file, index, parent.path.getFileName().toString());
    if (options.guided() && usable && Coverage.takeNewCoverage()) {
      Path kept = scratch.resolve("pool-" + pool.size());
      Files.write(kept, bytes);
      pool.add(new Entry(kept, parent.map));
    }
    return usable;
  }

  private Entry pick(Random random) throws IOException {
    if (!pool.isEmpty() && random.nextBoolean()) {
      int recent = Math.min(pool.size(), 200);
      int from = random.nextBoolean() ? pool.size() - recent : 0;
      return pool.get(from + random.nextInt(pool.size() - from));
    }
    while (true) {
      int i = random.nextInt(maps.length);
      Path path = options.seeds().get(i);
      if (Files.size(path) <= LONGEST_SEED_BYTES && Files.size(path) > 0) {
        if (maps[i] == null) {
          maps[i] = MetadataMap.of(Files.readAllBytes(path));
        }
        return new Entry(path, maps[i]);
      }
    }
  }

  /** Tries a file and reports failures; returns false if this process cannot try more. */
  private boolean judged(Path file, long index, String origin) throws Exception {
    byte[] bytes = Files.size(file) <= LONGEST_SEED_BYTES ? Files.readAllBytes(file) : null;
    Outcome outcome = use(file);
    if (outcome.kind == null && outcome.processorMillis > MAX_MILLIS && bytes != null) {
      Files.write(file, bytes);
      outcome = use(file);
      if (outcome.kind == null && outcome.processorMillis > MAX_MILLIS) {
        outcome = new Outcome("slow", outcome.processorMillis + " ms", outcome.processorMillis);
      }
    }
    if (outcome.kind != null) {
      String place = outcome.stack;
      if (known.add(place)) {
        Path kept = options.folder().resolve("bad-" + options.seed() + "-" + index + ".h5");
        if (bytes != null) {
          Files.write(kept, bytes);
        }
        out.println(
            String.join(
                "\t",
                "bad",
                outcome.kind,
                Long.toString(index),
                origin,
                kept.toString(),
                outcome.stack));
      }
    }
    return outcome.kind == null || outcome.kind.equals("failure");
  }

  private record Outcome(String kind, String stack, long processorMillis) {}

  private Outcome use(Path file) throws InterruptedException {
    Throwable[] thrown = new Throwable[1];
    Thread worker =
        new Thread(
            () -> {
              try {
                target.use(file);
              } catch (Throwable failure) {
                thrown[0] = failure;
              }
            },
            "case");
    worker.setContextClassLoader(loader);
    worker.setDaemon(true);
    long startedAt = System.nanoTime();
    long processorAt = processorNanos();
    worker.start();
    for (long wall = 0; worker.isAlive(); wall = millis(System.nanoTime() - startedAt)) {
      if (millis(processorNanos() - processorAt) > HANGING_MILLIS || wall > HANGING_WALL_MILLIS) {
        return new Outcome("hang", stack(worker.getStackTrace()), wall);
      }
      worker.join(100);
    }
    long processor = millis(processorNanos() - processorAt);
    slowestMillis = Math.max(slowestMillis, processor);
    if (thrown[0] == null) {
      return new Outcome(null, "", processor);
    }
    return new Outcome(
        causedBy(thrown[0], OutOfMemoryError.class) ? "memory" : "failure",
        text(thrown[0]),
        processor);
  }

  private static boolean causedBy(Throwable failure, Class<?> type) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }

  private static long processorNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : System.nanoTime();
  }

  private static String stack(StackTraceElement[] trace) {
    return Arrays.stream(trace)
        .limit(LONGEST_STACK)
        .map(FuzzChild::frame)
        .collect(Collectors.joining(" < "));
  }

  private static String frame(StackTraceElement element) {
    String type = element.getClassName();
    return type.substring(type.lastIndexOf('.') + 1)
        + "."
        + element.getMethodName()
        + ":"
        + element.getLineNumber();
  }

  /** Returns the innermost cause, and the place where it was thrown. */
  private static String text(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause.getClass().getSimpleName()
        + " "
        + stack(Arrays.copyOf(cause.getStackTrace(), Math.min(6, cause.getStackTrace().length)));
  }
}
