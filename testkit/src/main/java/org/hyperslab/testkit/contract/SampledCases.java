package org.hyperslab.testkit.contract;

import org.hyperslab.testkit.Effort;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs every third case of tests that have many, and all of them in a full run. For contracts of
 * connectors that hand values to another connector, which has the contract with all cases: what
 * they add does not depend on each type and each selection. A test class names it in an {@link
 * org.junit.jupiter.api.extension.ExtendWith} of its own.
 *
 * <p>Thread rule: any thread.
 */
public final class SampledCases implements ExecutionCondition {

  private static final String CASE = "[test-template-invocation:#";
  private static final int EVERY = 3;

  /** For JUnit. */
  public SampledCases() {}

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    String id = context.getUniqueId();
    int at = id.lastIndexOf(CASE);
    if (Effort.isFull() || at < 0) {
      return ConditionEvaluationResult.enabled("all cases");
    }
    int number = Integer.parseInt(id.substring(at + CASE.length(), id.indexOf(']', at)));
    return number % EVERY == 1
        ? ConditionEvaluationResult.enabled("a case of the sample")
        : ConditionEvaluationResult.disabled("a case of the full run");
  }
}
