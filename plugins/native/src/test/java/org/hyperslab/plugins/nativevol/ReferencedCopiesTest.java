package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.type.Reference;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests copies of what references point to. As in the HDF5 library they get a link in the root
 * group, without which programs that copy a file object by object would lose them.
 */
final class ReferencedCopiesTest {

  private static final CopyOptions EXPANDED =
      new CopyOptions(false, false, false, true, false, false);

  private static final String FOLLOW =
      """
      f = h5py.File(sys.argv[1], 'r')
      for reference in f['references']:
          print(f[reference].name.rstrip('0123456789'), f[reference][()])
      """;

  @TempDir private Path folder;

  @Test
  void copiesThatOnlyReferencesPointToHaveTheLibrarysLink() {
    Path from = folder.resolve("from.h5");
    Path to = folder.resolve("to.h5");
    try (H5File source = Hdf5.create(from);
        H5File target = Hdf5.create(to)) {
      Reference far = source.createDataset("far", 7).reference();
      Reference near = source.createDataset("g/near", 8).reference();
      source.createDataset("references", new Reference[] {far, near, far});
      source.root().copy("references", target.root(), "references", EXPANDED);
      assertThat(target.root().names()).hasSize(3);
    }
    List<String> expected =
        List.of("/~obj_pointed_by_ 7", "/~obj_pointed_by_ 8", "/~obj_pointed_by_ 7");
    assertThat(LibraryJudge.python(FOLLOW, to).lines().toList()).isEqualTo(expected);
    Path repacked = folder.resolve("repacked.h5");
    Oracle.program("h5repack").run(to.toString(), repacked.toString()).orFail();
    assertThat(LibraryJudge.python(FOLLOW, repacked).lines().map(line -> line.split(" ")[1]))
        .containsExactly("7", "8", "7");
  }

  @Test
  void copiesWithAPlaceInTheTreeGetNoOtherLink() {
    Path to = folder.resolve("to.h5");
    try (H5File source = Hdf5.create(folder.resolve("from.h5"));
        H5File target = Hdf5.create(to)) {
      Reference inside = source.createDataset("tree/x", 9).reference();
      source.createDataset("tree/references", new Reference[] {inside});
      source.root().copy("tree", target.root(), "tree", EXPANDED);
      assertThat(target.root().names()).containsExactly("tree");
      assertThat(target.group("tree").names()).containsExactly("references", "x");
    }
  }
}
