package org.hyperslab.simulation.network;

import java.util.Arrays;
import org.hyperslab.machine.RankMap;

/**
 * Messages by LogGP (Alexandrov and others, LogGP: Incorporating Long Messages into the LogP Model,
 * 1995), in the form of LogGOPSim (Hoefler and others, 2010) with O = 0 and no limit S of eager
 * messages. Sending takes a rank's processor for o and its node's injection for g + (n-1) G; the
 * first byte arrives after o + L; receiving takes the processor for o + (n-1) G and the node's
 * ejection for g + (n-1) G. Links have no load.
 *
 * <p>A rank that waits for a request to the file takes no messages. Messages within a node have the
 * latency and the bandwidth of their level, and take neither injection nor ejection.
 */
public final class LogGpMessages extends MessageModel {

  private static final int NONE = -1;

  private static final double INSTANT_NANOS = 1e-6;

  private final double[] injectionFree;
  private final double[] ejectionFree;
  private int[] level = new int[64];

  /** Whether a message has come and waits for its receiver, in the order of arrival. */
  private boolean[] waits = new boolean[64];

  /** The message that waits behind another; {@link #NONE} behind the last. */
  private int[] following = new int[64];

  /** The last message that waits for a rank. */
  private final int[] last;

  /** The message that waits for the end of a rank's request. */
  private final int[] held;

  /**
   * Creates a network without messages.
   *
   * @param ranks the processor of each rank
   * @param copyBytesPerSecond the bandwidth of a message of a rank to itself
   * @param arrivals receives arrivals
   */
  public LogGpMessages(RankMap ranks, double copyBytesPerSecond, Arrivals arrivals) {
    super(ranks, copyBytesPerSecond, arrivals);
    injectionFree = new double[ranks.machine().nodes()];
    ejectionFree = new double[ranks.machine().nodes()];
    last = new int[ranks.size()];
    Arrays.fill(last, NONE);
    held = last.clone();
  }

  @Override
  public boolean isEager() {
    return true;
  }

  @Override
  public double sendTime(int rank, double now) {
    return Math.max(super.sendTime(rank, now), injectionFree[wires.node(rank)]);
  }

  /** {@inheritDoc} Some time passes, so that a rank's messages arrive in their order. */
  @Override
  public double overhead(int rank, double now) {
    return work(rank, now, Math.max(costs.overheadNanos(), INSTANT_NANOS));
  }

  @Override
  void grow(int room) {
    level = Arrays.copyOf(level, room);
    waits = Arrays.copyOf(waits, room);
    following = Arrays.copyOf(following, room);
  }

  private double gapOfBytes(int message) {
    return Math.max(0, bytes[message] - 1) / wires.bandwidth(level[message]);
  }

  private boolean isWithinNode(int message) {
    return wires.node(from[message]) == wires.node(to[message]);
  }

  @Override
  void launch(int message, double ready) {
    int sender = from[message];
    int receiver = to[message];
    waits[message] = false;
    if (wires.isSameProcessor(sender, receiver)) {
      level[message] = -1;
      events.set(message, ready + bytes[message] / copyBytesPerNano);
      return;
    }
    level[message] = wires.level(sender, receiver);
    if (!isWithinNode(message)) {
      int node = wires.node(sender);
      double start = Math.max(ready - costs.overheadNanos(), injectionFree[node]);
      injectionFree[node] = start + costs.gapNanos() + gapOfBytes(message);
    }
    events.set(message, ready + wires.latency(sender, receiver, level[message]));
  }

  @Override
  public void advance() {
    double now = events.nextTime();
    int message = events.poll();
    if (level[message] < 0) {
      arrivals.arrived(message, now, now);
      return;
    }
    int receiver = to[message];
    if (!waits[message]) {
      waits[message] = true;
      following[message] = NONE;
      if (last[receiver] != NONE) {
        following[last[receiver]] = message;
        last[receiver] = message;
        return; // it follows earlier ones
      }
      last[receiver] = message;
    }
    double free = Math.max(cpuFree[receiver], isWithinNode(message) ? 0 : ejection(message));
    if (free == Double.POSITIVE_INFINITY) {
      held[receiver] = message;
    } else if (free > now) {
      events.set(message, free);
    } else {
      take(message, now);
    }
  }

  @Override
  public double requestTime(int rank, double now) {
    return Math.max(now, cpuFree[rank]);
  }

  /** {@inheritDoc} It takes no messages meanwhile: its processor is in the call. */
  @Override
  public void hold(int rank) {
    cpuFree[rank] = Double.POSITIVE_INFINITY;
  }

  @Override
  public void release(int rank, double now) {
    cpuFree[rank] = now;
    if (held[rank] != NONE) {
      events.set(held[rank], now);
      held[rank] = NONE;
    }
  }

  private double ejection(int message) {
    return ejectionFree[wires.node(to[message])];
  }

  /** Takes the first message of a receiver, and turns to the next. */
  private void take(int message, double now) {
    int receiver = to[message];
    double end = now + gapOfBytes(message);
    cpuFree[receiver] = end + costs.overheadNanos();
    if (!isWithinNode(message)) {
      ejectionFree[wires.node(receiver)] = end + costs.gapNanos();
    }
    int next = following[message];
    if (next == NONE) {
      last[receiver] = NONE;
    } else {
      events.set(next, cpuFree[receiver]);
    }
    arrivals.arrived(message, end, cpuFree[receiver]);
  }
}
