package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.UnfinishedFile;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.testkit.ChildJvm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that {@code repack} gives its output the name only when it is complete. */
@Timeout(300)
final class UnfinishedFileTest {

  private static final int BLOCK = 1 << 22;

  @TempDir private Path folder;
  private Path in;
  private Path out;

  @BeforeEach
  void create() {
    in = folder.resolve("in.h5");
    out = folder.resolve("out.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("numbers", new int[] {1, 2, 3}).close();
    }
  }

  /** Adds what takes seconds to compress. */
  private void addMuch() {
    try (H5File file = Hdf5.openForEdit(in);
        Dataset much =
            file.datasetBuilder("much")
                .type(Datatypes.I32LE)
                .shape(12L * BLOCK)
                .options(DatasetOptions.chunked(BLOCK).build())
                .create()) {
      int[] block = new Random(1).ints(BLOCK).toArray();
      for (int i = 0; i < 12; i++) {
        much.write(Selection.box(new long[] {(long) i * BLOCK}, new long[] {BLOCK}), block);
      }
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void anInterruptLeavesNeitherAPartNorATemporaryFile() throws Exception {
    addMuch();
    Process repack =
        new ProcessBuilder(
                ChildJvm.command(
                    512, Main.class, "repack", "-f", "GZIP=9", in.toString(), out.toString()))
            .inheritIO()
            .start();
    try {
      while (names().size() < 2 && repack.isAlive()) {
        repack.waitFor(1, TimeUnit.MILLISECONDS);
      }
      assertThat(repack.isAlive()).as("it is still at work").isTrue();
      assertThat(out).doesNotExist();
      repack.destroy(); // as Ctrl-C does, by a signal that ends the JVM with its hooks
      assertThat(repack.waitFor()).isNotZero();
    } finally {
      repack.destroyForcibly();
    }
    assertThat(names()).containsExactly("in.h5");
  }

  @Test
  void messagesNameTheFileThatWasAskedFor() throws IOException {
    Path asked = folder.resolve("asked.h5");
    try (UnfinishedFile unfinished = UnfinishedFile.of(asked)) {
      IOException cause = new IOException(unfinished.path() + ": no space");
      assertThat(
              List.<HyperslabException>of(
                  new StorageException("write: actual=" + cause + ", at=" + unfinished.path()),
                  new CorruptFileException(unfinished.path().toString(), "header", 3, "bad"),
                  new NotFoundException("x").withMessage("none, at=" + unfinished.path())))
          .allSatisfy(failure ->
              assertThat(failure)
                  .message()
                  .contains(asked.toString())
                  .doesNotContain("unfinished"));
      assertThat(new StorageException("at=other.1-1.unfinished"))
          .hasMessage("at=other.1-1.unfinished");
    }
  }

  @Test
  void aFailureKeepsTheOlderFile() throws IOException {
    byte[] older = {1, 2, 3};
    Files.write(out, older);
    CommandRun run = CommandRun.of("repack", "-f", "nowhere:GZIP=1", in.toString(), out.toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(Files.readAllBytes(out)).isEqualTo(older);
    assertThat(names()).containsExactly("in.h5", "out.h5");
  }

  @Test
  void aLinkStaysOneAndItsTargetIsReplaced() throws IOException {
    Path target = Files.write(folder.resolve("target.h5"), new byte[] {1});
    Files.createSymbolicLink(out, target);
    assertThat(CommandRun.of("repack", in.toString(), out.toString()).code()).isZero();
    assertThat(Files.isSymbolicLink(out)).isTrue();
    try (H5File file = Hdf5.open(target)) {
      assertThat(file.dataset("numbers").readInts()).containsExactly(1, 2, 3);
    }
    assertThat(names()).containsExactly("in.h5", "out.h5", "target.h5");
  }

  @Test
  void connectorsAndUrisGetTheNameItself() throws IOException {
    String tracing = "caching | native";
    assertThat(
            CommandRun.of("repack", "--connector", tracing, in.toString(), out.toString()).code())
        .isZero();
    String uri = folder.resolve("uri.h5").toUri().toString();
    assertThat(CommandRun.of("repack", in.toString(), uri).code()).isZero();
    assertThat(names()).containsExactly("in.h5", "out.h5", "uri.h5");
    Path socket = folder.resolve("socket");
    try (StageServer server =
        StageServer.start(
            ServerOptions.of(new Address.Unix(socket.toString()), folder.resolve("root")))) {
      Files.move(in, folder.resolve("root/in.h5"));
      String staged = "forwarding servers=" + server.address();
      CommandRun run = CommandRun.of("repack", "--connector", staged, "in.h5", "far.h5");
      assertThat(run.code()).as(run.err()).isZero();
      try (H5File file = Hdf5.open(folder.resolve("root/far.h5"))) {
        assertThat(file.dataset("numbers").readInts()).containsExactly(1, 2, 3);
      }
    }
  }

  @Test
  void aDigitAfterVerboseIsAFileIfThereIsOne() throws Exception {
    for (String name : List.of("1", "2")) {
      Files.copy(in, folder.resolve(name));
    }
    assertThat(diff("-v", "1", "2")).as("files 1 and 2").isZero();
    assertThat(diff("-v", "3", "1", "2")).as("level 3").isZero();
    assertThat(diff("-v1", "1", "none")).as("no such file").isEqualTo(2);
  }

  private int diff(String... words) throws IOException, InterruptedException {
    String[] all = Stream.concat(Stream.of("diff"), Stream.of(words)).toArray(String[]::new);
    return new ProcessBuilder(ChildJvm.command(256, Main.class, all))
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Not all names below /dev are devices. */
  @Test
  void filesInSharedMemoryAreReplaced() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(memory), "shared memory is no folder here");
    Path made = Files.createTempDirectory(memory, "hyperslab-");
    try (UnfinishedFile folderOfTest = UnfinishedFile.ofTemporary(made)) {
      Path file = Files.writeString(folderOfTest.path().resolve("out.h5"), "old");
      try (UnfinishedFile written = UnfinishedFile.of(file)) {
        Files.writeString(written.path(), "new", StandardOpenOption.CREATE_NEW);
        assertThat(file).hasContent("old");
        written.finish();
      }
      assertThat(file).hasContent("new");
    }
  }
}
