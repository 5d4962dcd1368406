package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatypes;
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

  private static final CopyOptions EXPANDED = CopyOptions.builder().expandReferences(true).build();

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

  private static void makeSequences(H5File file) {
    Reference far = file.createDataset("far", 7).reference();
    Reference near = file.createDataset("g/near", 8).reference();
    Reference[][] lists = {{far, near}, {}, {near}};
    CompoundType pair =
        CompoundType.builder()
            .member("n", Datatypes.I16BE)
            .member("to", Datatypes.vlen(Datatypes.OBJECT_REFERENCE))
            .build();
    file.createDataset("lists", Datatypes.vlen(Datatypes.OBJECT_REFERENCE), Dataspace.simple(3))
        .write(lists);
    file.createDataset("pairs", pair, Dataspace.simple(1))
        .write(new Map<?, ?>[] {Map.of("n", 1, "to", new Reference[] {far})});
    file.dataset("lists").setAttribute("lists", lists, Datatypes.vlen(Datatypes.OBJECT_REFERENCE));
  }

  private static List<Reference[]> sequences(H5File file) {
    List<Reference[]> all = new ArrayList<>();
    Dataset lists = file.dataset("lists");
    all.addAll(List.of(lists.read(Reference[][].class)));
    all.addAll(List.of(lists.attribute("lists").read(Reference[][].class)));
    all.addAll(List.of(file.dataset("pairs").field("to").read(Reference[][].class)));
    return all;
  }

  @Test
  void referencesInSequencesReferToNothingInAnotherFile() {
    try (H5File source = Hdf5.create(folder.resolve("from.h5"));
        H5File target = Hdf5.create(folder.resolve("to.h5"))) {
      makeSequences(source);
      for (String name : List.of("lists", "pairs")) {
        source.root().copy(name, target.root(), name);
      }
      assertThat(sequences(target))
          .extracting(list -> list.length)
          .containsExactly(2, 0, 1, 2, 0, 1, 1);
      assertThat(sequences(target)).allSatisfy(list -> assertThat(list).allMatch(Objects::isNull));
      assertThat(sequences(source).getFirst()).doesNotContainNull();
    }
  }

  @Test
  void referencesInSequencesAreExpandedLikeOthers() {
    Path to = folder.resolve("to.h5");
    try (H5File source = Hdf5.create(folder.resolve("from.h5"));
        H5File target = Hdf5.create(to)) {
      makeSequences(source);
      source.root().copy("lists", target.root(), "lists", EXPANDED);
      source.root().copy("pairs", target.root(), "pairs", EXPANDED);
    }
    String follow =
        """
        f = h5py.File(sys.argv[1], 'r')
        for values in (f['lists'], f['lists'].attrs['lists']):
            print([[int(f[r][()]) for r in one] for one in values])
        print([int(f[r][()]) for r in f['pairs'][0]['to']])
        """;
    assertThat(LibraryJudge.python(follow, to).lines().toList())
        .containsExactly("[[7, 8], [], [8]]", "[[7, 8], [], [8]]", "[7]");
  }

  @Test
  void referencesInSequencesStayWithinOneFile() {
    try (H5File file = Hdf5.create(folder.resolve("one.h5"))) {
      makeSequences(file);
      file.root().copy("lists", file.root(), "copy");
      Reference[][] copied = file.dataset("copy").read(Reference[][].class);
      assertThat(file.dereference(copied[0][1]).findPath()).hasValue("/g/near");
      Reference[][] listed = file.dataset("copy").attribute("lists").read(Reference[][].class);
      assertThat(file.dereference(listed[2][0]).findPath()).hasValue("/g/near");
    }
  }
}
