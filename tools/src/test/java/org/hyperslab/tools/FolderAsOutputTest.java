package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.Hdf5;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that every command that writes a file fails if its name is that of a folder, and that the
 * folder remains.
 */
final class FolderAsOutputTest {

  @TempDir private Path folder;
  private Path in;
  private Path cdl;
  private Path table;

  @BeforeEach
  void create() throws IOException {
    in = folder.resolve("in.h5");
    try (var file = Hdf5.create(in)) {
      file.createDataset("numbers", new double[] {1, 2, 3}).close();
    }
    cdl = Files.writeString(folder.resolve("in.cdl"), "netcdf in { dimensions: x = 2; }");
    table = Files.writeString(folder.resolve("in.csv"), "a,b\n1,2\n");
  }

  private Path mine(String name) throws IOException {
    Path mine = Files.createDirectory(folder.resolve(name));
    Files.writeString(mine.resolve("notes"), "mine");
    return mine;
  }

  @TestFactory
  Stream<DynamicTest> aFolderIsNotReplaced() {
    String dataset = in + ":/numbers";
    return Stream.of(
            List.of("dump", "-o", "OUT", in.toString()),
            List.of("dump", "-O", "OUT", in.toString()),
            List.of("dump", "-d", "/numbers", "-b", "-o", "OUT", in.toString()),
            List.of("plot", dataset, "-o", "OUT"),
            List.of("index", in.toString(), "-o", "OUT"),
            List.of("repack", in.toString(), "OUT"),
            List.of("copy", "-i", in.toString(), "-o", "OUT", "-s", "/numbers", "-d", "/n"),
            List.of("ncgen", "-o", "OUT", cdl.toString()),
            List.of("ncgen", "-k", "nc4", "-o", "OUT", cdl.toString()),
            List.of("convert", "--replace", "--to", "hdf5", table.toString(), "OUT"),
            List.of("convert", "--replace", "--to", "zarr", table.toString(), "OUT"),
            List.of("convert", "--replace", "--to", "npz", in.toString(), "OUT"))
        .map(words -> DynamicTest.dynamicTest(String.join(" ", words), () -> fails(words)));
  }

  private void fails(List<String> words) throws IOException {
    Path mine = mine("mine.png" + Math.abs(words.hashCode()));
    Path link = Files.createSymbolicLink(folder.resolve("link" + mine.getFileName()), mine);
    for (Path out : List.of(mine, link)) {
      CommandRun run =
          CommandRun.of(
              words.stream()
                  .map(word -> word.equals("OUT") ? out.toString() : word)
                  .toArray(String[]::new));
      assertThat(run.code()).as(run.err() + run.out()).isNotZero();
      assertThat(mine.resolve("notes")).hasContent("mine");
      try (Stream<Path> all = Files.list(mine)) {
        assertThat(all).hasSize(1);
      }
    }
  }

  @Test
  void anEmptyNameIsNotTheWorkingFolder() {
    CommandRun run = CommandRun.of("dump", "-o", "", in.toString());
    assertThat(run.code()).as(run.err()).isNotZero();
    assertThat(Path.of("").toAbsolutePath()).isDirectory();
  }
}
