package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.StorageException;
import org.hyperslab.testkit.ChildJvm;
import org.hyperslab.testkit.Dialogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads and lists files of servers that are not ours: that of Python's library, with ranges and
 * without, and one that verifies signatures.
 */
final class RemoteFoldersTest {

  /** Serves the folder of the first argument; with a second one, ranges too, and no entity tags. */
  private static final String SERVER =
      """
      import functools, http.server, os, sys, threading
      class Handler(http.server.SimpleHTTPRequestHandler):
          def log_message(self, *args):
              pass
          def do_GET(self):
              asked = self.headers.get('Range')
              try:
                  with open(self.translate_path(self.path), 'rb') as f:
                      content = f.read()
              except OSError:
                  asked = None
              if not asked or len(sys.argv) < 3:
                  return super().do_GET()
              first, last = asked.split('=')[1].split('-')
              last = min(int(last), len(content) - 1)
              self.send_response(206)
              self.send_header('Content-Range', f'bytes {first}-{last}/{len(content)}')
              self.send_header('Last-Modified', self.date_time_string(
                  os.stat(self.translate_path(self.path)).st_mtime))
              self.send_header('Content-Length', str(last + 1 - int(first)))
              self.end_headers()
              self.wfile.write(content[int(first):last + 1])
      server = http.server.ThreadingHTTPServer(
          ('127.0.0.1', 0), functools.partial(Handler, directory=sys.argv[1]))
      threading.Thread(target=server.serve_forever, daemon=True).start()
      print(server.server_address[1], flush=True)
      sys.stdin.read()
      """;

  @TempDir private Path folder;

  private void writeFiles() throws IOException {
    write("run 1.h5", 1);
    write("sub/deep/x.h5", 2);
    Files.writeString(folder.resolve("a&b.txt"), "text");
  }

  private void write(String name, double first) throws IOException {
    Path path = folder.resolve(name);
    Files.createDirectories(path.getParent());
    double[] values = new double[200_000];
    values[0] = first;
    values[199_999] = first;
    Path whole = folder.resolve("new.tmp");
    try (H5File file = Hdf5.create(whole)) {
      file.createDataset("x", values);
    }
    Files.move(whole, path, StandardCopyOption.REPLACE_EXISTING);
    Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusSeconds(7200)));
  }

  @Test
  void listsAndReadsWhatPythonServes() throws IOException {
    writeFiles();
    try (Dialogue server = Dialogue.h5py(SERVER, Map.of(), folder.toString(), "ranges")) {
      String root = "http://127.0.0.1:" + server.hear() + "/";
      CommandRun run = CommandRun.of("ls", root);
      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .isEqualTo(
              """
              a&b.txt                  File
              run\\ 1.h5                File
              sub/                     Folder
              """);
      CommandRun all = CommandRun.of("ls", "-r", root);
      assertThat(all.out())
          .contains(root + "run%201.h5 ", root + "sub/deep/x.h5 ", root + "sub/deep/ ");
      assertThat(CommandRun.of("ls", root + "run%201.h5").out())
          .isEqualTo("x                        Dataset {200000}\n");
      assertThat(CommandRun.of("ls", root + "run%201.h5/x/").out()).contains("Dataset {200000}");
      CommandRun none = CommandRun.of("ls", root + "none/");
      assertThat(none.code()).isEqualTo(1);
      assertThat(none.err()).contains("not found");
    }
  }

  @Test
  void noticesThatAFileOfPythonsServerWasReplaced() throws IOException {
    write("x.h5", 1);
    try (Dialogue server = Dialogue.h5py(SERVER, Map.of(), folder.toString(), "ranges")) {
      String name = "http://127.0.0.1:" + server.hear() + "/x.h5";
      try (H5File file = Hdf5.open(name);
          Dataset x = file.dataset("x")) {
        assertThat(x.slice("0").read(double.class)).isEqualTo(1);
        write("x.h5", 2);
        Files.setLastModifiedTime(folder.resolve("x.h5"), FileTime.from(Instant.now()));
        assertThatThrownBy(() -> x.slice("199999").read(double.class))
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("has changed since it was opened (Last-Modified ");
      }
    }
  }

  @Test
  void saysThatAServerHasNoRanges() throws IOException {
    write("x.h5", 1);
    try (Dialogue server = Dialogue.h5py(SERVER, Map.of(), folder.toString())) {
      CommandRun run = CommandRun.of("ls", "http://127.0.0.1:" + server.hear() + "/x.h5");
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.err()).contains("does not serve ranges but the whole file; download");
    }
  }

  /** The variables of Amazon's tools choose service, region and key. */
  @Test
  void aServiceThatVerifiesSignaturesIsReachedByVariables() throws Exception {
    Path script =
        Path.of(
            System.getProperty("hyperslab.root"),
            "remote/src/test/resources/org/hyperslab/remote/signed_bucket.py");
    Path local = folder.resolve("x.h5");
    write("x.h5", 1);
    try (Dialogue server =
        Dialogue.h5py(Files.readString(script), Map.of(), "ID", "secret/+", "eu-west-9", "tok")) {
      Map<String, String> environment =
          Map.of(
              "AWS_ENDPOINT_URL", "http://127.0.0.1:" + server.hear(),
              "AWS_ACCESS_KEY_ID", "ID",
              "AWS_SECRET_ACCESS_KEY", "secret/+",
              "AWS_SESSION_TOKEN", "tok",
              "AWS_REGION", "eu-west-9",
              "AWS_REQUEST_PAYER", "requester");
      assertThat(run(environment, "repack", local.toString(), "s3://bucket/a/run.h5")).isEmpty();
      assertThat(run(environment, "ls", "s3://bucket/a"))
          .startsWith("run.h5                   File {")
          .endsWith(" bytes}\n");
      assertThat(run(environment, "ls", "s3://bucket/a/run.h5/x"))
          .isEqualTo("x                        Dataset {200000}\n");
    }
  }

  private static String run(Map<String, String> environment, String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(ChildJvm.command(256, Main.class, arguments));
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }
}
