package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.junit.jupiter.api.Test;

/** Tests that the errors of frequent mistakes state what was found and what to do. */
final class ErrorAdviceTest {

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
  void namesTheShapesThatCanBeAppended() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset rows =
          file.createDataset(
              "rows",
              double.class,
              new long[] {2, 5},
              new long[] {Hdf5.UNLIMITED, 5},
              options -> options.chunks(2, 5));
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
}
