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
 * <p>Messages within a node have the latency and the bandwidth of their level, and take neither
 * injection nor ejection.
 */
public final class LogGpMessages extends MessageModel {

  private final double[] injectionFree;
  private final double[] ejectionFree;
  private int[] level = new int[64];

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
  }

  @Override
  public boolean isEager() {
    return true;
  }

  @Override
  public double sendTime(int rank, double now) {
    return Math.max(super.sendTime(rank, now), injectionFree[wires.node(rank)]);
  }

  @Override
  void grow(int room) {
    level = Arrays.copyOf(level, room);
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
    int message = events.nextId();
    if (level[message] < 0) {
      events.poll();
      arrivals.arrived(message, now, now);
      return;
    }
    int receiver = to[message];
    boolean within = isWithinNode(message);
    int node = wires.node(receiver);
    double free = Math.max(cpuFree[receiver], within ? 0 : ejectionFree[node]);
    if (free > now) {
      events.set(message, free);
      return;
    }
    events.poll();
    double last = now + gapOfBytes(message);
    cpuFree[receiver] = last + costs.overheadNanos();
    if (!within) {
      ejectionFree[node] = last + costs.gapNanos();
    }
    arrivals.arrived(message, last, cpuFree[receiver]);
  }
}
