package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests how {@link UnfinishedFile} names what is not complete, and what it does to an older file.
 */
final class TemporaryNameTest {

  @TempDir private Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void twoWritersOfANameInOneProcessDoNotMeet() throws IOException {
    Path named = folder.resolve("out");
    try (UnfinishedFile one = UnfinishedFile.of(named);
        UnfinishedFile other = UnfinishedFile.of(named)) {
      assertThat(one.path()).isNotEqualTo(other.path());
      Files.writeString(one.path(), "one");
      Files.writeString(other.path(), "other");
      one.finish();
      assertThat(named).hasContent("one");
    }
    assertThat(names()).containsExactly("out");
  }

  @Test
  void anOlderFolderIsReplacedWhole() throws IOException {
    Path named = Files.createDirectory(folder.resolve("out"));
    Files.writeString(Files.createDirectory(named.resolve("sub")).resolve("old"), "old");
    try (UnfinishedFile file = UnfinishedFile.replacingFolder(named)) {
      Files.writeString(Files.createDirectory(file.path()).resolve("new"), "new");
      file.finish();
    }
    assertThat(names()).containsExactly("out");
    assertThat(named.resolve("new")).hasContent("new");
    assertThat(named.resolve("sub")).doesNotExist();
  }

  @Test
  void aFolderAndAFileReplaceEachOther() throws IOException {
    Path named = Files.createDirectory(folder.resolve("out"));
    Files.writeString(named.resolve("old"), "old");
    try (UnfinishedFile file = UnfinishedFile.replacingFolder(named)) {
      Files.writeString(file.path(), "file");
      file.finish();
    }
    assertThat(named).hasContent("file");
    try (UnfinishedFile file = UnfinishedFile.replacingFolder(named)) {
      Files.createDirectory(file.path());
      file.finish();
    }
    assertThat(named).isDirectory();
    assertThat(names()).containsExactly("out");
  }

  @Test
  void aFileNeverReplacesAFolder() throws IOException {
    Path named = Files.createDirectory(folder.resolve("out"));
    Path empty = Path.of("");
    Path link = Files.createSymbolicLink(folder.resolve("link"), named);
    for (Path each : List.of(named, link, empty, folder.resolve("."), Path.of("/"))) {
      assertThatThrownBy(() -> UnfinishedFile.of(each).close())
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("is a folder");
    }
    assertThat(names()).containsExactly("link", "out");
  }

  @Test
  void aFolderThatWasMadeMeanwhileRemains() throws IOException {
    Path named = folder.resolve("out");
    for (boolean isEmpty : new boolean[] {true, false}) {
      try (UnfinishedFile file = UnfinishedFile.of(named)) {
        Files.writeString(file.path(), "new");
        Files.createDirectory(named);
        if (!isEmpty) {
          Files.writeString(named.resolve("old"), "old");
        }
        assertThatThrownBy(file::finish).isInstanceOf(FileSystemException.class);
      }
      assertThat(named).isDirectory();
      assertThat(names()).containsExactly("out");
      Files.deleteIfExists(named.resolve("old"));
      Files.delete(named);
    }
  }

  @Test
  void linuxExchangesNamesInOneStep() throws IOException {
    Path one = Files.createDirectory(folder.resolve("one"));
    Path other = Files.writeString(folder.resolve("other"), "text");
    if (FileExchange.exchange(one, other)) {
      assertThat(one).hasContent("text");
      assertThat(other).isDirectory();
    }
    assertThat(FileExchange.exchange(one, folder.resolve("none"))).isFalse();
  }

  @Test
  void theOlderFilesPermissionsAreKept() throws IOException {
    Path named = Files.writeString(folder.resolve("out"), "old");
    Files.setPosixFilePermissions(named, PosixFilePermissions.fromString("rw-------"));
    try (UnfinishedFile file = UnfinishedFile.of(named)) {
      Files.writeString(file.path(), "new");
      file.finish();
    }
    assertThat(named).hasContent("new");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(named)))
        .isEqualTo("rw-------");
  }

  @Test
  void aNewFileDoesNotReplaceOneThatWasMadeMeanwhile() throws IOException {
    Path named = folder.resolve("out");
    try (UnfinishedFile file = UnfinishedFile.of(named)) {
      Files.writeString(file.path(), "new");
      Files.writeString(named, "meanwhile");
      assertThatThrownBy(file::finishNew).isInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(named).hasContent("meanwhile");
    assertThat(names()).containsExactly("out");
  }

  @Test
  void longNamesAndLinksThatLeadNowhereAreWritten() throws IOException {
    Path longest = folder.resolve("é".repeat(127));
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("target"));
    for (Path named : List.of(longest, link)) {
      try (UnfinishedFile file = UnfinishedFile.of(named)) {
        Files.writeString(file.path(), "new");
        file.finish();
      }
    }
    assertThat(longest).hasContent("new");
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(folder.resolve("target")).hasContent("new");
  }

  @Test
  void openFilesOfTheProcessAreWrittenThemselves() throws IOException {
    try (UnfinishedFile file = UnfinishedFile.of(Path.of("/dev/stdout"))) {
      assertThat(file.path()).isEqualTo(Path.of("/dev/stdout"));
    }
  }
}
