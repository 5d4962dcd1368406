package org.hyperslab.plugins.compacting.report;

/**
 * The sender of a request. Overlapping writes of one client may be folded; those of different
 * clients never are.
 *
 * @param client the number of the client
 * @param sequence the number of the request among those of the client; used in traces only
 */
public record RequestOrigin(long client, long sequence) {
  @Override
  public String toString() {
    return client + "#" + sequence;
  }
}
