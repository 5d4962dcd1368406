package org.hyperslab.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.StepReader;
import org.hyperslab.StepReader.Step;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.FollowOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.StepOptions;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that records of an unlimited dimension are written and followed in steps. */
final class NetcdfStepsTest {

  private static final int STEPS = 6;

  @TempDir private Path folder;

  private NetcdfFile create(Path path) {
    NetcdfFile file = NetcdfFile.createForSteps(path, NetcdfModel.NETCDF4);
    NetcdfGroup root = file.root();
    root.createUnlimitedDimension("time");
    root.createDimension("x", 3);
    root.createVariable("time", Datatypes.F64LE, "time");
    root.createVariable("field", Datatypes.I32LE, "time", "x");
    root.createVariable("rare", Datatypes.I32LE, "time");
    return file;
  }

  private static void write(NetcdfFile file, int record) {
    NetcdfGroup root = file.root();
    int[] row = {record, record, record};
    root.variable("field").section(new long[] {record, 0}, new long[] {1, 3}).write(row);
    if (record % 2 == 0) {
      root.variable("rare").section(new long[] {record}, new long[] {1}).write(record);
    }
    root.variable("time").section(new long[] {record}, new long[] {1}).write(record / 4.0);
  }

  @Test
  void recordsBecomeVisibleTogether() {
    Path path = folder.resolve("records.nc");
    try (NetcdfFile file = create(path)) {
      file.startSteps(StepOptions.DEFAULT);
      try (Session session = Hdf5.session("native");
          NetcdfFile other = NetcdfFile.of(session.open(path, OpenOptions.READ.withSwmr(true)));
          StepReader reader = other.follow(FollowOptions.DEFAULT)) {
        for (int record = 0; record < STEPS; record++) {
          assertThat(file.beginStep()).isEqualTo(record);
          write(file, record);
          assertThat(reader.next(Duration.ZERO)).isEmpty();
          assertThat(file.endStep()).isEqualTo(record);
          Step step = reader.next(Duration.ZERO).orElseThrow();
          assertThat(step.number()).isEqualTo(record);
          assertThat(step.slice("/field").readInts()).containsExactly(record, record, record);
          assertThat(step.slice("/time").readDoubles()).containsExactly(record / 4.0);
        }
      }
    }
    try (NetcdfFile file = NetcdfFile.open(path)) {
      assertThat(file.root().groups()).isEmpty();
      assertThat(file.root().dimension("time").length()).isEqualTo(STEPS);
      assertThat(file.root().variable("field").read(int[][].class)).hasDimensions(STEPS, 3);
    }
    assertThat(Oracle.program("ncdump").run("-v", "time,field", path.toString()).orFail().output())
        .contains("time = UNLIMITED ; // (6 currently)")
        .contains("0, 0.25, 0.5, 0.75, 1, 1.25")
        .contains("5, 5, 5");
  }

  @Test
  void aDroppedStepLeavesTheLengthsAsTheyWere() {
    Path path = folder.resolve("dropped.nc");
    try (NetcdfFile file = create(path)) {
      file.startSteps(StepOptions.DEFAULT);
      file.beginStep();
      write(file, 0);
      file.endStep();
      file.beginStep();
      write(file, 1);
      write(file, 2);
      file.abandonStep();
      assertThat(file.root().dimension("time").length()).isEqualTo(1);
      file.beginStep();
      write(file, 1);
      file.endStep();
      try (StepReader reader = file.follow(FollowOptions.DEFAULT)) {
        reader.next(Duration.ZERO).orElseThrow();
        Step step = reader.next(Duration.ZERO).orElseThrow();
        assertThat(step.slice("/field").readInts()).containsExactly(1, 1, 1);
        assertThat(step.rows("/field")).isEqualTo(1);
        assertThat(reader.next(Duration.ZERO)).isEmpty();
      }
    }
  }

  @Test
  void whatStepsCannotDoIsRefused() {
    Path plain = folder.resolve("plain.nc");
    try (NetcdfFile file = NetcdfFile.create(plain)) {
      file.root().createUnlimitedDimension("time");
      file.root().createVariable("time", Datatypes.F64LE, "time");
      assertThatThrownBy(() -> file.startSteps(StepOptions.DEFAULT))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("superblock of version 2");
      assertThatThrownBy(file::beginStep).isInstanceOf(InvalidUseException.class);
    }
    try (NetcdfFile file = create(folder.resolve("misuse.nc"))) {
      file.startSteps(StepOptions.DEFAULT);
      assertThatThrownBy(() -> write(file, 0))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("outside a step");
      assertThatThrownBy(() -> file.root().createVariable("late", Datatypes.I32LE, "time"))
          .isInstanceOf(InvalidUseException.class);
    }
  }
}
