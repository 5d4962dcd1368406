package org.hyperslab.plugins.compacting;

import java.util.concurrent.CompletionStage;

/**
 * What carries out merged requests. The compactor never has two requests under way that overlap,
 * unless both are reads.
 *
 * <p>Thread rule: called from any thread, in several at once. A failure may be thrown or complete
 * the stage.
 */
public interface StorageLayer {

  /**
   * Writes; completes when the gathered buffers may be changed again and the elements are visible
   * to later reads.
   */
  CompletionStage<?> write(MergedWrite write);

  /** Reads into the places that the request names; completes when they are filled. */
  CompletionStage<?> read(MergedRead read);
}
