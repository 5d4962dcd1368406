package org.hyperslab.vol;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Passes operations to another connector. It has the capabilities of that connector, passes all
 * operations on, and closes it when it is closed. Subclasses override {@link #submit} and, if they
 * hold resources, {@link #close}.
 *
 * <p>Thread rule: any thread.
 */
public abstract class PassThroughConnector implements Connector {

  private final String name;
  private final Set<Capability> added;

  /** The connector to which operations are passed. */
  protected final Connector below;

  /**
   * Creates a connector in front of another one.
   *
   * @param name the name by which configuration strings choose it
   * @param below the connector to which it passes operations, closed with it
   * @param added its capabilities in addition to those of the one below
   */
  protected PassThroughConnector(String name, Connector below, Capability... added) {
    this.name = name;
    this.below = below;
    this.added = EnumSet.noneOf(Capability.class);
    Collections.addAll(this.added, added);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public Set<Capability> capabilities() {
    Set<Capability> all = EnumSet.copyOf(added);
    all.addAll(below.capabilities());
    return all;
  }

  @Override
  public final Optional<Connector> below() {
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
