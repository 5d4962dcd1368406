package org.hyperslab.benchmarks.steps;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.StepReader;
import org.hyperslab.StepReader.Step;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.StepOptions;
import org.hyperslab.plugins.nativevol.NativeConnector;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.hyperslab.vol.StepOperation;

/**
 * Measures a detector: frames of 64×64 uint16 with 50 values each at a fixed rate, each frame a
 * step, while h5py follows in SWMR mode. Prints how many steps were written and seen, the lag of
 * h5py from the end of a step until its elements have been read and compared, and how long
 * publications take. The last seconds are repeated with a writer that is killed.
 *
 * <p>Arguments: a folder, the script of the follower, the seconds (60), the frames in a second
 * (4000), the milliseconds of {@code flushEvery} (25).
 */
final class DetectorPeer {

  private static final int SIDE = 64;
  private static final int VALUES = 50;
  private static final int KILLED_SECONDS = 5;
  private static final String PYTHON = "/usr/bin/python3";
  private static final Datatype PIXEL = Datatypes.U16LE.inMemory();

  private DetectorPeer() {}

  /**
   * Runs the measurement.
   *
   * @param arguments see the class
   * @throws IOException if the programs cannot be started
   * @throws InterruptedException if the thread is interrupted
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments[0].equals("write")) {
      write(
          Path.of(arguments[1]), number(arguments, 2), number(arguments, 3), number(arguments, 4));
      return;
    }
    Path folder = Path.of(arguments[0]);
    String follower = arguments[1];
    int seconds = arguments.length > 2 ? number(arguments, 2) : 60;
    int rate = arguments.length > 3 ? number(arguments, 3) : 4000;
    int flush = arguments.length > 4 ? number(arguments, 4) : 25;
    System.out.println("| what | figure |\n|---|---|");
    Path path = folder.resolve("detector.h5");
    Process writer = writer(path, seconds, rate, flush).start();
    try (BufferedReader said = writer.inputReader(StandardCharsets.UTF_8)) {
      said.readLine(); // the file is there
      Process reader =
          new ProcessBuilder(PYTHON, follower, path.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .start();
      said.lines().filter(line -> line.startsWith("|")).forEach(System.out::println);
      writer.waitFor();
      reader.waitFor();
    }
    Files.delete(path);
    killed(folder.resolve("killed.h5"), rate, flush);
  }

  private static int number(String[] arguments, int index) {
    return Integer.parseInt(arguments[index]);
  }

  private static ProcessBuilder writer(Path path, int seconds, int rate, int flush) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(DetectorPeer.class.getName(), "write", path.toString()));
    command.addAll(
        List.of(Integer.toString(seconds), Integer.toString(rate), Integer.toString(flush)));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  /** Kills a writer, and compares what it has published with what a follower sees. */
  private static void killed(Path path, int rate, int flush)
      throws IOException, InterruptedException {
    Path said = path.resolveSibling("said.txt");
    ProcessBuilder writing = writer(path, 1000, rate, flush);
    Process writer = writing.redirectOutput(said.toFile()).start();
    writer.waitFor(KILLED_SECONDS, TimeUnit.SECONDS);
    writer.destroyForcibly().waitFor();
    long published = 0;
    for (String line : Files.readAllLines(said)) {
      published = Math.max(published, complete(line));
    }
    long seen = 0;
    try (H5File file = Hdf5.open(path, OpenOptions.READ.withSwmr(true));
        StepReader steps = file.follow()) {
      for (var step = steps.next(Duration.ZERO);
          step.isPresent();
          step = steps.next(Duration.ZERO)) {
        seen += isRight(step.get()) ? 1 : 0;
      }
    }
    System.out.printf(
        "| killed: steps published as the writer said, seen whole afterwards | %d, %d |%n",
        published, seen);
    Files.delete(path);
    Files.delete(said);
  }

  /** Returns the number in a line; 0 if it has none. A line that is cut has a smaller number. */
  private static long complete(String line) {
    return line.matches("[0-9]{1,18}") ? Long.parseLong(line) : 0;
  }

  private static boolean isRight(Step step) {
    int[] frame = step.slice("/frames").readInts();
    int expected = (int) step.number() & 0xFFFF;
    return frame.length == SIDE * SIDE
        && Arrays.stream(frame).allMatch(pixel -> pixel == expected)
        && step.slice("/value49").readDouble() == step.number();
  }

  // --- the writer ---

  private static void write(Path path, int seconds, int rate, int flush) {
    Timed timed = new Timed(new NativeConnector());
    CreateOptions options =
        CreateOptions.DEFAULT.withAccess(
            OpenOptions.EDIT.withSwmr(true).withDurability(Durability.PROCESS));
    try (Session session = Hdf5.session(timed);
        H5File file = session.create(path, options)) {
      Dataset frames =
          file.datasetBuilder("frames")
              .type(Datatypes.U16LE)
              .shape(0, SIDE, SIDE)
              .maxShape(Hdf5.UNLIMITED, SIDE, SIDE)
              .options(DatasetOptions.chunked(64, SIDE, SIDE).build())
              .create();
      Dataset[] values = new Dataset[VALUES];
      for (int i = 0; i < VALUES; i++) {
        values[i] =
            file.datasetBuilder("value" + i)
                .type(Datatypes.F64LE)
                .shape(0)
                .maxShape(Hdf5.UNLIMITED)
                .options(DatasetOptions.chunked(8192).build())
                .create();
      }
      file.startSteps(StepOptions.builder().flushEvery(Duration.ofMillis(flush)).build());
      System.out.println("ready");
      short[] pixels = new short[SIDE * SIDE];
      long begun = System.nanoTime();
      long count = (long) seconds * rate;
      long late = 0;
      for (long i = 0; i < count; i++) {
        long due = begun + i * 1_000_000_000L / rate;
        long now = System.nanoTime();
        while (now < due) {
          LockSupport.parkNanos(due - now);
          now = System.nanoTime();
        }
        late = Math.max(late, now - due);
        Arrays.fill(pixels, (short) i);
        file.beginStep();
        frames.append(Memory.of(MemorySegment.ofArray(pixels), PIXEL, SIDE, SIDE));
        values[0].append(System.currentTimeMillis() / 1e3);
        for (int value = 1; value < VALUES; value++) {
          values[value].append((double) i);
        }
        file.endStep();
      }
      double took = (System.nanoTime() - begun) / 1e9;
      file.flush();
      print("steps written", "%d in %.2f s, %.0f a second", count, took, count / took);
      print("greatest delay of a frame", "%.1f ms", late / 1e6);
      timed.report();
    }
  }

  private static void print(String what, String format, Object... figures) {
    System.out.println("| " + what + " | " + String.format(Locale.ROOT, format, figures) + " |");
  }

  /** Measures from the first write after a publication to the end of the next publication. */
  private static final class Timed extends PassThroughConnector {
    private final List<Long> nanos = new ArrayList<>();
    private long begun;

    private Timed(Connector below) {
      super("timed", below);
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      boolean publishes = operation instanceof StepOperation.Publish;
      if (begun == 0 && (publishes || operation instanceof DatasetOperation.SetExtent)) {
        begun = System.nanoTime();
      }
      CompletionStage<R> stage = super.submit(operation);
      if (operation instanceof StepOperation.Publish publish) {
        nanos.add(System.nanoTime() - begun);
        begun = 0;
        System.out.println(publish.first() + publish.rows().size());
      }
      return stage;
    }

    private void report() {
      List<Long> sorted = nanos.stream().sorted().toList();
      print(
          "flushes",
          "%d, median %.1f ms, p99 %.1f ms, greatest %.1f ms",
          sorted.size(),
          sorted.get(sorted.size() / 2) / 1e6,
          sorted.get((int) (sorted.size() * 0.99)) / 1e6,
          sorted.getLast() / 1e6);
    }
  }
}
