package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.convert.FileConverter;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that commands use exactly the named file, or fail. */
final class FileNamesTest {

  @TempDir private Path folder;

  private Path sample() {
    Path path = folder.resolve("a.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("numbers", new int[] {1, 2, 3}).close();
    }
    return path;
  }

  private static void serve(byte[] content, HttpExchange exchange) throws IOException {
    String range = exchange.getRequestHeaders().getFirst("Range");
    String[] ends = range.substring("bytes=".length()).split("-", -1);
    int first = Integer.parseInt(ends[0]);
    int last = (int) Math.min(content.length - 1L, Long.parseLong(ends[1]));
    byte[] part = Arrays.copyOfRange(content, first, last + 1);
    exchange
        .getResponseHeaders()
        .set("Content-Range", "bytes " + first + "-" + last + "/" + content.length);
    exchange.sendResponseHeaders(206, part.length);
    exchange.getResponseBody().write(part);
    exchange.close();
  }

  @Test
  void filesOfWebServersCanOnlyBeRead() throws IOException {
    byte[] content = Files.readAllBytes(sample());
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/a.h5", exchange -> serve(content, exchange));
    server.start();
    try {
      String uri = "http://127.0.0.1:" + server.getAddress().getPort() + "/a.h5";
      try (H5File file = Hdf5.open(uri)) {
        assertThat(file.dataset("numbers").readInts()).containsExactly(1, 2, 3);
        assertThat(file.name()).isEqualTo(uri);
      }
      assertThat(Hdf5.exists(uri)).isTrue();
      assertThat(Hdf5.exists(uri.replace("a.h5", "b.h5"))).isFalse();
      assertThat(CommandRun.of("ls", uri).out()).contains("numbers");
      assertThatThrownBy(() -> Hdf5.openForEdit(uri)).isInstanceOf(InvalidUseException.class);
      assertThatThrownBy(() -> Hdf5.create(uri)).isInstanceOf(UnsupportedFeatureException.class);
      assertThatThrownBy(() -> Hdf5.delete(uri)).isInstanceOf(UnsupportedFeatureException.class);
    } finally {
      server.stop(0);
    }
  }

  /** Each command that reads a file, with URI for the file and OUT for the output, if any. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls -r URI",
        "dump URI",
        "stat URI",
        "diff URI URI",
        "verify --second native URI",
        "copy -i URI -o OUT.h5 -s numbers -d numbers",
        "repack URI OUT.h5",
        "convert URI OUT.h5",
        "convert --path /numbers URI OUT.npy",
        "plot URI:/numbers -o OUT.png",
        "plot URI:/numbers[0:2] -o OUT.png",
        "index URI -o OUT.json"
      })
  void commandsReadFilesOfWebServers(String words) throws IOException {
    byte[] content = Files.readAllBytes(sample());
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/a.h5", exchange -> serve(content, exchange));
    server.start();
    try {
      String uri = "http://127.0.0.1:" + server.getAddress().getPort() + "/a.h5";
      String out = folder.resolve("out").toString();
      CommandRun run = CommandRun.of(words.replace("URI", uri).replace("OUT", out).split(" "));
      assertThat(run.code()).as(run.err()).isZero();
      if (words.contains("OUT")) {
        try (Stream<Path> made = Files.list(folder)) {
          assertThat(made).anyMatch(path -> path.toString().startsWith(out));
        }
      }
    } finally {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://host/a.h5", "gs://bucket/a.h5"})
  void unknownSchemesAreRefusedByName(String uri) throws IOException {
    String scheme = uri.substring(0, uri.indexOf(':'));
    for (Runnable use :
        new Runnable[] {
          () -> Hdf5.open(uri),
          () -> Hdf5.create(uri),
          () -> Hdf5.openForEdit(uri),
          () -> Hdf5.exists(uri),
          () -> Hdf5.delete(uri)
        }) {
      assertThatThrownBy(use::run)
          .isInstanceOf(NotFoundException.class)
          .hasMessageContaining("\"" + scheme + "\"");
    }
    try (Session session = Hdf5.session("native")) {
      assertThatThrownBy(() -> session.open(uri, OpenOptions.READ))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining(uri);
      assertThatThrownBy(() -> session.create(uri, CreateOptions.DEFAULT))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining(uri);
    }
    try (Stream<Path> there = Files.list(Path.of(""))) {
      assertThat(there).noneMatch(path -> path.toString().startsWith(scheme + ":"));
    }
  }

  @Test
  void pathsOfOtherFileSystemsAreRefused() throws IOException {
    Path zip = folder.resolve("a.zip");
    Path sample = sample();
    try (FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"));
        Session session = Hdf5.session("native")) {
      Path inside = files.getPath("/inside.h5");
      for (Runnable use :
          new Runnable[] {
            () -> Hdf5.create(inside),
            () -> Hdf5.open(inside),
            () -> Hdf5.openForEdit(inside),
            () -> Hdf5.openOrCreate(inside),
            () -> Hdf5.exists(inside),
            () -> Hdf5.delete(inside),
            () -> session.create(inside),
            () -> session.open(inside),
            () -> FileConverter.convert(inside, folder.resolve("out.npy")),
            () -> FileConverter.convert(sample, inside)
          }) {
        assertThatThrownBy(use::run)
            .isInstanceOf(UnsupportedFeatureException.class)
            .hasMessageContaining("jar");
      }
    }
    assertThat(Files.exists(Path.of("/inside.h5"))).isFalse();
  }

  @Test
  void pathIsNotTreatedAsAUri() {
    for (String name : new String[] {"mpiio:a.h5", "http:a.h5", "file:a.h5", "s3:a.h5"}) {
      Path path = folder.resolve(name);
      Hdf5.create(path).close();
      assertThat(Files.exists(path)).isTrue();
      assertThat(Hdf5.exists(path)).isTrue();
      Hdf5.delete(path);
      assertThat(Files.exists(path)).isFalse();
    }
  }

  @Test
  void creatingInAMissingFolderNamesTheFolder() {
    Path path = folder.resolve("none").resolve("a.h5");
    assertThatThrownBy(() -> Hdf5.create(path))
        .isInstanceOf(NotFoundException.class)
        .isInstanceOf(HyperslabException.class)
        .hasMessageContaining("no such folder " + folder.resolve("none"));
  }

  @Test
  void existingUnreadableFilesAreNotReplaced() throws IOException {
    Path text = Files.writeString(folder.resolve("notes.txt"), "no HDF5 file");
    Path damaged = sample();
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[20] ^= 1;
    Files.write(damaged, bytes);
    for (Path there : List.of(text, damaged)) {
      byte[] before = Files.readAllBytes(there);
      assertThatThrownBy(() -> Hdf5.openOrCreate(there)).isInstanceOf(HyperslabException.class);
      assertThat(there).hasBinaryContent(before);
    }
    Path fresh = folder.resolve("fresh.h5");
    Hdf5.openOrCreate(fresh).close();
    try (H5File file = Hdf5.openOrCreate(fresh.toString())) {
      assertThat(file.isWritable()).isTrue();
    }
  }

  @Test
  void copyDoesNotReplaceAnOutputThatIsNoFileOfHdf5() throws IOException {
    Path in = sample();
    Path out = Files.writeString(folder.resolve("notes.txt"), "no HDF5 file");
    String[] words = {"copy", in.toString(), out.toString(), "-s", "/numbers", "-d", "/n"};
    assertThat(CommandRun.of(words).code()).isNotZero();
    assertThat(out).hasContent("no HDF5 file");
  }
}
