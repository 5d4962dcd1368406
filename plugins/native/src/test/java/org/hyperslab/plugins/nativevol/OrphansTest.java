package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.CommittedType;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Hdf5;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests open objects without a link (new ones, and ones whose last link was deleted), with headers
 * of both versions, as seen here and by the HDF5 library.
 */
@ParameterizedClass
@EnumSource(names = {"EARLIEST", "V18"})
final class OrphansTest {

  private static final String REPORT =
      """
      import h5py, sys
      with h5py.File(sys.argv[1], "r") as f:
          for name in f:
              info = h5py.h5o.get_info(f[name].id)
              print(name, info.rc, info.hdr.mesg.present >> 22 & 1)
      """;

  @TempDir private Path folder;

  @Parameter private FormatVersion low;

  private H5File create(String name) {
    return Hdf5.create(
        folder.resolve(name), CreateOptions.DEFAULT.withBounds(low, FormatVersion.V110));
  }

  private static H5Object make(H5File file, ObjectKind kind) {
    return switch (kind) {
      case GROUP -> file.root().createAnonymousGroup();
      case DATASET ->
          file.root()
              .createAnonymousDataset(
                  Datatypes.F64LE, Dataspace.simple(1000), DatasetOptions.DEFAULT);
      case COMMITTED_TYPE -> file.root().commitAnonymous(Datatypes.I16LE);
    };
  }

  private static List<String> linksOf(Path path) {
    return Oracle.h5py().run(REPORT, path.toString()).orFail().output().lines().toList();
  }

  private static void judge(Path path) {
    Stream.concat(Stream.of(Oracle.h5dump()), Oracle.newest("h5dump").stream())
        .forEach(dump -> dump.run(path.toString()).orFail());
  }

  @ParameterizedTest
  @EnumSource
  void firstLinkOfAnOrphanIsCountedOnceAndTakesNoMessage(ObjectKind kind) {
    Path path = folder.resolve("linked.h5");
    try (H5File file = create("linked.h5");
        H5Object object = make(file, kind)) {
      assertThat(object.info().referenceCount()).isZero();
      file.root().createHardLink("first", object);
      assertThat(object.info().referenceCount()).isEqualTo(1);
    }
    assertThat(linksOf(path)).containsExactly("first 1 0");
    judge(path);
  }

  @ParameterizedTest
  @EnumSource
  void orphanWithTwoLinksExistsUntilBothAreDeleted(ObjectKind kind) {
    Path path = folder.resolve("twice.h5");
    try (H5File file = create("twice.h5");
        H5Object object = make(file, kind)) {
      file.root().createHardLink("a", object);
      file.root().createHardLink("b", object);
      file.root().delete("a");
      assertThat(object.info().referenceCount()).isEqualTo(1);
    }
    assertThat(linksOf(path)).hasSize(1).allMatch(line -> line.startsWith("b 1 "));
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT)) {
      file.root().delete("b");
    }
    assertThat(linksOf(path)).isEmpty();
    judge(path);
  }

  @ParameterizedTest
  @EnumSource
  void processThatEndsWithAnOrphanLeavesAWholeFileWithoutIt(ObjectKind kind) throws IOException {
    Path copy = folder.resolve("copy.h5");
    ObjectToken token;
    try (H5File file = create("open.h5");
        H5Object orphan = make(file, kind);
        H5Object deleted = make(file, kind)) {
      file.createDataset("kept", new int[] {1, 2, 3}).close();
      file.root().createHardLink("deleted", deleted);
      file.flush();
      file.root().delete("deleted");
      file.flush();
      token = orphan.token();
      // What is on the disk now is what a process that is killed now leaves behind.
      Files.copy(folder.resolve("open.h5"), copy);
    }
    Path unlocked = cleared(copy);
    assertThat(linksOf(unlocked)).containsExactly("kept 1 0");
    judge(unlocked);
    try (H5File file = Hdf5.open(unlocked, OpenOptions.EDIT)) {
      assertThat(file.dataset("kept").readInts()).containsExactly(1, 2, 3);
      assertThat(file.pathOf(token)).isEmpty();
      file.root().delete("kept");
      file.createDataset("next", new double[5000]).close();
    }
    assertThat(linksOf(unlocked)).containsExactly("next 1 0");
    judge(unlocked);
  }

  /** Opens and closes a file once for editing, so that whatever a killed writer left is settled. */
  private static Path cleared(Path path) {
    Hdf5.open(path, OpenOptions.EDIT).close();
    return path;
  }

  @ParameterizedTest
  @EnumSource
  void deletedObjectIsNotFoundByTokenButExistsForOpenHandles(ObjectKind kind) throws IOException {
    try (H5File file = create("handles.h5")) {
      H5Object first = make(file, kind);
      ObjectToken token = first.token();
      file.root().createHardLink("o", first);
      H5Object second = file.get("o");
      file.root().delete("o");
      assertThatThrownBy(() -> file.objectOf(token)).isInstanceOf(NotFoundException.class);
      first.close();
      assertThat(second.info().referenceCount()).isZero();
      file.root().createHardLink("again", second);
      second.close();
      assertThat(file.objectOf(token).info().referenceCount()).isEqualTo(1);
    }
    assertThat(linksOf(folder.resolve("handles.h5"))).hasSize(1);
    judge(folder.resolve("handles.h5"));
  }

  @ParameterizedTest
  @EnumSource
  void spaceOfAClosedOrphanIsUsedAgain(ObjectKind kind) throws IOException {
    try (H5File file = create("space.h5")) {
      for (int i = 0; i < 500; i++) {
        make(file, kind).close();
      }
    }
    assertThat(Files.size(folder.resolve("space.h5"))).isLessThan(20_000);
    judge(folder.resolve("space.h5"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void committedTypeWithoutALinkLivesAsLongAsItsUsers(boolean attribute) throws IOException {
    Path path = folder.resolve("types.h5");
    ObjectToken token;
    try (H5File file = create("types.h5")) {
      CommittedType type = file.root().commitAnonymous(Datatypes.I16LE);
      token = type.token();
      Group group = file.createGroup("g");
      if (attribute) {
        group.createAttribute("a", type, Dataspace.simple(2));
      } else {
        group.datasetBuilder("d").type(type).shape(2).create().close();
      }
      assertThat(type.info().referenceCount()).isEqualTo(1);
      type.close();
      assertThat(file.objectOf(token).info().referenceCount()).isEqualTo(1);
    }
    // h5dump does not print attributes of a committed type without a link.
    assertThat(linksOf(path)).containsExactly("g 1 0");
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT)) {
      assertThat(file.objectOf(token).kind()).isEqualTo(ObjectKind.COMMITTED_TYPE);
      file.root().delete("g");
      assertThatThrownBy(() -> file.objectOf(token)).isInstanceOf(NotFoundException.class);
    }
    judge(path);
  }
}
