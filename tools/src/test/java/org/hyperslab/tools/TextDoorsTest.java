package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Hdf5;
import org.hyperslab.Link;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.model.LinkKind;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.web.WebServer;
import org.hyperslab.web.options.WebOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Texts and names in Latin-1, UTF-8 and both, in fixed and variable strings of either character
 * set, go through every door: bytes stay bytes, and where text must be valid they are spelled, and
 * the spelling is accepted.
 */
final class TextDoorsTest {

  private static final String TOKEN = "a-token-of-the-test-of-texts";

  @TempDir Path folder;

  private Path script;
  private Random seeds;

  @BeforeEach
  void begin() throws IOException {
    script = folder.resolve("text_judge.py");
    try (InputStream in = TextDoorsTest.class.getResourceAsStream("text_judge.py")) {
      Files.write(script, in.readAllBytes());
    }
    long seed = Seeds.draw();
    System.out.println("hyperslab.seed=" + seed);
    seeds = new Random(seed);
  }

  @Test
  void copiesKeepTheBytes() {
    for (Path in : inputs()) {
      Path out = folder.resolve("copy.h5");
      done("repack", in, out);
      judge("h5py", "same", in, out);
      done("convert", "--replace", in, folder.resolve("converted.h5"));
      judge("h5py", "values", in, folder.resolve("converted.h5"));
      List<String> members = members(in);
      Path copied = folder.resolve("copied-" + in.getFileName());
      for (String path : members) {
        done("copy", in, copied, "-s", NameBytes.spelling(path), "-d", NameBytes.spelling(path));
      }
      assertThat(members(copied)).isEqualTo(members);
      for (String path : members) {
        done("diff", in, copied, NameBytes.spelling(path));
      }
    }
  }

  @Test
  void storesOfZarrHaveTheSpelling() {
    for (Path in : inputs()) {
      Path two = folder.resolve("out.zarr");
      Path three = folder.resolve("out.zarr3");
      Path back = folder.resolve("back.h5");
      done("convert", "--replace", "--lenient", in, two);
      judge("zarr", "zarr", in, two);
      done("convert", "--replace", two, back);
      judge("h5py", "values", in, back);
      done("convert", "--replace", "--lenient", in, three);
      judge("h5py", "three", in, three);
      done("convert", "--replace", three, back);
      judge("h5py", "values", in, back);
    }
  }

  @Test
  void archivesOfNumpyAndNetcdfKeepTheBytes() {
    for (Path in : inputs()) {
      Path out = folder.resolve("out.npz");
      done("convert", "--replace", "--lenient", in, out);
      judge("h5py", "archive", in, out);
      done("convert", "--replace", out, folder.resolve("back.h5"));
      Path netcdf = folder.resolve("out.nc4");
      done("convert", "--replace", "--lenient", in, netcdf);
      judge("h5py", "values", in, netcdf);
    }
  }

  @Test
  void netcdfKeepsTheBytesThroughEveryFormat() {
    for (int i = 0; i < Effort.times(2, 10); i++) {
      Path in = folder.resolve("in.nc");
      judge("netCDF4", "netcdf", Integer.toString(seeds.nextInt(1 << 30)), in);
      for (String to : List.of("netcdf4", "netcdf4_classic", "zarr2", "zarr3", "hdf5")) {
        Path out = folder.resolve("out." + to);
        Path back = folder.resolve("back.nc");
        done("convert", "--replace", "--to", to, in, out);
        if (to.startsWith("netcdf4")) {
          judge("netCDF4", "dumps", in, out);
        }
        done("convert", "--replace", "--from", to, out, back);
        judge("netCDF4", "dumps", in, back);
      }
    }
  }

  @Test
  void indexesAndServersHaveTheSpellingAndAcceptIt() throws IOException {
    List<Path> inputs = inputs();
    for (Path in : inputs) {
      Path index = folder.resolve("index.json");
      Files.deleteIfExists(index);
      done("index", in, "-o", index);
      judge("references", "references", in, index);
    }
    WebOptions options =
        WebOptions.DEFAULT.withAccess(new WebOptions.Access.Token(Optional.of(TOKEN)));
    try (WebServer server = WebServer.show(folder, options)) {
      String url = server.url().substring(0, server.url().length() - 1);
      for (Path in : inputs) {
        judge("h5py", "served", in, url, TOKEN);
      }
    }
  }

  @Test
  void commandsPrintNamesThatTheyAccept() {
    for (Path in : inputs()) {
      String dump = done("dump", "-n", in).out();
      done("ls", "-rv", in);
      for (String path : members(in)) {
        String spelling = NameBytes.spelling(path);
        assertThat(dump).contains(" " + spelling + "\n");
        done("ls", "-v", in + spelling);
        assertThat(done("ls", in + "/" + spelling).err()).isEmpty();
        done("dump", isGroup(in, path) ? "-g" : "-d", spelling, in);
      }
      Path ddl = folder.resolve("ddl");
      done("dump", "-o", folder.resolve("data"), "-O", ddl, in);
    }
  }

  // --- inputs, judges, commands ---

  private List<Path> inputs() {
    List<Path> inputs = new ArrayList<>();
    for (int i = 0; i < Effort.times(2, 10); i++) {
      inputs.add(folder.resolve("in" + i + ".h5"));
      judge("h5py", "make", Integer.toString(seeds.nextInt(1 << 30)), inputs.getLast());
    }
    return inputs;
  }

  private void judge(String oracle, Object... arguments) {
    Oracle.python(oracle, script)
        .run(Arrays.stream(arguments).map(Object::toString).toArray(String[]::new))
        .orFail();
  }

  /** Runs a command, whose output has neither marks for bytes nor an exception. */
  private static CommandRun done(Object... words) {
    CommandRun run =
        CommandRun.of(Arrays.stream(words).map(Object::toString).toArray(String[]::new));
    assertThat(run.out() + run.err())
        .as(Arrays.toString(words))
        .doesNotContain("?", "\uFFFD", "Input length", "\tat ");
    assertThat(run.code()).as(run.err()).isEqualTo(0);
    return run;
  }

  private static boolean isGroup(Path in, String path) {
    try (H5File file = Hdf5.open(in);
        H5Object object = file.get(path)) {
      return object instanceof Group;
    }
  }

  /** The paths of objects in the root group. */
  private static List<String> members(Path in) {
    try (H5File file = Hdf5.open(in)) {
      Group root = file.root();
      return root.links()
          .filter(link -> link.kind() == LinkKind.HARD)
          .map(Link::name)
          .map(name -> "/" + name)
          .toList();
    }
  }
}
