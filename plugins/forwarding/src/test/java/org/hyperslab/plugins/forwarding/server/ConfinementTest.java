package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests every feature that names a file, with every name that leads out of a server's folder or
 * into the server's own files there: dots, absolute paths, links to files and folders, other letter
 * case.
 */
@Timeout(120)
final class ConfinementTest {

  private static final int SECRET = 0x5EC4E7;
  private static final byte[] WORDS = "secret words".getBytes(StandardCharsets.US_ASCII);

  private TemporaryFolder folder;
  private Path root;
  private StageServer server;
  private Session session;
  private Map<String, String> before;
  private final AtomicInteger numbers = new AtomicInteger();

  @BeforeEach
  void start() throws IOException {
    folder = TemporaryFolder.create("confined");
    root = folder.path().resolve("root");
    server = StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root));
    session = Hdf5.session("forwarding servers=" + server.address());
    Path outside = Files.createDirectories(folder.path().resolve("outside"));
    Path own = root.resolve(ConfinedNames.PRIVATE);
    Path nested = Files.createDirectories(root.resolve("nested").resolve(ConfinedNames.PRIVATE));
    for (Path place : List.of(outside, own, nested)) {
      plant(place);
    }
    Files.createSymbolicLink(root.resolve("away"), outside);
    Files.createSymbolicLink(root.resolve("sneak"), own);
    Files.createSymbolicLink(root.resolve("link.h5"), outside.resolve("victim.h5"));
    Files.createSymbolicLink(root.resolve("link.bin"), own.resolve("victim.bin"));
    Files.createSymbolicLink(root.resolve("to-nothing.h5"), outside.resolve("new.h5"));
    Files.createSymbolicLink(root.resolve("to-nothing.bin"), own.resolve("new.journal"));
    before = victims();
  }

  private static void plant(Path place) throws IOException {
    try (H5File file = Hdf5.create(place.resolve("victim.h5"))) {
      file.createDataset("secret", new int[] {SECRET});
    }
    Files.write(place.resolve("victim.bin"), WORDS);
  }

  @AfterEach
  void nothingIsTouched() throws IOException {
    try {
      assertThat(victims()).isEqualTo(before);
    } finally {
      session.close();
      server.close();
      folder.close();
    }
  }

  /** Returns all files that a client may not access, with their contents. */
  private Map<String, String> victims() throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder.path())) {
      for (Path path : paths.toList()) {
        if ((!path.startsWith(root) || path.toString().contains(ConfinedNames.PRIVATE))
            && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          String bytes = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
          all.put(folder.path().relativize(path).toString(), bytes);
        }
      }
    }
    return all;
  }

  /** ConfinedNames of something that ends so, from a file in the root. */
  private List<String> names(String end) {
    return List.of(
        "../outside/victim" + end,
        folder.path().resolve("outside/victim" + end).toString(),
        "away/victim" + end,
        "link" + end,
        "to-nothing" + end,
        "away/new" + end,
        ConfinedNames.PRIVATE + "/victim" + end,
        ConfinedNames.PRIVATE + "/new" + end,
        root.resolve(ConfinedNames.PRIVATE).resolve("victim" + end).toString(),
        "nested/../" + ConfinedNames.PRIVATE + "/victim" + end,
        "sneak/victim" + end,
        "sneak/new" + end,
        "nested/" + ConfinedNames.PRIVATE + "/victim" + end,
        ".HYPERSLAB-Stage/new" + end);
  }

  private interface Attempt {
    Object run() throws IOException;
  }

  /** Requires that an attempt is refused with an error, or that its answer reveals nothing. */
  private static void attempt(String what, Attempt attempt) throws IOException {
    try {
      assertThat(attempt.run()).as(what).isIn(false, 0);
    } catch (HyperslabException refused) {
      assertThat(refused).as(what).hasMessageNotContaining("Exception:");
    }
  }

  private H5File fresh() {
    return session.create("fresh" + numbers.incrementAndGet() + ".h5", CreateOptions.DEFAULT);
  }

  private static int secret(H5File file) {
    try (file) {
      return file.dataset("secret").read(int[].class)[0];
    }
  }

  @Test
  void openCreateExistsAndDeleteStayInTheFolder() throws IOException {
    for (String name : names(".h5")) {
      attempt("open " + name, () -> secret(session.open(name, OpenOptions.READ)));
      attempt("edit " + name, () -> secret(session.open(name, OpenOptions.EDIT)));
      attempt("exists " + name, () -> session.exists(name));
      if (!name.startsWith("link") && !name.startsWith("to-nothing")) {
        // Of a link in the folder it would be the link that is deleted, which is the client's.
        attempt(
            "delete " + name,
            () -> {
              session.delete(name);
              return "deleted";
            });
      }
      if (!name.startsWith("/")) { // a client's absolute names begin at the root
        attempt(
            "create " + name,
            () -> {
              session.create(name, CreateOptions.DEFAULT).close();
              return "created";
            });
      }
    }
  }

  @Test
  void externalLinksStayInTheFolder() throws IOException {
    try (H5File file = fresh()) {
      for (String name : names(".h5")) {
        String link = "l" + numbers.incrementAndGet();
        file.root().createExternalLink(link, name, "secret");
        attempt("link " + name, () -> file.dataset(link).read(int[].class)[0]);
      }
    }
  }

  @Test
  void externalRawFilesStayInTheFolder() throws IOException {
    try (H5File file = fresh()) {
      for (String name : names(".bin")) {
        String at = "r" + numbers.incrementAndGet();
        Layout raw = new Layout.External(List.of(new Layout.External.Segment(name, 0, 4)));
        attempt(
            "raw file " + name,
            () -> {
              DatasetOptions options = DatasetOptions.builder().layout(raw).build();
              file.root()
                  .datasetBuilder(at)
                  .type(Datatypes.U8LE)
                  .shape(4)
                  .options(options)
                  .create();
              return 0;
            });
        attempt("read " + name, () -> (int) file.dataset(at).read(byte[].class)[0]);
        attempt(
            "write " + name,
            () -> {
              file.dataset(at).write(new byte[4]);
              return 0; // an absolute name may stand for one in the folder; see the victims
            });
      }
    }
  }

  @Test
  void sourcesOfVirtualDatasetsStayInTheFolder() throws IOException {
    try (H5File file = fresh()) {
      for (String name : names(".h5")) {
        String at = "v" + numbers.incrementAndGet();
        Dataspace one = Dataspace.simple(1);
        Layout.Virtual layout =
            new Layout.Virtual(
                List.of(
                    new Layout.Virtual.Mapping(
                        Selection.all(), name, "secret", one, Selection.all())));
        attempt(
            "source " + name,
            () -> {
              DatasetOptions options = DatasetOptions.builder().layout(layout).build();
              file.root()
                  .datasetBuilder(at)
                  .type(Datatypes.I32LE)
                  .space(one)
                  .options(options)
                  .create();
              return file.dataset(at).read(int[].class)[0];
            });
        attempt(
            "write source " + name,
            () -> {
              file.dataset(at).write(new int[] {1});
              return 0;
            });
      }
    }
  }

  /** A source that is missing reads as the fill value; one that is withheld must not. */
  @Test
  void sourcesOutsideTheFolderAreErrors() throws IOException {
    try (H5File file = fresh()) {
      for (String name : List.of("../outside/victim.h5", "/etc/hostname", "missing.h5")) {
        String at = "v" + numbers.incrementAndGet();
        Dataspace one = Dataspace.simple(1);
        Layout.Virtual layout =
            new Layout.Virtual(
                List.of(
                    new Layout.Virtual.Mapping(
                        Selection.all(), name, "secret", one, Selection.all())));
        DatasetOptions options = DatasetOptions.builder().layout(layout).build();
        file.root().datasetBuilder(at).type(Datatypes.I32LE).space(one).options(options).create();
        if (name.equals("missing.h5")) {
          assertThat(file.dataset(at).readInts()).containsExactly(0);
        } else {
          assertThatThrownBy(() -> file.dataset(at).readInts())
              .isInstanceOf(HyperslabException.class)
              .hasMessageContaining(name + " outside the folder")
              .hasMessageNotContaining(root.toString());
        }
      }
    }
  }

  @Test
  void prefixesThatLeaveTheFolderHaveNoEffect() throws IOException {
    for (String prefix : List.of("../outside", "away", "sneak", ConfinedNames.PRIVATE)) {
      OpenOptions options =
          OpenOptions.EDIT
              .withProperty("externalLinkPrefix", root.resolve(prefix).toString())
              .withProperty("virtualPrefix", root.resolve(prefix).toString())
              .withProperty("confinedTo", "/")
              .withProperty("confinedTo.apart", "")
              .withProperty("externalFilePrefix", root.resolve(prefix).toString());
      String name = "prefixed" + numbers.incrementAndGet() + ".h5";
      try (H5File file = session.create(name, CreateOptions.DEFAULT.withAccess(options))) {
        file.root().createExternalLink("link", "victim.h5", "secret");
        attempt("link at " + prefix, () -> file.dataset("link").read(int[].class)[0]);
        Layout raw = new Layout.External(List.of(new Layout.External.Segment("victim.bin", 0, 4)));
        file.root()
            .datasetBuilder("raw")
            .type(Datatypes.U8LE)
            .shape(4)
            .options(DatasetOptions.builder().layout(raw).build())
            .create();
        attempt("raw at " + prefix, () -> (int) file.dataset("raw").read(byte[].class)[0]);
      }
      Files.deleteIfExists(root.resolve("victim.bin"));
    }
  }

  private static OpenOptions driver(OpenOptions options, String driver) {
    return options.withProperty("driver", driver);
  }

  @Test
  void membersOfFamiliesAndSplitFilesAreConfined() throws IOException {
    Path victim = folder.path().resolve("outside/victim.h5");
    Files.createSymbolicLink(root.resolve("f0.h5"), victim);
    Files.createSymbolicLink(root.resolve("g1.h5"), victim);
    Files.createSymbolicLink(root.resolve("s-m.h5"), victim);
    Files.createSymbolicLink(root.resolve("s-r.h5"), victim);
    Files.createSymbolicLink(root.resolve("m-s.h5"), victim);
    for (String name : List.of("f%d.h5", "f0.h5", "../outside/victim%d.h5", "away/victim%d.h5")) {
      attempt(
          "family " + name, () -> secret(session.open(name, driver(OpenOptions.READ, "family"))));
      attempt("found " + name, () -> secret(session.open(name, OpenOptions.READ)));
      attempt("exists " + name, () -> session.exists(name));
    }
    for (String name : List.of("s", "m", "s-m.h5", "m-s.h5", "away/victim")) {
      for (String driver : List.of("split", "multi")) {
        attempt(
            driver + " " + name,
            () -> secret(session.open(name, driver(OpenOptions.READ, driver))));
      }
      attempt("found " + name, () -> secret(session.open(name, OpenOptions.READ)));
      attempt("exists " + name, () -> session.exists(name));
    }
    OpenOptions small =
        driver(OpenOptions.EDIT, "family").withProperty("family.memberBytes", "4096");
    attempt(
        "family with a member outside",
        () -> {
          try (H5File file = session.create("g%d.h5", CreateOptions.DEFAULT.withAccess(small))) {
            file.createDataset("d", new byte[20_000]);
          }
          return "written";
        });
    attempt(
        "family of many handles",
        () -> {
          OpenOptions tiny = small.withProperty("family.memberBytes", "1");
          session.create("h%d.h5", CreateOptions.DEFAULT.withAccess(tiny)).close();
          return "made";
        });
  }

  @Test
  void linksThatStayBelowTheFolderAreFollowed() throws IOException {
    try (H5File file = session.create("deep/real.h5", CreateOptions.DEFAULT)) {
      file.createDataset("secret", new int[] {1});
    }
    Files.createSymbolicLink(root.resolve("alias.h5"), root.resolve("deep/real.h5"));
    Files.createSymbolicLink(root.resolve("shallow"), Path.of("deep"));
    for (String name : List.of("alias.h5", "shallow/real.h5", "/deep/real.h5")) {
      assertThat(session.exists(name)).isTrue();
      assertThat(secret(session.open(name, OpenOptions.READ))).isEqualTo(1);
    }
    try (H5File file = fresh()) {
      file.root().createExternalLink("link", "shallow/real.h5", "secret");
      assertThat(file.dataset("link").read(int[].class)).containsExactly(1);
    }
  }
}
