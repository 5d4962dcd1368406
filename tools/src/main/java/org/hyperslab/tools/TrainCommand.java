package org.hyperslab.tools;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.plugins.libhdf5.BridgeLibrary;
import org.hyperslab.web.WebOptions;
import org.hyperslab.web.WebServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a small file and runs short commands on it, to record the launcher's AOT cache. */
@Command(
    name = "train",
    hidden = true,
    description = "Writes a small file of many kinds of object and runs other commands on it.")
final class TrainCommand implements Callable<Integer> {

  private static final int MANY = 100;

  /** Enough for the optimising compiler to reach all that is called for each: 10,000 are not. */
  private static final int SMALL = 50_000;

  /** A number of doubles that commands read in several pieces. */
  private static final int LARGE = 400_000;

  /** Enough rows of a table for the optimising compiler to reach all that is called for cells. */
  private static final int ROWS = 60_000;

  @Parameters(paramLabel = "FILE", description = "the file to write")
  private Path file;

  @Option(names = "--bridge", description = "does what programs of libhdf5 do instead")
  private boolean bridge;

  @Option(names = "--view", description = "requests the file through the viewer instead")
  private boolean view;

  @Option(names = "--convert", description = "converts the file to other formats and back instead")
  private boolean convert;

  @Override
  public Integer call() throws IOException {
    write();
    if (bridge) {
      BridgeLibrary.rehearse(Path.of(file + ".bridge"), SMALL);
      return 0;
    }
    if (view) {
      requestPage();
      return 0;
    }
    String name = file.toString();
    if (convert) {
      return Stream.concat(conversions(name), tables(name)).mapToInt(TrainCommand::run).sum();
    }
    String old = name + ".old.h5";
    writeOld(old, 0);
    String other = name + ".other.h5";
    writeOld(other, 1);
    int differs = run(List.of("diff", old, other)) - 1;
    return Stream.concat(commands(name), commands(old)).mapToInt(TrainCommand::run).sum() + differs;
  }

  private static Stream<List<String>> commands(String name) {
    return Stream.of(
        List.of("ls", "-rv", name),
        List.of("dump", "-A", name),
        List.of("dump", name),
        List.of("stat", name),
        List.of("diff", name, name),
        List.of("copy", "-i", name, "-o", name + ".copy.h5", "-s", "numbers", "-d", "numbers"),
        List.of("repack", name, name + ".repacked.h5"));
  }

  /** Sends the viewer the first requests of its page. */
  private void requestPage() throws IOException {
    WebOptions options = WebOptions.DEFAULT.withAccess(new WebOptions.Access.Everybody());
    String name = "?file=" + file.getFileName();
    List<String> asked =
        List.of(
            "/",
            "/viewer.js",
            "/files",
            "/meta" + name,
            "/meta" + name + "&path=/numbers",
            "/attr" + name,
            "/data" + name + "&path=/numbers&format=bin&dtype=safe",
            "/data" + name + "&path=/group/words&flatten=true");
    try (WebServer server = WebServer.show(file, options)) {
      String host = "Host: 127.0.0.1:" + server.address().getPort();
      for (String each : asked) {
        try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
          String request = "GET " + each + " HTTP/1.1\r\n" + host + "\r\nConnection: close\r\n\r\n";
          socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
          socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
      }
    }
  }

  /**
   * Returns conversions to each format whose conversion should be nearly as fast as a copy, and
   * back.
   */
  private static Stream<List<String>> conversions(String name) {
    String array = name + ".npy";
    String one = name + ".one.h5";
    return Stream.concat(
        Stream.of(
            List.of("convert", "--replace", "--path", "/numbers", name, array),
            List.of("convert", "--replace", array, one)),
        Stream.of(".nc", ".zarr")
            .flatMap(ending ->
                Stream.of(
                    List.of("convert", "--replace", one, name + ending),
                    List.of("convert", "--replace", name + ending, name + ".back.h5"))));
  }

  /** Writes tables, and returns conversions of them: one of numbers, one that has texts as well. */
  private static Stream<List<String>> tables(String name) throws IOException {
    String numbers = name + ".numbers.csv";
    String texts = name + ".texts.csv";
    Random random = new Random(1);
    try (BufferedWriter first = Files.newBufferedWriter(Path.of(numbers));
        BufferedWriter second = Files.newBufferedWriter(Path.of(texts))) {
      first.write("i,a,b,c,d\n");
      second.write("i,a,name,time,note\n");
      for (int i = 0; i < ROWS; i++) {
        double a = random.nextGaussian();
        double b = random.nextGaussian() * 100;
        first.write(i + "," + a + "," + b + "," + 0.125 * i + "," + random.nextFloat() + "\n");
        second.write(i + "," + b + ",name " + i % 7 + ",2026-11-02T06:" + i % 50 + ",\"a, b\"\n");
      }
    }
    return Stream.of(numbers, texts)
        .flatMap(table ->
            Stream.of(
                List.of("convert", "--replace", table, table + ".h5"),
                List.of("convert", "--replace", "--columns", table, table + ".h5")));
  }

  private static int run(List<String> words) {
    try (PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      return Main.run(new Streams(nowhere, nowhere), words.toArray(String[]::new));
    }
  }

  /**
   * Writes a file of the format that other programs write by default, with data of several pieces.
   *
   * @param one an element that may differ
   */
  private static void writeOld(String name, double one) {
    CreateOptions oldest =
        CreateOptions.DEFAULT.withBounds(FormatVersion.EARLIEST, FormatVersion.EARLIEST);
    double[] values = new double[LARGE];
    Arrays.setAll(values, i -> i * 0.1);
    values[LARGE / 2] += one;
    try (H5File sample = Hdf5.create(Path.of(name), oldest)) {
      sample.createDataset("numbers", values);
      sample.createDataset(
          "chunks", values, DatasetOptions.chunked(LARGE / 8).shuffle().deflate(1).build());
      sample.createDataset("group/words", new String[] {"one", "two"});
      for (int i = 0; i < MANY; i++) {
        var small = sample.createDataset("group/small" + i, new int[] {i});
        small.setAttribute("units", "m");
        small.setAttribute("scale", 0.5 * i);
        small.setAttribute("three", new long[] {1, 2, 3});
      }
    }
  }

  private void write() {
    try (H5File sample = Hdf5.create(file)) {
      sample.createDataset("numbers", new double[] {1, 2, 3});
      sample.createDataset("group/words", new String[] {"one", "two"});
      sample.root().setAttribute("title", "a sample");
      sample.root().createSoftLink("alias", "/numbers");
      for (int i = 0; i < MANY; i++) {
        var small = sample.createDataset("group/small" + i, new int[] {i});
        small.setAttribute("units", "m");
        small.setAttribute("scale", 0.5 * i);
      }
    }
  }
}
