package org.hyperslab.tools.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.FileConverter;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.tools.CommandRun;
import org.hyperslab.tools.Main;
import org.hyperslab.tools.command.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the commands that take HDF5 files take stores of Zarr, too. */
final class ZarrStoresTest {

  private static final Pattern DATA = Pattern.compile("DATA \\{\\n(.*?)\\n *}\\n", Pattern.DOTALL);

  @TempDir Path folder;

  private Oracle judge() throws IOException {
    Path script = folder.resolve("zarr_stores.py");
    try (InputStream in = ZarrStoresTest.class.getResourceAsStream("zarr_stores.py")) {
      Files.write(script, in.readAllBytes());
    }
    return Oracle.python("zarr", script);
  }

  private static CommandRun run(String... arguments) {
    CommandRun run = CommandRun.of(arguments);
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    return run;
  }

  @Test
  void listsAndDumpsWhatZarrHas() throws IOException {
    Oracle judge = judge();
    long seed = Seeds.draw();
    Path made = Files.createDirectory(folder.resolve("made"));
    String count = Integer.toString(Effort.times(6, 60));
    judge.run("make", made.toString(), Long.toString(seed), count).orFail();
    for (Path store : stores(made)) {
      String name = store.toString();
      List<String> listed =
          run("ls", "-r", name).out().lines().map(line -> line.replaceAll(" +", " ")).toList();
      List<String> expected = judge.run("list", name).orFail().output().lines().toList();
      assertThat(listed).as("seed %d, %s", seed, name).isEqualTo(expected);
      for (String line : expected) {
        if (line.contains("Dataset")) {
          String path = line.substring(0, line.indexOf(' '));
          String values = judge.run("values", name, path).orFail().output();
          assertThat(dumped(name, path)).as("seed %d, %s%s", seed, name, path).isEqualTo(values);
        }
      }
      assertThat(run("dump", "-a", "/title", name).out()).contains("\"green\"");
    }
  }

  private static List<Path> stores(Path made) throws IOException {
    try (Stream<Path> all = Files.list(made)) {
      return all.sorted().toList();
    }
  }

  /** The elements that dump prints, each in a line. */
  private static String dumped(String store, String path) {
    String out = run("dump", "-y", "-w", "1", "-d", path, store).out();
    Matcher data = DATA.matcher(out);
    assertThat(data.find()).as(out).isTrue();
    Stream<String> lines = data.group(1).lines().map(String::strip).filter(line -> !line.isEmpty());
    return lines.map(line -> line.replaceAll(",$", "") + "\n").collect(Collectors.joining());
  }

  private Path store(String name) {
    Path hdf5 = folder.resolve("halves.h5");
    double[][] halves = new double[40][60];
    for (double[] row : Arrays.asList(halves).subList(20, 40)) {
      Arrays.fill(row, 1);
    }
    try (H5File file = Hdf5.create(hdf5)) {
      file.datasetBuilder("g/halves")
          .type(double.class)
          .shape(40, 60)
          .options(o -> o.chunked(7, 11))
          .create()
          .write(halves);
    }
    Path store = folder.resolve(name);
    FileConverter.convert(hdf5, store);
    return store;
  }

  @Test
  void plotsASlice() throws IOException {
    for (String name : List.of("a.zarr", "b.zarr3", "c.zarr.zip")) {
      String out = folder.resolve(name + ".png").toString();
      run("plot", store(name) + ":/g/halves", "-o", out, "--size", "800x600");
      BufferedImage picture = ImageIO.read(new File(out));
      assertThat(picture.getRGB(300, 150) & 0xFFFFFF).as(name).isEqualTo(0xFDE725);
      assertThat(picture.getRGB(300, 450) & 0xFFFFFF).as(name).isEqualTo(0x440154);
      Files.delete(folder.resolve("halves.h5"));
    }
  }

  @Test
  void aPathInAStoreIsListed() {
    for (String name : List.of("a.zarr", "b.zarr3")) {
      String store = store(name).toString();
      assertThat(run("ls", store + "/g").out())
          .isEqualTo("halves                   Dataset {40, 60}\n");
      assertThat(run("ls", store + "/g/halves/").out()).contains("Dataset {40, 60}");
      assertThat(CommandRun.of("ls", store + "/g/none").code()).isEqualTo(1);
      folder.resolve("halves.h5").toFile().delete();
    }
  }

  @Test
  void otherCommandsTakeStores() {
    String store = store("a.zarr").toString();
    String hdf5 = folder.resolve("halves.h5").toString();
    run("diff", store, hdf5);
    String copy = folder.resolve("copy.h5").toString();
    run("repack", store, copy);
    run("diff", copy, hdf5);
    assertThat(run("ncdump", "-h", store).out()).contains("double halves(");
    assertThat(run("stat", store).out()).contains("# of unique datasets: 1");
  }

  @Test
  void compressedStoresAreRepacked() {
    Path hdf5 = folder.resolve("packed.h5");
    double[] values = new double[100];
    Arrays.setAll(values, i -> i / 7);
    try (H5File file = Hdf5.create(hdf5)) {
      file.datasetBuilder("g/x")
          .type(double.class)
          .shape(100)
          .options(o -> o.chunked(13).deflate(4))
          .create()
          .write(values);
    }
    for (String name : List.of("packed.zarr", "packed.zarr3", "packed.zarr.zip")) {
      Path store = folder.resolve(name);
      FileConverter.convert(hdf5, store);
      String copy = folder.resolve(name + ".h5").toString();
      run("repack", store.toString(), copy);
      run("diff", copy, hdf5.toString());
      run("repack", "-f", "NONE", store.toString(), copy);
      run("diff", copy, hdf5.toString());
      Oracle.h5diff().run(copy, hdf5.toString(), "/g/x", "/g/x").orFail();
    }
  }

  @Test
  void indexRefusesStores() {
    Path out = folder.resolve("x.json");
    for (String name : List.of("a.zarr", "b.zarr3", "c.zarr.zip")) {
      CommandRun run = CommandRun.of("index", store(name).toString(), "-o", out.toString());
      assertThat(run.code()).as(name).isEqualTo(1);
      assertThat(run.err()).contains("Zarr store", "expected=", "convert").doesNotContain("\tat ");
      assertThat(out).doesNotExist();
      folder.resolve("halves.h5").toFile().delete();
    }
  }

  @Test
  void servesMetadataAndElements() throws Exception {
    Path store = store("a.zarr");
    try (PipedInputStream in = new PipedInputStream();
        PrintStream out = new PrintStream(new PipedOutputStream(in), true, StandardCharsets.UTF_8);
        PrintStream err =
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      String[] arguments = {"serve", store.toString(), "--listen", "127.0.0.1:0", "--no-token"};
      Thread server = Thread.ofPlatform().start(() -> Main.run(new Streams(out, err), arguments));
      String url = lines.readLine().replace("hyperslab serve: ready at ", "");
      String file = "file=" + URLEncoder.encode(store.toString(), StandardCharsets.UTF_8);
      assertThat(get(url + "meta/?path=/g/halves&" + file)).contains("\"shape\":[40,60]");
      assertThat(get(url + "data/?path=/g/halves&selection=18:22,3&" + file))
          .isEqualTo("[0.0,0.0,1.0,1.0]");
      server.interrupt();
      server.join();
    }
  }

  private static String get(String address) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }
}
