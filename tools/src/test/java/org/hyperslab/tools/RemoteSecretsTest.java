package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.store.BucketServer;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that no program prints the password of an address, or its signature. */
final class RemoteSecretsTest {

  private static final String SECRET = "s3cr3t";

  @TempDir private Path folder;
  private BucketServer server;

  @BeforeEach
  void start() throws IOException {
    server = new BucketServer();
    Path file = folder.resolve("x.h5");
    try (H5File made = Hdf5.create(file)) {
      made.createDataset("g/x", new double[][] {{1, 2}, {3, 4}});
      made.root().createSoftLink("soft", "/none");
      made.root().createExternalLink("far", "none.h5", "/");
      made.dataset("g/x").setAttribute("a", 1);
    }
    server.put("/bucket/x.h5", Files.readAllBytes(file));
    server.put("/bucket/bad.h5", new byte[5000]);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String address(String path) {
    return server.endpoint().replace("://", "://joe:s3cr3t@") + path + "?X-Amz-Signature=s3cr3t";
  }

  private List<String[]> commands(String name) {
    String local = folder.resolve("x.h5").toString();
    String plain = name.replaceAll("[?].*", "");
    return List.of(
        new String[] {"ls", "-rv", name},
        new String[] {"ls", "-f", name, local},
        new String[] {"ls", plain + "/g/x"},
        new String[] {"ls", plain + "/none"},
        new String[] {"ls", plain + "/"},
        new String[] {"dump", name},
        new String[] {"dump", "-d", "/none", name},
        new String[] {"dump", "--connector", "tracing print=false | native", "-A", name},
        new String[] {"diff", "-v", name, local},
        new String[] {"diff", local, name, "/none"},
        new String[] {"diff", "-r", name, local},
        new String[] {"stat", name},
        new String[] {"convert", "--replace", name, folder.resolve("x.zarr").toString()},
        new String[] {"repack", "-v", name, folder.resolve("copy.h5").toString()},
        new String[] {"copy", "-s", "/g", "-d", "/g", name, folder.resolve("part.h5").toString()},
        new String[] {"copy", "-s", "/none", "-d", "/g", name, folder.resolve("p.h5").toString()},
        new String[] {"index", "-o", folder.resolve("x.json").toString(), name},
        new String[] {"index", name, folder.resolve("y.json").toString()},
        new String[] {"plot", name, "/g/x", folder.resolve("x.png").toString()},
        new String[] {"plot", name, "/none", folder.resolve("y.png").toString()},
        new String[] {"verify", name},
        new String[] {"clear", "-s", name},
        new String[] {"clear", "--filesize", name},
        new String[] {"repack", local, name},
        new String[] {"convert", local, plain},
        new String[] {"copy", "-v", "-s", "/g", "-d", "/g", local, name});
  }

  @Test
  void commandsPrintNoPassword() throws IOException {
    List<String> names =
        new ArrayList<>(
            List.of(address("/bucket/x.h5"), address("/bucket/bad.h5"), address("/bucket/none")));
    names.add("http://joe:s3/cr3ts3cr3t@127.0.0.1/x.h5");
    int ended = 0;
    for (String name : names) {
      for (String[] command : commands(name)) {
        CommandRun run = CommandRun.of(command);
        String what = String.join(" ", command);
        assertThat(run.out()).as(what).doesNotContain(SECRET, "joe");
        assertThat(run.err()).as(what).doesNotContain(SECRET, "joe");
        ended += run.code() == 0 ? 1 : 0;
      }
    }
    assertThat(ended).as("commands that could read the file").isGreaterThan(6);
    for (String made : new String[] {"x.json", "y.json"}) {
      Path json = folder.resolve(made);
      if (Files.exists(json)) {
        assertThat(Files.readString(json)).doesNotContain("joe");
      }
    }
  }

  @Test
  void objectsOfTheApiPrintNoPassword() {
    OpenOptions options =
        OpenOptions.READ
            .withProperty("http.headers", "X-Key: s3cr3t")
            .withProperty("remote.attempts", "2");
    String name = address("/bucket/x.h5");
    try (Session session = Hdf5.session("tracing print=false | native");
        H5File file = session.open(name, options)) {
      assertThat(file + file.name() + file.root() + file.dataset("g/x")).doesNotContain(SECRET);
      assertThat(file.name()).isEqualTo(server.endpoint() + "/bucket/x.h5?...");
      assertThat(file.dataset("g/x").readDoubles()).containsExactly(1, 2, 3, 4);
      assertThatThrownBy(() -> file.dataset("none")).message().doesNotContain(SECRET);
    }
    FileOperation.Open open = new FileOperation.Open(Handle.fresh(), name, options);
    assertThat(open.toString()).doesNotContain(SECRET).contains("remote.attempts=2");
    assertThatThrownBy(() -> Hdf5.open(name, options.withProperty("none", "1")))
        .message()
        .doesNotContain(SECRET);
    assertThatThrownBy(() -> Hdf5.openForEdit(name)).message().doesNotContain(SECRET);
    for (String path : new String[] {"/bucket/bad.h5", "/bucket/none"}) {
      assertThatThrownBy(() -> Hdf5.open(address(path), options))
          .isInstanceOf(HyperslabException.class)
          .satisfies(failure -> {
            for (Throwable each = failure; each != null; each = each.getCause()) {
              assertThat(each + Arrays.toString(each.getSuppressed())).doesNotContain(SECRET);
            }
          });
    }
  }

  @Test
  void propertiesMayComeFromFiles() throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "abc\n");
    String name = server.endpoint() + "/bucket/x.h5";
    CommandRun run = CommandRun.of("ls", "--property", "http.bearer=@" + token, name);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(server.takeHeaders()).contains(Map.entry("Authorization", "Bearer abc"));
    CommandRun dump = CommandRun.of("dump", "--property", "http.bearer=@" + token, "-H", name);
    assertThat(dump.code()).isZero();
    assertThat(server.takeHeaders()).contains(Map.entry("Authorization", "Bearer abc"));
    CommandRun wrong = CommandRun.of("ls", "--property", "http.bearer=@" + token + "x", name);
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.err()).contains("readable text file");
  }
}
