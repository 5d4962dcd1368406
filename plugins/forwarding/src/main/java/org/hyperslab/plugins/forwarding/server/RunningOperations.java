package org.hyperslab.plugins.forwarding.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.base.Scheduling;

/**
 * Names the operations of a session that have started and not ended, so that one that does not end
 * can be found.
 *
 * <p>Thread rule: any thread.
 */
final class RunningOperations {

  private final String client;
  private final Scheduling scheduling;
  private final Map<Long, Running> running = new LinkedHashMap<>();

  private record Running(Operation<?> operation, long since) {}

  /**
   * Creates an empty list.
   *
   * @param client the client's name
   * @param scheduling tells the time
   */
  RunningOperations(String client, Scheduling scheduling) {
    this.client = client;
    this.scheduling = scheduling;
  }

  synchronized void started(long request, Operation<?> operation) {
    running.put(request, new Running(operation, scheduling.nanoTime()));
  }

  synchronized void ended(long request) {
    running.remove(request);
  }

  /**
   * Describes the operations that have run for some time, the oldest first.
   *
   * @param millis the least time
   * @param most the largest number of operations to describe
   * @return a text for each
   */
  synchronized List<String> longerThan(long millis, int most) {
    List<String> texts = new ArrayList<>();
    long now = scheduling.nanoTime();
    running.forEach((request, each) -> {
      long age = TimeUnit.NANOSECONDS.toMillis(now - each.since);
      if (age >= millis && texts.size() < most) {
        texts.add(
            "request "
                + request
                + " of "
                + client
                + ", "
                + kind(each.operation)
                + ", for "
                + age / 1000
                + " s");
      }
    });
    return texts;
  }

  private static String kind(Operation<?> operation) {
    Class<?> kind = operation.getClass();
    return kind.getEnclosingClass().getSimpleName() + "." + kind.getSimpleName();
  }
}
