package org.hyperslab.vol.query;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.hyperslab.model.Condition;
import org.hyperslab.model.ValueSummary;
import org.jspecify.annotations.Nullable;

/** Tests that join others. Thread rule: their tests are immutable. */
final class JoinedTests {

  private JoinedTests() {}

  private static int words(ElementTest.Elements elements) {
    return (elements.count() + Long.SIZE - 1) / Long.SIZE;
  }

  /** The elements that meet all conditions. */
  record All(List<ElementTest> parts) implements ElementTest {
    @Override
    public void test(Elements elements, long[] marks) {
      int words = words(elements);
      Arrays.fill(marks, 0, words, -1);
      long[] part = new long[words];
      for (ElementTest each : parts) {
        each.test(elements, part);
        for (int i = 0; i < words; i++) {
          marks[i] &= part[i];
        }
      }
    }

    @Override
    public Verdict judge(Function<Condition.Field, @Nullable ValueSummary> summaries) {
      Verdict verdict = Verdict.ALL;
      for (ElementTest each : parts) {
        Verdict part = each.judge(summaries);
        if (part == Verdict.NONE) {
          return part;
        }
        verdict = part == Verdict.SOME ? part : verdict;
      }
      return verdict;
    }
  }

  /** The elements that meet one of some conditions. */
  record Any(List<ElementTest> parts) implements ElementTest {
    @Override
    public void test(Elements elements, long[] marks) {
      int words = words(elements);
      Arrays.fill(marks, 0, words, 0);
      long[] part = new long[words];
      for (ElementTest each : parts) {
        each.test(elements, part);
        for (int i = 0; i < words; i++) {
          marks[i] |= part[i];
        }
      }
    }

    @Override
    public Verdict judge(Function<Condition.Field, @Nullable ValueSummary> summaries) {
      Verdict verdict = Verdict.NONE;
      for (ElementTest each : parts) {
        Verdict part = each.judge(summaries);
        if (part == Verdict.ALL) {
          return part;
        }
        verdict = part == Verdict.SOME ? part : verdict;
      }
      return verdict;
    }
  }

  /** The elements that do not meet a condition. */
  record None(ElementTest part) implements ElementTest {
    @Override
    public void test(Elements elements, long[] marks) {
      part.test(elements, marks);
      for (int i = 0; i < words(elements); i++) {
        marks[i] = ~marks[i];
      }
    }

    @Override
    public Verdict judge(Function<Condition.Field, @Nullable ValueSummary> summaries) {
      return part.judge(summaries).not();
    }
  }
}
