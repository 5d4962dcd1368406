package org.hyperslab.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjDoubleConsumer;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.simulation.network.LongNumbers;

/**
 * The windows of all ranks in virtual time: how many puts are on their way, and when ranks have
 * been notified of fences and exposures.
 *
 * <p>Times are nanoseconds from the start. Thread rule: one thread.
 *
 * @param <A> what waits
 */
final class SimulatedWindows<A> {

  private final Map<Long, Line> fences = new HashMap<>();
  private final Map<Integer, Line> exposures = new HashMap<>();

  /** How many puts of a rank are on their way to an owner, by {@link #lane}. */
  private final LongNumbers underWay = new LongNumbers();

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

  /** A step that waits for numbers of a window. */
  private static final class Waiting<A> {
    private final A who;
    private final Step step;
    private double end;

    /** How many of the ranks that it waits for have come. */
    private int come;

    Waiting(A who, double since, Step step) {
      this.who = who;
      this.end = since;
      this.step = step;
    }
  }

  private static long lane(int from, int to) {
    return (long) from << Integer.SIZE | to;
  }

  /** Counts a put that has been started. */
  void started(int rank, int owner) {
    long lane = lane(rank, owner);
    underWay.put(lane, Math.max(0, underWay.get(lane)) + 1);
  }

  /** Counts a put that has arrived; returns whether no other of the rank is on its way. */
  boolean arrived(int rank, int owner) {
    long lane = lane(rank, owner);
    int left = underWay.get(lane) - 1;
    if (left > 0) {
      underWay.put(lane, left);
    } else {
      underWay.remove(lane);
    }
    return left == 0;
  }

  /** Returns whether all puts of a rank to an owner have arrived. */
  boolean haveAllArrived(int rank, int owner) {
    return underWay.get(lane(rank, owner)) < 0;
  }

  /** Tells an owner that a rank has completed its epochs up to a number. */
  void fenced(int rank, int owner, long epoch, double at, ObjDoubleConsumer<A> awake) {
    fences.computeIfAbsent(lane(rank, owner), absent -> new Line()).reached.put(epoch, at);
    wake(owner, awake);
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
      return at == null ? -1 : Math.max(one.end, at);
    }
    Step.AwaitFences await = (Step.AwaitFences) one.step;
    for (; one.come < await.sources().size(); one.come++) {
      Line line = fences.get(lane(await.sources().get(one.come), owner));
      Double at = line == null ? null : line.at(await.epoch());
      if (at == null) {
        return -1;
      }
      one.end = Math.max(one.end, at);
    }
    return one.end;
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
