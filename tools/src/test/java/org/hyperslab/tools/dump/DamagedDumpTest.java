package org.hyperslab.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Reference;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.RawChunk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that dump reports unreadable elements and prints the rest. */
final class DamagedDumpTest {

  @TempDir private Path folder;

  @Test
  void elementsThatCannotBeReadFailAloneAlsoThroughReferences() {
    Path path = folder.resolve("damaged.h5");
    CreateOptions modern = CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.V110);
    try (H5File file = Hdf5.create(path, modern)) {
      Dataset bad =
          file.datasetBuilder("bad")
              .type(Datatypes.I32LE)
              .shape(6)
              .options(DatasetOptions.chunked(3).deflate(4).build())
              .create();
      bad.write(new int[6]);
      file.flush();
      byte[] noise = {1, 2, 3, 4, 5, 6};
      bad.writeChunk(new RawChunk(MemorySegment.ofArray(noise), 0), 0);
      file.root()
          .createAttribute("leads", Datatypes.REFERENCE, Dataspace.simple(1))
          .write(new Reference[] {bad.reference()});
      file.createDataset("later", new int[] {7, 8});
    }
    StringBuilder text = new StringBuilder();
    PrintStream quiet =
        new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    int exit = new Dump(Hdf5::open, quiet).run(List.of("-R", path.toString()), text);
    assertThat(exit).isEqualTo(1);
    assertThat(text).contains("DATASET \"later\"").contains("(0): 7, 8").endsWith("}\n}\n");
  }

  /** Tests references with the name of a file, which h5repack 2.x writes in attributes. */
  @Test
  void referencesIntoAnotherFileAreFollowedForTheirNames() {
    Path there = folder.resolve("there.h5");
    long token;
    try (H5File file = Hdf5.create(there)) {
      file.createGroup("g").createDataset("d", 1).close();
      token = file.dataset("g/d").token().address();
    }
    Path path = folder.resolve("here.h5");
    Reference target = new Reference.ToObject(token);
    Reference leads = new Reference.External(there.toString(), target);
    CreateOptions newest = CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.V200);
    try (H5File file = Hdf5.create(path, newest)) {
      file.root()
          .createAttribute("leads", Datatypes.REFERENCE, Dataspace.simple(2))
          .write(new Reference[] {leads, new Reference.External(folder + "/none.h5", target)});
      assertThatThrownBy(() -> file.dereference(leads))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=into the file " + there);
    }
    StringBuilder text = new StringBuilder();
    assertThat(new Dump(Hdf5::open, System.err).run(List.of(path.toString()), text)).isZero();
    assertThat(text)
        .contains("DATASET \"" + there + "/g/d\"")
        .contains("UNKNOWN \"" + folder + "/none.h5\"");
  }
}
