package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what is on storage when a file gets its name, and what a failure leaves. */
final class DurableFileTest {

  @TempDir private Path folder;

  /** Records calls by the names of files, without the numbers of temporary ones. */
  private final class Recorder implements DurableFile.Disk {
    final List<String> calls = new ArrayList<>();

    @Override
    public void force(Path path) throws IOException {
      calls.add("force " + name(path));
      DurableFile.force(path);
    }

    @Override
    public void rename(Path written, Path named) throws IOException {
      calls.add("rename " + name(written) + " " + name(named));
      Files.move(written, named, StandardCopyOption.REPLACE_EXISTING);
    }

    private String name(Path path) {
      return path.equals(folder) ? "." : path.getFileName().toString().replaceAll("\\d+", "#");
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void contentIsOnStorageBeforeTheNameAndTheNameAfterwards() throws IOException {
    Recorder disk = new Recorder();
    DurableFile.write(folder.resolve("out"), path -> Files.writeString(path, "new"), disk);
    assertThat(disk.calls).containsExactly("force out#.new", "rename out#.new out", "force .");
    assertThat(folder.resolve("out")).hasContent("new");
  }

  @Test
  void filesOfAFolderAreOnStorageBeforeTheirFolder() throws IOException {
    Path made = Files.createDirectory(folder.resolve("made"));
    Files.writeString(Files.createDirectory(made.resolve("sub")).resolve("file"), "new");
    Recorder disk = new Recorder();
    DurableFile.replace(made, folder.resolve("out"), disk);
    assertThat(disk.calls)
        .containsExactly("force file", "force sub", "force made", "rename made out", "force .");
  }

  @Test
  void contentThatIsCreatedOnceIsOnStorageBeforeTheName() throws IOException {
    Recorder disk = new Recorder();
    assertThat(DurableFile.create(folder.resolve("key"), new byte[] {1}, disk)).isTrue();
    assertThat(disk.calls).containsExactly("force key#.new", "force .");
    assertThat(names()).containsExactly("key");
  }

  @Test
  void failureLeavesTheOlderFileAndNothingElse() throws IOException {
    Path named = Files.writeString(folder.resolve("out"), "old");
    assertThatThrownBy(() ->
            DurableFile.write(
                named,
                path -> {
                  Files.writeString(path, "ne");
                  throw new IOException("full");
                }))
        .hasMessage("full");
    assertThat(named).hasContent("old");
    assertThat(names()).containsExactly("out");
  }

  @Test
  void oneOfManyThatCreateAFileSucceeds() throws Exception {
    Path named = folder.resolve("key");
    CountDownLatch start = new CountDownLatch(8);
    try (var threads = Executors.newFixedThreadPool(8)) {
      List<Future<Boolean>> created =
          IntStream.range(0, 8)
              .mapToObj(i ->
                  threads.submit(() -> {
                    start.countDown();
                    start.await();
                    byte[] content = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
                    return DurableFile.create(named, content);
                  }))
              .toList();
      int first = 0;
      for (Future<Boolean> each : created) {
        first += each.get() ? 1 : 0;
      }
      assertThat(first).isEqualTo(1);
    }
    assertThat(Files.size(named)).isEqualTo(1);
    assertThat(names()).containsExactly("key");
  }

  @Test
  void whatReplacesAnOlderFileIsOnStorageFirst() throws IOException {
    Path named = Files.writeString(folder.resolve("out"), "old");
    Recorder disk = new Recorder();
    try (UnfinishedFile file = UnfinishedFile.of(named)) {
      Files.writeString(file.path(), "new");
      file.finish(disk);
    }
    assertThat(disk.calls)
        .containsExactly("force out.#-#.unfinished", "rename out.#-#.unfinished out", "force .");
    assertThat(named).hasContent("new");
  }
}
