package org.hyperslab.benchmarks.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Selection;

/**
 * Measures what a program sees of a checkpoint through a log. It measures seconds until a flush
 * after all writes has returned, and seconds of the close, which migrates; beside {@code native},
 * beside writing and forcing the same bytes alone, and beside a plain copy of the file. Prints a
 * row of a Markdown table for each scenario: medians of rounds by turns, and ratios with their
 * range.
 *
 * <p>Arguments: a folder for files, a folder for logs, the number of rounds (7), a folder with
 * E3SM-IO's maps of 16 processes (none: its cases are left out).
 */
final class LogPeer {

  private static final int BLOCKS = 80;
  private static final int BLOCK = 16 * 16 * 16;
  private static final int VARIABLES = 24;
  private static final int STRIDED_WRITES = 10_000;
  private static final int COPY_BYTES = 4 << 20;

  private final Path folder;
  private final Path logs;

  private LogPeer(Path folder, Path logs) {
    this.folder = folder;
    this.logs = logs;
  }

  /** What a program writes; returns the number of bytes of elements. */
  private interface Program {
    long write(H5File file);
  }

  /**
   * Runs the measurement.
   *
   * @param arguments see the class
   * @throws IOException if the files cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    LogPeer peer = new LogPeer(Path.of(arguments[0]), Path.of(arguments[1]));
    int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 7;
    System.out.println(
        "| scenario | native, s | log, s | bytes alone, s | log/native | log/bytes alone |"
            + " drain, s | plain copy, s | drain/copy |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    peer.measure("strided writes", LogPeer::strided, rounds);
    peer.measure("FLASH-like checkpoint", LogPeer::checkpoint, rounds);
    if (arguments.length > 3) {
      Path maps = Path.of(arguments[3]);
      peer.measure("E3SM-IO, F", E3smCase.f(maps)::write, rounds);
      peer.measure("E3SM-IO, G", E3smCase.g(maps)::write, rounds);
    }
  }

  private static long strided(H5File file) {
    double[] values = new double[256];
    try (Dataset dataset =
        file.datasetBuilder("strided").type(double.class).shape(1024, 2048).create()) {
      for (int i = 0; i < STRIDED_WRITES; i++) {
        Arrays.fill(values, i);
        long row = i * 7919L % 961;
        long column = i * 104_729L % 1985;
        dataset.write(
            Selection.hyperslab(
                new long[] {row, column},
                new long[] {4, 4},
                new long[] {16, 16},
                new long[] {1, 1}),
            values);
      }
    }
    return (long) STRIDED_WRITES * values.length * Double.BYTES;
  }

  private static long checkpoint(H5File file) {
    double[] block = new double[BLOCK];
    for (int variable = 0; variable < VARIABLES; variable++) {
      try (Dataset dataset =
          file.datasetBuilder("unk" + variable)
              .type(double.class)
              .shape(BLOCKS, 16, 16, 16)
              .create()) {
        for (int i = 0; i < BLOCKS; i++) {
          Arrays.fill(block, variable + i);
          dataset.write(Selection.box(new long[] {i, 0, 0, 0}, new long[] {1, 16, 16, 16}), block);
        }
      }
    }
    return (long) VARIABLES * BLOCKS * BLOCK * Double.BYTES;
  }

  /** The seconds of one round. */
  private record Round(double plain, double logged, double alone, double drain, double copy) {}

  /** Runs a program once, so that it is compiled, and then in rounds. */
  private void measure(String name, Program program, int rounds) throws IOException {
    round(program);
    List<Round> all = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      all.add(round(program));
    }
    double[] toNative = all.stream().mapToDouble(each -> each.logged / each.plain).toArray();
    double[] toAlone = all.stream().mapToDouble(each -> each.logged / each.alone).toArray();
    double[] toCopy = all.stream().mapToDouble(each -> each.drain / each.copy).toArray();
    System.out.printf(
        Locale.ROOT,
        "| %s | %.3f | %.3f | %.3f | %s | %s | %.3f | %.3f | %s |%n",
        name,
        median(all.stream().mapToDouble(Round::plain).toArray()),
        median(all.stream().mapToDouble(Round::logged).toArray()),
        median(all.stream().mapToDouble(Round::alone).toArray()),
        spread(toNative),
        spread(toAlone),
        median(all.stream().mapToDouble(Round::drain).toArray()),
        median(all.stream().mapToDouble(Round::copy).toArray()),
        spread(toCopy));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static String spread(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT, "%.2f [%.2f, %.2f]", median(values), sorted[0], sorted[sorted.length - 1]);
  }

  private Round round(Program program) throws IOException {
    Path plain = folder.resolve("plain.h5");
    double[] ofNative = run("native", program, plain);
    Path logged = folder.resolve("logged.h5");
    double[] ofLog = run("log path=" + logs + " | native", program, logged);
    double alone = alone((long) ofLog[2]);
    long started = System.nanoTime();
    Path copy = folder.resolve("copy.h5");
    Files.copy(logged, copy, StandardCopyOption.REPLACE_EXISTING);
    force(copy);
    double copied = seconds(started);
    for (Path each : List.of(plain, logged, copy)) {
      Files.delete(each);
    }
    return new Round(ofNative[0], ofLog[0], alone, ofLog[1], copied);
  }

  /** Returns the seconds until the flush has returned, those of the close, and the bytes. */
  private static double[] run(String stack, Program program, Path path) {
    try (Session session = Hdf5.session(stack)) {
      long started = System.nanoTime();
      H5File file = session.create(path);
      long bytes = program.write(file);
      file.flush();
      double visible = seconds(started);
      long closing = System.nanoTime();
      file.close();
      return new double[] {visible, seconds(closing), bytes};
    }
  }

  /** Writes as many bytes in large requests, and forces them. */
  private double alone(long bytes) throws IOException {
    Path path = logs.resolve("alone");
    ByteBuffer buffer = ByteBuffer.allocateDirect(COPY_BYTES);
    long started = System.nanoTime();
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; at += COPY_BYTES) {
        buffer.clear().limit((int) Math.min(COPY_BYTES, bytes - at));
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      }
      channel.force(true);
    }
    double seconds = seconds(started);
    Files.delete(path);
    return seconds;
  }

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  private static double seconds(long started) {
    return (System.nanoTime() - started) / 1e9;
  }
}
