package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that objects behind an external link are not confused with objects at the same address of
 * this file: both files have the same structure.
 */
final class ExternalIdentityTest {

  @TempDir private Path folder;

  private Path here;

  @BeforeEach
  void makeTwoAlike() {
    here = folder.resolve("here.h5");
    make(here, "local", 1);
    make(folder.resolve("there.h5"), "other", 2);
    try (H5File file = Hdf5.open(here, OpenOptions.EDIT)) {
      file.root().createExternalLink("ext", "there.h5", "/other/d");
      file.root().createExternalLink("extgroup", "there.h5", "/other");
    }
  }

  private static void make(Path path, String group, int value) {
    try (H5File file = Hdf5.create(path)) {
      Group made = file.root().createGroup(group);
      made.createDataset("d", new int[] {value, value, value}).close();
      made.createDataset("scale", new int[] {10, 20, 30}).close();
      made.commit(group + "type", Datatypes.I16LE).close();
      made.datasetBuilder("shared")
          .type(made.committedType(group + "type"))
          .shape(2)
          .create()
          .close();
    }
  }

  private H5File open() {
    return Hdf5.open(here, OpenOptions.EDIT);
  }

  @Test
  void addressesMeanSomethingInBothFiles() {
    try (H5File file = open()) {
      assertThat(file.dataset("ext").token()).isEqualTo(file.dataset("local/d").token());
    }
  }

  @Test
  void referencesToObjectsOfAnotherFileAreRefused() {
    try (H5File file = open()) {
      Dataset foreign = file.dataset("ext");
      List<ThrowingCallable> wrong =
          List.of(
              foreign::reference,
              () -> foreign.regionReference(Selection.all()),
              () -> file.group("extgroup").reference(),
              () -> file.root().createHardLink("hard", foreign),
              () -> DimensionScales.attach(file.dataset("local/d"), 0, foreign),
              () -> DimensionScales.attach(foreign, 0, file.dataset("local/scale")));
      for (ThrowingCallable each : wrong) {
        assertThatThrownBy(each)
            .isInstanceOf(InvalidUseException.class)
            .hasMessageContaining("file");
      }
      assertThat(file.root().exists("hard")).isFalse();
      assertThat(file.dataset("local/scale").attributeCount()).isZero();
      assertThat(file.dataset("local/d").attributeCount()).isZero();
    }
  }

  @Test
  void pathsAreThoseInTheFileOfTheObject() {
    try (H5File file = open()) {
      assertThat(file.dataset("ext").findPath()).contains("/other/d");
      assertThat(file.group("extgroup").dataset("scale").findPath()).contains("/other/scale");
      assertThat(file.dataset("local/d").findPath()).contains("/local/d");
    }
  }

  @Test
  void objectsOfTwoFilesAreNotTheSame() {
    try (H5File file = open()) {
      Dataset foreign = file.dataset("ext");
      assertThat(foreign.isSameAs(file.dataset("local/d"))).isFalse();
      assertThat(foreign.isSameAs(file.dataset("extgroup/d"))).isTrue();
    }
  }

  @Test
  void namesInAnObjectOfAnotherFileAreResolvedThere() {
    try (H5File file = open()) {
      Dataset shared = file.dataset("extgroup/shared");
      assertThat(shared.committedType().orElseThrow().findPath()).contains("/other/othertype");
      Dataset data = file.dataset("ext");
      DimensionScales.attach(data, 0, file.dataset("extgroup/scale"));
      Dataset scale = DimensionScales.scales(data, 0).getFirst();
      assertThat(scale.findPath()).contains("/other/scale");
      assertThat(file.dataset("local/scale").attributeCount()).isZero();
    }
    assertThat(LibraryJudge.python(SCALES, folder.resolve("there.h5"))).isEqualTo("/other/scale");
  }

  private static final String SCALES =
      "print(h5py.File(sys.argv[1], 'r')['other/d'].dims[0][0].name)";

  @Test
  void copiesTakeTheObjectOfTheOtherFile() {
    try (H5File file = open()) {
      file.dataset("ext").copyTo(file.root(), "copied");
      assertThat(file.dataset("copied").readInts()).containsExactly(2, 2, 2);
      assertThat(file.dataset("copied").findPath()).contains("/copied");
      file.dataset("local/d").copyTo(file.group("extgroup"), "back");
      assertThat(file.dataset("extgroup/back").readInts()).containsExactly(1, 1, 1);
    }
  }
}
