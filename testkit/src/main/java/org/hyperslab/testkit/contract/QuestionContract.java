package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hyperslab.Dataset;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.Condition;
import org.hyperslab.model.ValueSummary;
import org.junit.jupiter.api.Test;

/** Tests questions about values: what was written before is seen, and mistakes are told. */
abstract class QuestionContract extends ContractBase {

  QuestionContract() {}

  private static void check(Dataset grid) {
    assertThat(grid.where(Condition.value().atLeast(4)))
        .isEqualTo(Selection.box(new long[] {1, 1}, new long[] {2, 3}));
    assertThat(grid.count(Condition.parse("value between 4 and 5 or value is nan"))).isEqualTo(3);
    ValueSummary summary = grid.summary();
    assertThat(summary.count()).isEqualTo(16);
    assertThat(summary.nanCount()).isEqualTo(1);
    assertThat(summary.minimum()).contains(0.0);
    assertThat(summary.maximum()).contains(9.0);
    assertThat(summary.sum()).isEqualTo(39.0);
  }

  @Test
  void elementsAreFoundWhereTheyWereWritten() {
    Dataset grid = file().createDataset("grid", Datatypes.F64LE, Dataspace.simple(4, 4));
    grid.slice("1:3, 1:4").write(new double[][] {{4, 5, 6}, {7, 8, 9}});
    grid.slice("3, 3").write(Double.NaN);
    check(grid);
    inBothLives(file -> check(file.dataset("grid")));
  }

  @Test
  void membersOfCompoundsAreCompared() {
    CompoundType type =
        CompoundType.builder().member("t", Datatypes.F32LE).member("id", Datatypes.U64LE).build();
    Dataset cells = file().createDataset("cells", type, Dataspace.simple(5));
    cells.field("t").write(new float[] {1, 2, 3, 4, 5});
    cells.field("id").write(new long[] {5, 4, 3, 2, 1});
    inBothLives(file -> {
      Dataset read = file.dataset("cells");
      assertThat(read.where(Condition.parse("t > 1 and id >= 3")))
          .isEqualTo(Selection.box(new long[] {1}, new long[] {2}));
      assertThat(read.summary(Condition.field("id")).sum()).isEqualTo(15L);
      assertThat(read.countAsync(Condition.field("t").notEqualTo(2)).join()).isEqualTo(4);
    });
  }

  @Test
  void wrongQuestionsSayWhatThereIs() {
    Dataset ints = file().createDataset("ints", Datatypes.I32LE, Dataspace.simple(3));
    assertThatThrownBy(() -> ints.where(Condition.field("x").above(1)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("expected=value");
    assertThatThrownBy(() -> ints.count(Condition.value().equalTo("one")))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("expected=a number");
  }
}
