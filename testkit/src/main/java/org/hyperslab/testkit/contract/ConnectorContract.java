package org.hyperslab.testkit.contract;

import org.hyperslab.testkit.Effort;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The whole contract of connectors. A connector's test class extends this class and provides a
 * fixture.
 *
 * <pre>{@code
 * final class MyConnectorContractTest extends ConnectorContract {
 *   @Override
 *   protected ConnectorFixture fixture() {
 *     return FileFixture.of("mine");
 *   }
 * }
 * }</pre>
 */
public abstract class ConnectorContract {

  /** Called by subclasses only. */
  protected ConnectorContract() {}

  /** {@return a new fixture; called once for each test} */
  protected abstract ConnectorFixture fixture();

  /** Files as a whole. */
  @Nested
  protected class Files extends FileContract {
    /** Created by JUnit. */
    protected Files() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Groups and their properties. */
  @Nested
  protected class Groups extends GroupContract {
    /** Created by JUnit. */
    protected Groups() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Links of every kind. */
  @Nested
  protected class Links extends LinkContract {
    /** Created by JUnit. */
    protected Links() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Listings and visits. */
  @Nested
  protected class Listings extends ListingContract {
    /** Created by JUnit. */
    protected Listings() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Attributes on every kind of object. */
  @Nested
  protected class Attributes extends AttributeContract {
    /** Created by JUnit. */
    protected Attributes() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Elements of every type in every layout. */
  @Nested
  protected class Values extends ValueContract {
    /** Created by JUnit. */
    protected Values() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Values in Java's own types, and what h5py sees of them. */
  @Nested
  protected class JavaValues extends JavaValueContract {
    /** Created by JUnit. */
    protected JavaValues() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Numbers out of range, for every Java target. */
  @Nested
  protected class Ranges extends RangeContract {
    /** Created by JUnit. */
    protected Ranges() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Access to single fields of compound elements. */
  @Nested
  protected class Fields extends FieldContract {
    /** Created by JUnit. */
    protected Fields() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Parts of datasets. */
  @Nested
  protected class Selections extends SelectionContract {
    /** Created by JUnit. */
    protected Selections() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** What builders of datasets create and refuse. */
  @Nested
  protected class DatasetBuilders extends DatasetBuilderContract {
    /** Created by JUnit. */
    protected DatasetBuilders() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Extents and fill values. */
  @Nested
  protected class Extents extends ExtentContract {
    /** Created by JUnit. */
    protected Extents() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Chunks as stored, and filters. */
  @Nested
  protected class Chunks extends ChunkContract {
    /** Created by JUnit. */
    protected Chunks() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Objects of any kind, committed types, references. */
  @Nested
  protected class Objects extends ObjectContract {
    /** Created by JUnit. */
    protected Objects() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Copies of objects. */
  @Nested
  protected class Copies extends CopyContract {
    /** Created by JUnit. */
    protected Copies() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Arguments at their edges. */
  @Nested
  protected class Arguments extends ArgumentContract {
    /** Created by JUnit. */
    protected Arguments() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Wrong use, named. */
  @Nested
  protected class Misuse extends MisuseContract {
    /** Created by JUnit. */
    protected Misuse() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** The promise on order, asynchronous calls. */
  @Nested
  protected class Ordering extends OrderingContract {
    /** Created by JUnit. */
    protected Ordering() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Use by many threads. */
  @Nested
  protected class Concurrency extends ConcurrencyContract {
    /** Created by JUnit. */
    protected Concurrency() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Dimension scales and their attachment. */
  @Nested
  protected class DimensionScales extends DimensionScaleContract {
    /** Created by JUnit. */
    protected DimensionScales() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Several datasets together. */
  @Nested
  protected class MultiDatasets extends MultiDatasetContract {
    /** Created by JUnit. */
    protected MultiDatasets() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Questions about values. */
  @Nested
  protected class Questions extends QuestionContract {
    /** Created by JUnit. */
    protected Questions() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /** Random operations against the model. */
  @Nested
  protected class RandomOperations extends RandomContract {
    /** Created by JUnit. */
    protected RandomOperations() {}

    @Override
    protected ConnectorFixture fixture() {
      return ConnectorContract.this.fixture();
    }
  }

  /**
   * Runs every sixth case of tests that have many, and all of them in a full run. It is for
   * connectors that pass values to another connector, which runs the contract with all cases: their
   * own part does not depend on each type and each selection. A test class names it in an {@link
   * org.junit.jupiter.api.extension.ExtendWith} of its own.
   *
   * <p>Thread rule: any thread.
   */
  public static final class SampledCases implements ExecutionCondition {

    private static final String CASE = "[test-template-invocation:#";
    private static final int EVERY = 6;

    /** Created by JUnit. */
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
          : ConditionEvaluationResult.disabled(
              "not in the sample of cases; -Dhyperslab.full=true runs all");
    }
  }
}
