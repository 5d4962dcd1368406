package org.hyperslab.plugins.compacting.queue;

import java.util.concurrent.CompletionStage;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.MergedWrite;

/**
 * Carries out merged requests. The compactor never issues two overlapping requests at a time,
 * unless both are reads.
 *
 * <p>Thread rule: called by any thread, concurrently. A failure may be thrown or may complete the
 * stage.
 */
public interface StorageLayer {

  /**
   * Starts a write of elements that may stem from several requests.
   *
   * @param write the elements
   * @return a stage that completes when the sources' buffers may be changed again and later reads
   *     see the elements
   */
  CompletionStage<?> write(MergedWrite write);

  /**
   * Reads elements into the destinations in the request.
   *
   * @param read the elements and their destinations
   * @return a stage that completes when the destinations are filled
   */
  CompletionStage<?> read(MergedRead read);
}
