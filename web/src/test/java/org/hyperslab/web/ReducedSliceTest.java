package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.web.options.WebOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares numbers of blocks with those that NumPy computes. */
final class ReducedSliceTest {

  private static final String TOKEN = "a-token-of-the-test";

  /** Prints, for each line "path selection steps method missing", the blocks' numbers. */
  private static final String JUDGE =
      """
      import itertools, sys, warnings
      import h5py, numpy
      warnings.simplefilter("ignore")
      with h5py.File(sys.argv[1]) as file:
          for line in open(sys.argv[2]):
              path, ranges, method, missing = line.split()
              data = file[path][()]
              axes = []
              for n, text in zip(data.shape, ranges.split(",")):
                  if ":" not in text:
                      axes.append([(int(text), int(text) + 1)])
                      continue
                  start, stop, step = map(int, text.split(":"))
                  axes.append([(i, min(n, i + step)) for i in range(start, stop, step)])
              numbers = []
              for block in itertools.product(*axes):
                  part = data[tuple(slice(*ends) for ends in block)].astype("f8").ravel()
                  if missing != "-":
                      part = part[part != float(missing)]
                  part = part[numpy.isfinite(part)]
                  numbers.append({"mean": numpy.mean, "min": numpy.min, "max": numpy.max}[method](part) if part.size else numpy.nan)
              print(" ".join("NaN" if number != number else "%.9g" % number for number in numbers))
      """;

  private TemporaryFolder folder;

  @BeforeEach
  void create() {
    folder = TemporaryFolder.create("reduced");
  }

  @AfterEach
  void delete() {
    folder.close();
  }

  private static WebServer serve(Path path) {
    return WebServer.show(
        path, WebOptions.DEFAULT.withAccess(new WebOptions.Access.Token(Optional.of(TOKEN))));
  }

  private static double[] numbers(Client client, String query) {
    var reply = client.get("/data?file=x.h5&format=bin&" + query);
    assertThat(reply.statusCode()).as(query).isEqualTo(200);
    ByteBuffer bytes = ByteBuffer.wrap(reply.body()).order(ByteOrder.LITTLE_ENDIAN);
    int width = Integer.parseInt(reply.headers().firstValue("x-number-bytes").orElseThrow());
    double[] numbers = new double[reply.body().length / width];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = width == 4 ? bytes.getFloat() : bytes.getDouble();
    }
    return numbers;
  }

  /** One request: a dataset, ranges, a method and what is left out. */
  private record Case(String path, String ranges, String method, String missing) {
    private static Case random(Random random) {
      boolean isCube = random.nextBoolean();
      int[] shape = isCube ? new int[] {7, 23, 31} : new int[] {45, 67};
      List<String> ranges = new ArrayList<>();
      for (int length : shape) {
        int start = random.nextInt(length);
        int stop = start + 1 + random.nextInt(length - start);
        boolean isOne = random.nextInt(4) == 0;
        ranges.add(isOne ? "" + start : start + ":" + stop + ":" + (1 + random.nextInt(9)));
      }
      String path = (isCube ? "/cube_" : "/plane_") + (random.nextBoolean() ? "f4" : "i2");
      String method = List.of("mean", "min", "max").get(random.nextInt(3));
      return new Case(path, String.join(",", ranges), method, random.nextBoolean() ? "7" : "-");
    }

    private String query() {
      return "path="
          + path
          + "&selection="
          + ranges
          + "&reduce="
          + method
          + (missing.equals("-") ? "" : "&missing=" + missing);
    }
  }

  @Test
  void blocksHaveTheNumbersOfNumpy() throws Exception {
    Path path = folder.file("x.h5");
    Oracle.h5py()
        .run(
            """
            import sys, h5py, numpy
            random = numpy.random.default_rng(5)
            with h5py.File(sys.argv[1], "w") as file:
                for name, shape, chunks in ("cube", (7, 23, 31), (3, 5, 8)), ("plane", (45, 67), None):
                    data = random.integers(-20, 20, shape)
                    file.create_dataset(name + "_i2", data=data.astype(">i2"), chunks=chunks)
                    real = data.astype("f4")
                    real[real == 3] = numpy.nan
                    real[real == 5] = numpy.inf
                    file.create_dataset(name + "_f4", data=real, chunks=chunks, compression=chunks and "gzip")
            """,
            path.toString())
        .orFail();
    List<Case> cases = new ArrayList<>();
    Seeds.run(60, random -> cases.add(Case.random(random)));
    String lines =
        cases.stream()
            .map(c -> c.path + " " + c.ranges + " " + c.method + " " + c.missing + "\n")
            .collect(Collectors.joining());
    Path list = folder.file("cases.txt");
    Files.writeString(list, lines);
    String[] expected =
        Oracle.h5py().run(JUDGE, path.toString(), list.toString()).orFail().output().split("\n");
    try (WebServer server = serve(path);
        Client client = new Client(server, TOKEN)) {
      for (int i = 0; i < cases.size(); i++) {
        double[] theirs =
            Arrays.stream(expected[i].split(" ")).mapToDouble(Double::parseDouble).toArray();
        double[] ours = numbers(client, cases.get(i).query());
        assertThat(ours).as(cases.get(i).query()).hasSameSizeAs(theirs);
        for (int j = 0; j < ours.length; j++) {
          boolean isSame =
              Double.compare(ours[j], theirs[j]) == 0
                  || Math.abs(ours[j] - theirs[j]) <= 1e-5 * Math.abs(theirs[j]);
          assertThat(isSame).as(cases.get(i) + " " + j + ": " + ours[j]).isTrue();
        }
      }
    }
  }

  @Test
  void largeDatasetIsReducedInPieces() {
    int[][] rows = new int[6000][1000];
    for (int i = 0; i < rows.length; i++) {
      Arrays.fill(rows[i], i);
    }
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.createDataset("x", rows).close();
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      double[] means = numbers(client, "path=/x&selection=::1000,::500&reduce=mean");
      assertThat(means)
          .containsExactly(
              499.5, 499.5, 1499.5, 1499.5, 2499.5, 2499.5, 3499.5, 3499.5, 4499.5, 4499.5, 5499.5,
              5499.5);
      double[] first = numbers(client, "path=/x&selection=::1000,::500&reduce=first");
      assertThat(first)
          .containsExactly(0, 0, 1000, 1000, 2000, 2000, 3000, 3000, 4000, 4000, 5000, 5000);
    }
  }

  @Test
  void stepsBehindAnEllipsisBelongToTheLastDimensions() {
    double[] cube = new double[2 * 3 * 4];
    Arrays.setAll(cube, i -> i);
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.createDataset("x", double.class, 2, 3, 4).write(cube);
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      double[] whole = numbers(client, "path=/x&selection=:,:,::4&reduce=mean");
      assertThat(whole).containsExactly(1.5, 5.5, 9.5, 13.5, 17.5, 21.5);
      assertThat(numbers(client, "path=/x&selection=...,::4&reduce=mean")).isEqualTo(whole);
      assertThat(numbers(client, "path=/x&selection=::2,...,0:1:4&reduce=mean"))
          .containsExactly(7.5, 11.5, 15.5);
    }
  }

  @Test
  void whatCannotBeReducedIsRefused() {
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.createDataset("words", new String[] {"a"}).close();
      file.createDataset("numbers", new int[] {1, 2, 3}).close();
      file.createDataset("none", new double[0]).close();
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      for (String wrong :
          List.of(
              "path=/words&format=bin&reduce=mean",
              "path=/numbers&format=bin&reduce=median",
              "path=/numbers&format=json&reduce=mean",
              "path=/numbers&format=bin&reduce=mean&missing=x")) {
        assertThat(client.status("/data?file=x.h5&" + wrong)).as(wrong).isEqualTo(422);
      }
      assertThat(numbers(client, "path=/none&reduce=mean")).isEmpty();
      assertThat(numbers(client, "path=/numbers&selection=1:3:2&reduce=max")).containsExactly(3);
    }
  }
}
