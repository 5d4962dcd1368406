package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.zip.InflaterInputStream;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.differential.Differential;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests sequences of references of HDF5 1.12 as the library stores them: it reserves 64 bytes for
 * each element, its size in memory, and packs elements of 18.
 */
final class SequencesOfReferencesTest {

  /**
   * A file of HDF5 2.2.0, deflated: the group {@code g}, and the attribute {@code a} of the root
   * group, of type H5Tvlen_create(H5T_STD_REF), with the elements [/, /g] and [/g].
   */
  private static final String FILE =
      "eNrr9HBx4+WS4mLm4GCAgf9QwCAB4RtAxR07O9n9PVyCmBQsfzFnI+MKJiFkjTDAxcTAyMDAxsMApBjTD0ONERVi"
          + "YMFUKyDAwBDGCFERDXOJHAMBkN/u9ZkMJzFEMNAMRIUd/+Hv7OHN48/AwMzAxCDAIMLAkMjgCZQCepHBHegsByDN"
          + "xMjIyATVgkJD44ERimF8kJxfy1sdhlEwCkbBKBgFo4By4O7s7wOuZgQQ1Q4INMCrJA4DVB1AkcMYxjByg2Q4GDEk"
          + "DhPnDJz6YVWjAz7bSTAPBgT4R+N+FIyCUTAKRsEoGAWjYBSMglEwCkbByAEASN5dOQ==";

  @TempDir Path folder;

  private Path file() throws IOException {
    byte[] deflated = Base64.getDecoder().decode(FILE);
    Path path = folder.resolve("references.h5");
    try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(deflated))) {
      Files.write(path, in.readAllBytes());
    }
    return path;
  }

  @Test
  void everyReferenceOfASequenceIsRead() throws IOException {
    try (H5File file = Hdf5.open(file())) {
      Reference.ToObject root = file.root().reference();
      Reference.ToObject group = file.group("g").reference();
      assertThat(file.root().attribute("a").read(Reference[][].class))
          .isDeepEqualTo(new Reference[][] {{root, group}, {group}});
    }
  }

  @Test
  void libraryReadsSequencesWrittenIntoItsType() throws IOException {
    Assumptions.assumeTrue(Oracle.newest("h5dump").isPresent(), "HDF5 2 is not installed");
    Path path = file();
    try (H5File file = Hdf5.openForEdit(path)) {
      Group group = file.group("g");
      Reference[][] turned = {{group.reference()}, {group.reference(), file.root().reference()}};
      file.root().attribute("a").write(turned);
      assertThat(file.root().attribute("a").read(Reference[][].class)).isDeepEqualTo(turned);
    }
    String text =
        Oracle.newest("h5dump").orElseThrow().run("-a", "/a", path.toString()).orFail().output();
    String name = path.toString();
    assertThat(text.replaceAll("\\s+", " "))
        .contains("(0): (GROUP \"" + name + "/g\")")
        .contains("(1): (GROUP \"" + name + "/g\", GROUP \"" + name + "/\")");
  }

  @Test
  void sizeOfASequencesReferencesIsThatOfTheLibrary() {
    Datatype stored = Datatypes.vlen(Datatypes.REFERENCE).forFile(Long.BYTES);
    assertThat(((VlenType) stored).base().size()).isEqualTo(64);
    assertThat(stored.forFile(Long.BYTES)).isEqualTo(stored);
    assertThat(stored.inMemory()).isEqualTo(Datatypes.vlen(Datatypes.REFERENCE).inMemory());
  }

  /** Histories in which HDF5 2.2 writes sequences of a type that this project has committed. */
  @ParameterizedTest
  @ValueSource(ints = {18524, 17089})
  void libraryWritesSequencesOfCommittedTypes(int index) {
    Assumptions.assumeTrue(Oracle.newest("h5dump").isPresent(), "HDF5 2 is not installed");
    try (Differential tester = new Differential(Hdf5.session("native"))) {
      tester.run(70291101, index, 1);
    }
  }
}
