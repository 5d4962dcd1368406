package org.hyperslab.simulation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;

/**
 * Writes schedules as GOAL, the text that LogGOPSim's {@code txt2bin} reads (Hoefler and others,
 * LogGOPSim, 2010): for each rank operations with labels, and which of them require which others.
 *
 * <p>A step requires the one before it, and what follows an await requires the receives of its
 * slot. Receives only have to be posted. Copies are calculations, and so are requests to the file,
 * for the time that the simulation found for them with their waiting. Times are whole nanoseconds.
 *
 * <p>Thread rule: one thread.
 */
final class GoalText implements SimulatedDriver.StepListener {

  private final double copyBytesPerNano;
  private final double[][] requests;
  private final int[] requestCount;

  /**
   * Creates a text whose requests are to be told by a simulation, as its listener.
   *
   * @param ranks the number of ranks
   * @param costs the costs of copies
   */
  GoalText(int ranks, UnstatedCosts costs) {
    copyBytesPerNano = costs.copyBytesPerSecond() / 1e9;
    requests = new double[ranks][];
    requestCount = new int[ranks];
  }

  private static boolean isRequest(Step step) {
    return step instanceof Step.Read
        || step instanceof Step.Write
        || step instanceof Step.SkippingRead
        || step instanceof Step.ListTransfer;
  }

  @Override
  public void ended(int rank, Step step, double startNanos, double endNanos) {
    if (isRequest(step)) {
      int count = requestCount[rank]++;
      double[] times = requests[rank] == null ? new double[4] : requests[rank];
      requests[rank] = count < times.length ? times : Arrays.copyOf(times, 2 * count);
      requests[rank][count] = endNanos - startNanos;
    }
  }

  /**
   * Writes the schedules of all ranks.
   *
   * @param schedules the schedules that have been simulated
   * @param out where the text goes
   * @throws IOException if it cannot be written
   * @throws InvalidUseException if a schedule has a step without a form in GOAL, such as an
   *     exchange of all ranks
   */
  void write(IntFunction<Schedule> schedules, Appendable out) throws IOException {
    out.append("num_ranks ").append(Integer.toString(requests.length)).append('\n');
    for (int rank = 0; rank < requests.length; rank++) {
      out.append("\nrank ").append(Integer.toString(rank)).append(" {\n");
      Schedule schedule = schedules.apply(rank);
      if (schedule.next() != null) {
        throw unfit(rank, "a schedule that is continued by what ranks tell each other");
      }
      RankText text = new RankText(rank, out);
      for (List<Step> round : schedule.rounds()) {
        for (Step step : round) {
          text.add(step);
        }
      }
      out.append("}\n");
    }
  }

  private static InvalidUseException unfit(int rank, String actual) {
    return new InvalidUseException(
        "GOAL: actual=" + actual + " on rank " + rank + ", expected=messages, copies and requests");
  }

  /** The operations of a rank. */
  private final class RankText {

    private final int rank;
    private final Appendable out;
    private final List<int[]> posted = new ArrayList<>(); // a slot and a label each
    private int labels;
    private int last;
    private int request;

    RankText(int rank, Appendable out) {
      this.rank = rank;
      this.out = out;
    }

    void add(Step step) throws IOException {
      switch (step) {
        case Step.Send send ->
            follow("send " + Math.max(1, send.length()) + "b to " + send.destination() + " tag 0");
        case Step.Receive receive -> {
          int before = last;
          follow("recv " + Math.max(1, receive.length()) + "b from " + receive.source() + " tag 0");
          posted.add(new int[] {receive.slot(), last});
          last = before;
        }
        case Step.Await await -> await(await.slot());
        case Step.Copy copy -> copy(copy.length());
        case Step.Scatter scatter -> copy(scatter.to().totalBytes());
        case Step.Gather gather -> copy(gather.from().totalBytes());
        case Step.Read _, Step.Write _, Step.SkippingRead _, Step.ListTransfer _ ->
            follow("calc " + Math.round(requests[rank][request++]));
        case Step.Allocate _, Step.Release _, Step.Lock _, Step.Unlock _ -> {
          // Their time is negligible.
        }
        case Step.Barrier _,
            Step.GatherAll _,
            Step.ExchangeAll _,
            Step.ReduceAll _,
            Step.Put _,
            Step.Fence _,
            Step.Expose _,
            Step.AwaitFences _,
            Step.AwaitExposure _ ->
            throw unfit(rank, step.getClass().getSimpleName());
      }
    }

    private void copy(long bytes) throws IOException {
      follow("calc " + Math.round(bytes / copyBytesPerNano));
    }

    /** Writes an operation that requires the last one, and is the last one from now on. */
    private void follow(String operation) throws IOException {
      labels++;
      line("l" + labels + ": " + operation);
      if (last > 0) {
        line("l" + labels + " requires l" + last);
      }
      last = labels;
    }

    private void await(int slot) throws IOException {
      if (posted.stream().noneMatch(each -> each[0] == slot)) {
        return;
      }
      follow("calc 0");
      for (int[] each : posted) {
        if (each[0] == slot) {
          line("l" + last + " requires l" + each[1]);
        }
      }
      posted.removeIf(each -> each[0] == slot);
    }

    private void line(String text) throws IOException {
      out.append(text).append('\n');
    }
  }
}
