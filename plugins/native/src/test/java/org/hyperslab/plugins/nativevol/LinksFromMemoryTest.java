package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that files in memory and in channels share the files that their external links and virtual
 * datasets name with the rest of the program, as in the C library.
 */
final class LinksFromMemoryTest {

  @TempDir private Path folder;

  private Path disk;

  @BeforeEach
  void makeFileOnDisk() {
    disk = folder.resolve("disk.h5");
    try (H5File file = Hdf5.create(disk)) {
      file.createDataset("d", new int[] {1, 2, 3});
    }
  }

  private H5File linked() {
    H5File memory = Hdf5.createInMemory();
    memory.root().createExternalLink("link", disk.toString(), "/d");
    return memory;
  }

  @Test
  void fileOpenForEditingIsShared() {
    try (H5File memory = linked();
        H5File open = Hdf5.openForEdit(disk)) {
      open.dataset("d").slice("0").write(7); // not flushed
      assertThat(memory.dataset("link").readInts()).containsExactly(7, 2, 3);
      memory.dataset("link").slice("1").write(8);
      assertThat(open.dataset("d").readInts()).containsExactly(7, 8, 3);
    }
    assertStored("[7 8 3]");
  }

  @Test
  void fileThatALinkHasOpenedIsShared() {
    try (H5File memory = linked();
        Dataset through = memory.dataset("link");
        H5File open = Hdf5.openForEdit(disk)) {
      through.slice("0").write(7);
      assertThat(open.dataset("d").readInts()).containsExactly(7, 2, 3);
      open.dataset("d").slice("2").write(9);
      assertThat(through.readInts()).containsExactly(7, 2, 9);
    }
    assertStored("[7 2 9]");
  }

  @Test
  void filesAreClosedInAnyOrder() {
    H5File memory = linked();
    H5File open = Hdf5.openForEdit(disk);
    Dataset through = memory.dataset("link");
    open.dataset("d").slice("0").write(7);
    open.close();
    through.slice("1").write(8);
    H5File again = Hdf5.openForEdit(disk);
    assertThat(again.dataset("d").readInts()).containsExactly(7, 8, 3);
    memory.close();
    again.dataset("d").slice("2").write(9);
    again.close();
    assertStored("[7 8 9]");
    Hdf5.delete(disk);
  }

  @Test
  void linksMayLeadBack() {
    Path other = folder.resolve("other.h5");
    try (H5File made = Hdf5.create(other)) {
      made.root().createExternalLink("back", disk.toString(), "/");
    }
    try (H5File memory = linked();
        H5File open = Hdf5.openForEdit(disk)) {
      open.root().createExternalLink("other", other.toString(), "/");
      memory.root().createExternalLink("far", disk.toString(), "/other/back/d");
      open.dataset("d").slice("0").write(7);
      assertThat(memory.dataset("far").readInts()).containsExactly(7, 2, 3);
      assertThat(memory.dataset("far").isSameAs(memory.dataset("link"))).isTrue();
    }
    assertStored("[7 2 3]");
  }

  @Test
  void virtualDatasetsReadWhatIsNotFlushed() {
    try (H5File memory = Hdf5.createInMemory();
        H5File open = Hdf5.openForEdit(disk)) {
      Layout.Virtual.Mapping mapping =
          new Layout.Virtual.Mapping(
              Selection.all(), disk.toString(), "/d", Dataspace.simple(3), Selection.all());
      Dataset whole =
          memory
              .root()
              .datasetBuilder("v")
              .type(Datatypes.I32LE)
              .shape(3)
              .options(
                  DatasetOptions.builder().layout(new Layout.Virtual(List.of(mapping))).build())
              .create();
      open.dataset("d").slice("0").write(7);
      assertThat(whole.readInts()).containsExactly(7, 2, 3);
    }
  }

  @Test
  void fileOpenForReadingIsNotEdited() {
    try (H5File memory = linked();
        H5File open = Hdf5.open(disk)) {
      assertThat(open.dataset("d").readInts()).containsExactly(1, 2, 3);
      assertThatThrownBy(() -> memory.dataset("link"))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("already open for reading");
    }
  }

  @Test
  void channelsShareFilesToo() throws IOException {
    Path path = folder.resolve("channel.h5");
    List<StandardOpenOption> modes =
        List.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try (FileChannel channel = FileChannel.open(path, modes.toArray(StandardOpenOption[]::new));
        H5File open = Hdf5.openForEdit(disk)) {
      open.dataset("d").slice("0").write(7);
      try (H5File made = Hdf5.create(channel, CreateOptions.DEFAULT)) {
        made.root().createExternalLink("link", disk.toString(), "/d");
        assertThat(made.dataset("link").readInts()).containsExactly(7, 2, 3);
      }
      try (H5File read = Hdf5.open(channel, OpenOptions.READ)) {
        assertThat(read.dataset("link").readInts()).containsExactly(7, 2, 3);
      }
    }
  }

  @Test
  void filesInMemoryAreNotConfused() {
    try (H5File one = Hdf5.createInMemory();
        H5File two = Hdf5.createInMemory()) {
      one.createDataset("one", 1);
      two.createDataset("two", 2);
      assertThat(one.names()).containsExactly("one");
      assertThat(two.names()).containsExactly("two");
    }
  }

  private void assertStored(String elements) {
    assertThat(LibraryJudge.python("print(h5py.File(sys.argv[1], 'r')['d'][:])", disk))
        .isEqualTo(elements);
  }
}
