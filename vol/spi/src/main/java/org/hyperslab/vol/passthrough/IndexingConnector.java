package org.hyperslab.vol.passthrough;

import java.util.concurrent.CompletionStage;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;

/**
 * Has statistics of values be kept of every dataset that is created: gives new datasets the option
 * {@link DatasetOptions#statistics} if they do not have it. The connector that stores the elements
 * computes them, in this and in all later openings; connectors that cannot ignore the option.
 *
 * <p>Thread rule: any thread.
 */
public final class IndexingConnector extends PassThroughConnector {

  /** The connector's name in configuration strings. */
  public static final String NAME = "indexing";

  private final long blockElements;

  /**
   * Creates a connector.
   *
   * @param below the connector to which operations are passed
   * @param blockElements the number of elements in a block of a dataset without chunks, at least 1
   */
  public IndexingConnector(Connector below, long blockElements) {
    super(NAME, below);
    this.blockElements = blockElements;
  }

  @Override
  @SuppressWarnings("unchecked") // the operation has the same result with other options
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    return operation instanceof DatasetOperation.Create create
        ? (CompletionStage<R>) below.submit(indexed(create))
        : below.submit(operation);
  }

  private DatasetOperation.Create indexed(DatasetOperation.Create create) {
    DatasetOperation.Spec spec = create.spec();
    DatasetOptions options = spec.options();
    boolean elsewhere =
        options.layout() instanceof Layout.Virtual || options.layout() instanceof Layout.External;
    if (elsewhere || options.statistics() > 0) {
      return create;
    }
    return create.withSpec(
        new DatasetOperation.Spec(
            spec.type(),
            spec.committedType(),
            spec.space(),
            options.toBuilder().statistics(blockElements).build()));
  }
}
