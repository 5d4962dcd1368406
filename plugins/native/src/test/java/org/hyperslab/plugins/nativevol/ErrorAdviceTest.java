package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Year;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the errors of frequent mistakes state what was found and what to do. */
final class ErrorAdviceTest {

  private static final Dataspace TWO = Dataspace.simple(2);

  record Point(int a, double b) {}

  @Test
  void namesTheDanglingSoftLinkAndItsTarget() {
    try (H5File file = Hdf5.createInMemory()) {
      file.createGroup("there");
      file.root().createSoftLink("link", "there/missing");
      for (String path : new String[] {"link", "link/below"}) {
        assertThatThrownBy(() -> file.get(path))
            .isInstanceOf(NotFoundException.class)
            .hasMessageContaining("dangling soft link \"link\" to \"there/missing\"")
            .hasMessageContaining("where \"missing\" does not exist")
            .hasMessageContaining("create the target, or replace the link");
      }
    }
  }

  @Test
  void blamesNoSoftLinkForANameBehindItsTarget() {
    try (H5File file = Hdf5.createInMemory()) {
      file.createGroup("there");
      file.root().createSoftLink("link", "there");
      assertThatThrownBy(() -> file.get("link/missing"))
          .isInstanceOf(NotFoundException.class)
          .hasMessageContaining("actual=none, expected=\"missing\"");
    }
  }

  @Test
  void saysHowToReadTheMembersOfRecords() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset points = file.createDataset("points", new Point[] {new Point(1, 2)});
      assertThatThrownBy(points::readDoubles)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=a compound value with members [a, b]")
          .hasMessageContaining("read one member with field(name)");
    }
  }

  @Test
  void fillValuesWithMembersAreNotToBeClamped() {
    Datatype small =
        CompoundType.builder().member("a", Datatypes.I8LE).member("b", Datatypes.F64LE).build();
    DatasetOptions options = DatasetOptions.builder().fill(FillValue.of(new Point(300, 1))).build();
    try (H5File file = Hdf5.createInMemory()) {
      assertThatThrownBy(() ->
              file.root().datasetBuilder("d").type(small).space(TWO).options(options).create())
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("fill value: number out of range: actual=300")
          .hasMessageContaining("or another fill value")
          .message()
          .doesNotContain("clamp");
    }
  }

  @Test
  void namesTheShapesThatCanBeAppended() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset rows =
          file.datasetBuilder("rows")
              .type(double.class)
              .shape(2, 5)
              .maxShape(Hdf5.UNLIMITED, 5)
              .options(options -> options.chunked(2, 5))
              .create();
      assertThatThrownBy(() -> rows.append(new double[3][4]))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=shape [3, 4] for a dataset of shape [2, 5]")
          .hasMessageContaining("expected=shape [n, 5] for n rows, or [5] for one row");
    }
  }

  @Test
  void saysHowToExceedTheMaximumExtent() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset fixed = file.createDataset("fixed", new double[] {1, 2, 3});
      assertThatThrownBy(() -> fixed.setExtent(4))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=4, expected=at most the maximum extent 3")
          .hasMessageContaining("larger or unlimited maximum extent");
    }
  }

  @Test
  void namesThePathOfWhatIsNoGroup() {
    try (H5File file = Hdf5.createInMemory()) {
      file.createDataset("x", 1);
      assertThatThrownBy(() -> file.createDataset("x/y", 1))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=DATASET before \"y\", expected=GROUP")
          .hasMessageContaining("x/y")
          .message()
          .doesNotContain("@");
    }
  }

  @Test
  void saysThatElementsAreArraysThemselves() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset rows = file.createDataset("rows", Datatypes.vlen(Datatypes.I32LE), TWO);
      assertThatThrownBy(rows::readInts)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=int[], expected=an array of 2 dimensions")
          .hasMessageContaining("each element of type vlen{int32le} is an array itself");
    }
  }

  enum Colour {
    RED,
    GREEN
  }

  enum OnlyRed {
    RED
  }

  @Test
  void namesTheConstantsOfAnEnumThatLacksOne() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset colours = file.createDataset("colours", new Colour[] {Colour.RED, Colour.GREEN});
      assertThatThrownBy(() -> colours.read(OnlyRed[].class))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("GREEN")
          .hasMessageContaining("its constants are [RED]");
    }
  }

  @Test
  void namesTheNumberOfAnEnumerationThatHasNoName() {
    EnumType type =
        EnumType.builder(Datatypes.I16BE).constant("RED", 0).constant("GREEN", 1).build();
    try (H5File file = Hdf5.createInMemory()) {
      Dataset colours = file.createDataset("colours", type, Dataspace.simple(3));
      colours.write(new int[] {1, 0, 7});
      file.root().setAttribute("colour", -3, type);
      assertThat(colours.readInts()).containsExactly(1, 0, 7);
      for (ThrowingCallable read :
          List.<ThrowingCallable>of(
              colours::readStrings,
              () -> colours.read(String[].class),
              () -> colours.read(Colour[].class),
              () -> colours.slice("2").read(String.class))) {
        assertThatThrownBy(read)
            .isInstanceOf(InvalidUseException.class)
            .hasMessageContaining("actual=7, a number without a name")
            .hasMessageContaining("{RED=0, GREEN=1}")
            .hasMessageContaining("/colours")
            .hasMessageContaining("readInts()");
      }
      assertThatThrownBy(() -> file.root().attribute("colour").read(String.class))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=-3, a number without a name");
    }
  }

  @Test
  void saysWhatSlicesAreMadeOf() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset numbers = file.createDataset("numbers", new int[] {1, 2, 3});
      assertThat(numbers.slice("[0, 2]").readInts()).containsExactly(1, 3);
      assertThatThrownBy(() -> numbers.slice("[[0, 2]]"))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=brackets, expected=a list of indices")
          .hasMessageContaining("[0, 3, 7], 2:5");
      assertThat(numbers.slice("1,").readInts()).containsExactly(2);
      assertThat(numbers.slice("1:,").readInts()).containsExactly(2, 3);
    }
  }

  @Test
  void namesTheFilesOfACopyBetweenConnectors(@TempDir Path folder) {
    Path path = folder.resolve("disk.h5");
    try (H5File disk = Hdf5.create(path);
        H5File memory = Hdf5.createInMemory()) {
      disk.createDataset("x", 1);
      memory.createDataset("y", 1);
      assertThatThrownBy(() -> disk.root().copy("x", memory.root(), "x"))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining(path.toString())
          .hasMessageContaining("toByteArray()");
      assertThatThrownBy(() -> memory.dataset("y").copyTo(disk.root(), "y"))
          .isInstanceOf(UnsupportedFeatureException.class);
    }
  }

  @Test
  void saysHowToStoreWhatHasNoDatatype() {
    try (H5File file = Hdf5.createInMemory()) {
      Object[] mixed = {1, "a"};
      assertThatThrownBy(() -> file.createDataset("x", mixed))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("use an array of one class, or create the dataset with a datatype");
      assertThatThrownBy(() -> file.createDataset("x", Year.of(2024)))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("use an Instant");
      assertThatThrownBy(() -> file.root().setAttribute("x", Optional.of(1)))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("use a record");
    }
  }

  @Test
  void saysWhatToDoAboutMessagesThatNoHeaderHolds() {
    try (H5File file = Hdf5.createInMemory()) {
      CompoundType.Builder wide = CompoundType.builder();
      for (int i = 0; i < 4000; i++) {
        wide.member("a member with a long name " + i, Datatypes.F64LE);
      }
      assertThatThrownBy(() -> file.createDataset("x", wide.build(), TWO))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("fewer members")
          .hasMessageNotContaining("V18");
      ArrayType large = new ArrayType(List.of(70_000), Datatypes.I8LE);
      DataBuffer fill = DataBuffer.allocate(large, 1);
      DatasetOptions filled =
          DatasetOptions.builder().fill(new FillValue.Value(large, fill)).build();
      assertThatThrownBy(
              () -> file.datasetBuilder("y").type(large).space(TWO).options(filled).create())
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("smaller fill value")
          .hasMessageNotContaining("V18");
    }
  }

  @Test
  void namesTheSizesOfNodesThatNoFileCanRecord() {
    for (int bad : new int[] {0, -1, 65_536}) {
      assertThatThrownBy(() -> CreateOptions.builder().symbolInternalK(bad).build())
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("symbolInternalK of a new file: actual=" + bad);
    }
  }
}
