package org.hyperslab.plugins.compacting;

/**
 * Who sent a request. Requests of one client fold; those of different clients never do.
 *
 * @param client the client
 * @param sequence the number of the request among the client's; only shown in traces
 */
public record Origin(long client, long sequence) {
  @Override
  public String toString() {
    return client + "#" + sequence;
  }
}
