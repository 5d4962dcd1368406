package org.hyperslab.mpiio.driver;

import java.util.List;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;

/**
 * Runs a schedule step by step and waits if a step waits; messages progress while the rank copies,
 * reads and writes.
 *
 * <p>Thread rule: one thread, the communicator's.
 */
final class BlockingDriver {

  private BlockingDriver() {}

  /**
   * Runs a schedule and its continuations.
   *
   * @param context the resources of the schedule
   * @param first the schedule
   * @return the findings, which hold a failure on the file or memory
   * @throws MpiException if communication failed
   */
  static Schedule.Findings run(StepContext context, Schedule first) {
    StepActions actions = new StepActions(context, new BlockingExchanges(context.comm()));
    try (actions) {
      for (Schedule schedule = first; schedule != null; ) {
        run(schedule, actions);
        schedule = schedule.next() == null ? null : schedule.next().apply(actions);
      }
    }
    return actions;
  }

  private static void run(Schedule schedule, StepActions actions) {
    List<List<Step>> rounds = schedule.rounds();
    int count = rounds.size();
    for (int i = 0; i < count; i++) {
      actions.beginRound();
      for (Step step : rounds.get(i)) {
        Request request = actions.start(step, true);
        if (request != null) {
          request.await();
        }
      }
    }
  }
}
