package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.store.ByteStoreContract;
import org.junit.jupiter.api.Test;

/** Tests families and split files that the HDF5 library wrote. */
class FamilyCorpusTest {

  private static Path corpus(String name) {
    return Corpus.file("h5dump/" + name);
  }

  @Test
  void readsAFamilyOfTheLibrary() {
    Path first = corpus("tfamily00000.h5");
    String pattern = first.toString().replace("00000", "%05d");
    try (FamilyStore family = FamilyStore.open(pattern, 0, FileAccess.READ)) {
      assertThat(family.memberCount()).isEqualTo(11);
      assertThat(ByteStoreContract.read(family, 0, 4)).containsExactly(0x89, 'H', 'D', 'F');
    }
  }

  @Test
  void readsASplitFileOfTheLibrary() {
    FileStore metadata = FileStore.open(corpus("tsplit_file-m.h5"), FileAccess.READ);
    FileStore raw = FileStore.open(corpus("tsplit_file-r.h5"), FileAccess.READ);
    try (MultiStore split = MultiStore.split("tsplit_file", metadata, raw)) {
      byte[] expected = ByteStoreContract.read(raw, 0, 64);
      assertThat(ByteStoreContract.read(split, MultiStore.SPLIT_RAW_START, 64)).isEqualTo(expected);
    }
  }
}
