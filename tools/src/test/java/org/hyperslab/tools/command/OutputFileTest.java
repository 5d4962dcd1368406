package org.hyperslab.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that no command overwrites what it reads, or removes what it did not write. */
final class OutputFileTest {

  @TempDir private Path folder;
  private Path in;
  private byte[] content;

  @BeforeEach
  void createInput() throws IOException {
    in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("numbers", new double[] {1, 2, 3}).close();
    }
    Files.createSymbolicLink(folder.resolve("link.h5"), in);
    Files.createLink(folder.resolve("second.h5"), in);
    content = Files.readAllBytes(in);
  }

  /** Each command that reads a file and writes one, with OUT for another name of the input. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "index IN -o OUT",
        "index URI -o OUT",
        "plot IN:/numbers -o OUT",
        "plot IN --flash dens -o OUT",
        "repack IN OUT",
        "convert IN OUT",
        "convert --replace IN OUT",
        "convert --replace --connector native IN OUT",
        "dump -o OUT IN",
        "dump -O OUT IN",
        "dump -b LE -d /numbers -o OUT IN",
        "dump -o OUT IN.missing IN"
      })
  void outputsThatAreTheInputAreRefused(String words) {
    for (String name : new String[] {"in.h5", "link.h5", "second.h5", "./in.h5"}) {
      String out = folder.toString() + "/" + name;
      String[] all = words.split(" ");
      for (int i = 0; i < all.length; i++) {
        all[i] =
            all[i]
                .replace("OUT", out)
                .replace("URI", in.toUri().toString())
                .replace("IN", in.toString());
      }
      CommandRun run = CommandRun.of(all);
      assertThat(run.code()).as(words).isEqualTo(1);
      assertThat(run.err()).as(words).contains("expected=another file", "at=" + out);
      assertThat(in).as(words + " as " + name).hasBinaryContent(content);
    }
  }

  /** Each command that writes a file into a folder that does not exist. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "index IN -o OUT",
        "plot IN:/numbers -o OUT.png",
        "repack IN OUT",
        "convert IN OUT.npy",
        "convert IN OUT.nc",
        "convert IN OUT.h5",
        "convert IN OUT.csv"
      })
  void missingFoldersAreNamed(String words) {
    String out = folder.resolve("none").resolve("out").toString();
    CommandRun run =
        CommandRun.of(words.replace("OUT", out).replace("IN", in.toString()).split(" "));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("folder", "none").hasLineCount(1);
  }

  @Test
  void repackKeepsAnOutputThatItDidNotOpen() {
    Path missing = folder.resolve("missing.h5");
    CommandRun run = CommandRun.of("repack", missing.toString(), in.toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(in).hasBinaryContent(content);
  }

  @Test
  void convertKeepsAnInputWithinAFolderThatItIsToReplace() throws IOException {
    Path store = Files.createDirectory(folder.resolve("store.zarr"));
    Files.writeString(store.resolve(".zgroup"), "{\"zarr_format\": 2}");
    Path inside = Files.copy(in, store.resolve("inside.h5"));
    CommandRun run = CommandRun.of("convert", "--replace", inside.toString(), store.toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("expected=another file");
    assertThat(inside).hasBinaryContent(content);
  }

  /** Whatever writes under the final name leaves a part there when it is interrupted. */
  @Test
  void onlyOneClassWritesFilesOfCommands() throws IOException {
    Set<String> known =
        Set.of(
            "OutputFile.java", // gives the name at the end
            "Dump.java", // likewise, for several files at once
            "PictureFile.java", // writes to the path that OutputFile gives
            "ConvertCommand.java", // copies standard input to a temporary file
            "UserBlock.java", // completes the file that repack has not finished
            "ViewCommand.java"); // a temporary page
    Pattern writes =
        Pattern.compile(
            "Files\\.(write|newOutputStream|newBufferedWriter|newByteChannel|copy|move)"
                + "|FileOutputStream\\([^F]|FileChannel\\.open|new FileWriter|RandomAccessFile");
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      List<String> others =
          sources
              .filter(path -> path.toString().endsWith(".java"))
              .filter(path -> !known.contains(path.getFileName().toString()))
              .filter(path -> writes.matcher(text(path)).find())
              .map(Path::toString)
              .toList();
      assertThat(others).isEmpty();
    }
  }

  private static String text(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
