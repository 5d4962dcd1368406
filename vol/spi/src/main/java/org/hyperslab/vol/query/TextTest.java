package org.hyperslab.vol.query;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.model.Condition;
import org.hyperslab.model.ValueSummary;
import org.jspecify.annotations.Nullable;

/**
 * Compares texts with constants by their bytes, as unsigned numbers. Thread rule: immutable.
 *
 * @param column the texts
 * @param relation how they are compared
 * @param constants the bytes of the constants; one, unless the relation is EQUAL
 */
record TextTest(FieldColumn column, Condition.Relation relation, List<byte[]> constants)
    implements ElementTest {

  @Override
  public void test(Elements elements, long[] marks) {
    Arrays.fill(marks, 0, (elements.count() + Long.SIZE - 1) / Long.SIZE, 0);
    VlenHeap heap = elements.heap();
    for (int i = 0; i < elements.count(); i++) {
      byte[] text = column.text(elements.segment(), i * elements.stride(), heap);
      for (byte[] constant : constants) {
        if (holds(Arrays.compareUnsigned(text, constant))) {
          marks[i / Long.SIZE] |= 1L << i;
          break;
        }
      }
    }
  }

  private boolean holds(int order) {
    return switch (relation) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case BELOW -> order < 0;
      case AT_MOST -> order <= 0;
      case ABOVE -> order > 0;
      case AT_LEAST -> order >= 0;
    };
  }

  @Override
  public Verdict judge(Function<Condition.Field, @Nullable ValueSummary> summaries) {
    return Verdict.SOME;
  }
}
