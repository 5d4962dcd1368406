package org.hyperslab.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjDoubleConsumer;
import org.hyperslab.mpiio.schedule.Step;

/**
 * The windows of all ranks in virtual time: when the bytes of each put have come, and when ranks
 * have been notified of fences and exposures. A number costs the time of a message of 8 bytes.
 *
 * <p>Times are nanoseconds from the start. Thread rule: one thread.
 *
 * @param <A> what waits
 */
final class SimulatedWindows<A> {

  private final SimulatedMachine machine;
  private final Map<Long, Line> fences = new HashMap<>();
  private final Map<Integer, Line> exposures = new HashMap<>();

  /** When the last bytes of a rank arrive in a window, by rank and owner. */
  private final Map<Long, Double> arrivals = new HashMap<>();

  private final Map<Integer, List<Waiting<A>>> waiting = new HashMap<>();

  /** A number that grows: when it has reached each of its values. */
  private static final class Line {
    private final TreeMap<Long, Double> reached = new TreeMap<>();

    /** Returns when a number has been reached; null if that is not known. */
    Double at(long number) {
      Map.Entry<Long, Double> entry = reached.ceilingEntry(number);
      return entry == null ? null : entry.getValue();
    }
  }

  /** The steps that wait for numbers of a window. */
  private record Waiting<A>(A who, double since, Step step) {}

  SimulatedWindows(SimulatedMachine machine) {
    this.machine = machine;
  }

  private static long lane(int from, int to) {
    return (long) from << Integer.SIZE | to;
  }

  /** Starts a put. */
  void put(int rank, Step.Put put, double now) {
    double end = machine.message(rank, put.target(), put.length(), now);
    arrivals.merge(lane(rank, put.target()), end, Math::max);
  }

  /** Completes an epoch; the origin continues when its bytes have arrived. */
  double fence(int rank, Step.Fence fence, double now, ObjDoubleConsumer<A> awake) {
    long lane = lane(rank, fence.target());
    double complete = Math.max(now, arrivals.getOrDefault(lane, 0.0));
    double told = machine.message(rank, fence.target(), Long.BYTES, complete);
    fences.computeIfAbsent(lane, absent -> new Line()).reached.put(fence.epoch(), told);
    wake(fence.target(), awake);
    return complete;
  }

  /** Exposes a rank's window. */
  void expose(int rank, Step.Expose expose, double now, ObjDoubleConsumer<A> awake) {
    exposures.computeIfAbsent(rank, absent -> new Line()).reached.put(expose.epoch(), now);
    wake(rank, awake);
  }

  /** Returns when a wait ends; puts down who waits, and returns -1, if that is not known yet. */
  double await(A who, int rank, Step step, double now) {
    int owner = step instanceof Step.AwaitExposure exposure ? exposure.target() : rank;
    Waiting<A> one = new Waiting<>(who, now, step);
    double end = end(owner, one);
    if (end < 0) {
      waiting.computeIfAbsent(owner, absent -> new ArrayList<>()).add(one);
    }
    return end;
  }

  private double end(int owner, Waiting<A> one) {
    if (one.step instanceof Step.AwaitExposure exposure) {
      Line line = exposures.get(owner);
      Double at = line == null ? null : line.at(exposure.epoch());
      return at == null ? -1 : Math.max(one.since, at);
    }
    Step.AwaitFences await = (Step.AwaitFences) one.step;
    double end = one.since;
    for (int source : await.sources()) {
      Line line = fences.get(lane(source, owner));
      Double at = line == null ? null : line.at(await.epoch());
      if (at == null) {
        return -1;
      }
      end = Math.max(end, at);
    }
    return end;
  }

  private void wake(int owner, ObjDoubleConsumer<A> awake) {
    List<Waiting<A>> all = waiting.getOrDefault(owner, List.of());
    for (int i = all.size() - 1; i >= 0; i--) {
      double end = end(owner, all.get(i));
      if (end >= 0) {
        awake.accept(all.remove(i).who, end);
      }
    }
  }
}
