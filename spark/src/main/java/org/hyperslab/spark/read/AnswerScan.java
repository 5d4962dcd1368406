package org.hyperslab.spark.read;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.spark.table.TableModel;

/** A scan whose one row is known when the query is planned. */
final class AnswerScan implements LocalScan {

  private final AxisAggregates.Answer answer;
  private final String description;

  AnswerScan(AxisAggregates.Answer answer, TableModel model, List<AxisCondition> conditions) {
    this.answer = answer;
    this.description =
        TableScan.describe(model, conditions) + ", PushedAggregation: " + answer.text();
  }

  @Override
  public InternalRow[] rows() {
    return new InternalRow[] {answer.row()};
  }

  @Override
  public StructType readSchema() {
    return answer.schema();
  }

  @Override
  public String description() {
    return description;
  }
}
