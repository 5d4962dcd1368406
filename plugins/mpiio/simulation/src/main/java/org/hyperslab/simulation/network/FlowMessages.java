package org.hyperslab.simulation.network;

import java.util.Arrays;
import org.hyperslab.machine.LinkVisitor;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;

/**
 * Messages as flows, which share the links of their routes max-min fairly ({@link FairShares}).
 *
 * <p>A message takes the overhead of its sender, the gap of its node and the latency of the way;
 * then its bytes flow. Messages up to {@value #SHORT_BYTES} bytes load no link: they occupy the
 * injection and the ejection of their nodes, as in LogGP.
 *
 * <p>Rates follow each change at once while at most {@value #CROWD} messages flow. In a larger
 * crowd changes are taken together that follow each other within a hundredth of the time that the
 * message concerned would take alone, so that 65,536 ranks stay affordable.
 *
 * <p>One message takes at most one cable of each link. Messages within a node do not delay each
 * other. A message begins when both sides are ready for it.
 */
public final class FlowMessages extends MessageModel {

  /** The length up to which messages load no link. */
  public static final long SHORT_BYTES = 4096;

  /** Changes within this time are one. */
  private static final double MOMENT_NANOS = 1e-6;

  /** The number of flows above which changes are taken together. */
  static final int CROWD = 4096;

  private static final double CROWD_SHARE = 0.01;

  private static final byte TRAVELLING = 0;
  private static final byte FLOWING = 1;
  private static final byte ARRIVING = 2;

  private final FairShares shares = new FairShares();
  private final LongNumbers links = new LongNumbers();
  private final double[] injectionFree;
  private final double[] ejectionFree;
  private final IntList route = new IntList();
  private double narrowest;
  private final LinkVisitor visitor = this::visit;
  private byte[] phase = new byte[64];
  private double[] left = new double[64];
  private double[] rate = new double[64];
  private double[] since = new double[64];
  private double now;
  private final int crowd;
  private int flowing;

  /** Until when changes are taken together; infinite if nothing has changed. */
  private double momentEnd = Double.POSITIVE_INFINITY;

  /**
   * Creates a network without messages.
   *
   * @param ranks the processor of each rank
   * @param copyBytesPerSecond the bandwidth of a message of a rank to itself
   * @param arrivals receives arrivals
   */
  public FlowMessages(RankMap ranks, double copyBytesPerSecond, Arrivals arrivals) {
    this(ranks, copyBytesPerSecond, arrivals, CROWD);
  }

  FlowMessages(RankMap ranks, double copyBytesPerSecond, Arrivals arrivals, int crowd) {
    super(ranks, copyBytesPerSecond, arrivals);
    this.crowd = crowd;
    injectionFree = new double[ranks.machine().nodes()];
    ejectionFree = new double[ranks.machine().nodes()];
  }

  @Override
  public boolean isEager() {
    return false;
  }

  @Override
  void grow(int room) {
    phase = Arrays.copyOf(phase, room);
    left = Arrays.copyOf(left, room);
    rate = Arrays.copyOf(rate, room);
    since = Arrays.copyOf(since, room);
  }

  @Override
  void launch(int message, double ready) {
    int sender = from[message];
    int receiver = to[message];
    if (wires.isSameProcessor(sender, receiver)) {
      begin(message, ARRIVING, ready + bytes[message] / copyBytesPerNano);
      return;
    }
    int level = wires.level(sender, receiver);
    double latency = wires.latency(sender, receiver, level);
    double alone = bytes[message] / wires.bandwidth(level);
    int node = wires.node(sender);
    if (node == wires.node(receiver)) {
      begin(message, ARRIVING, ready + latency + alone);
      return;
    }
    double start = Math.max(ready, injectionFree[node]);
    boolean small = bytes[message] <= SHORT_BYTES;
    injectionFree[node] = start + (small ? Math.max(costs.gapNanos(), alone) : costs.gapNanos());
    begin(message, TRAVELLING, start + latency);
  }

  private void begin(int message, byte next, double until) {
    phase[message] = next;
    events.set(message, until);
  }

  @Override
  public void advance() {
    now = events.nextTime();
    int message = events.poll();
    switch (phase[message]) {
      case TRAVELLING -> travelled(message);
      case FLOWING -> {
        shares.end(message);
        changed(message);
        flowing--;
        eject(message, costs.gapNanos());
      }
      default -> deliver(message);
    }
  }

  private void travelled(int message) {
    if (bytes[message] <= SHORT_BYTES) {
      double alone = bytes[message] / wires.bandwidth(wires.level(from[message], to[message]));
      int node = wires.node(to[message]);
      double end = Math.max(now + alone, ejectionFree[node] + Math.max(costs.gapNanos(), alone));
      ejectionFree[node] = end;
      begin(message, ARRIVING, end);
      return;
    }
    route.clear();
    narrowest = Double.POSITIVE_INFINITY;
    Machine machine = wires.machine();
    machine.network().route(wires.node(from[message]), wires.node(to[message]), visitor);
    phase[message] = FLOWING;
    left[message] = bytes[message];
    rate[message] = 0;
    since[message] = now;
    shares.start(message, route, narrowest);
    changed(message);
    flowing++;
  }

  /** Notes that the rates of other messages change with this one. */
  private void changed(int message) {
    double moment = Math.max(MOMENT_NANOS, now * 1e-12);
    if (flowing > crowd) {
      double alone = bytes[message] / wires.bandwidth(wires.level(from[message], to[message]));
      moment = Math.max(moment, CROWD_SHARE * alone);
    }
    momentEnd = Math.min(momentEnd, now + moment);
  }

  private void visit(long link, int width, double bytesPerSecond) {
    double cable = bytesPerSecond / 1e9;
    int index = links.get(link);
    if (index < 0) {
      index = shares.addLink(cable * width);
      links.put(link, index);
    }
    route.add(index);
    narrowest = Math.min(narrowest, cable);
  }

  /** Lets the last byte of a flow arrive, at the earliest a gap after the last arrival. */
  private void eject(int message, double gap) {
    int node = wires.node(to[message]);
    double end = Math.max(now, ejectionFree[node]);
    ejectionFree[node] = end + gap;
    if (end > now) {
      begin(message, ARRIVING, end);
    } else {
      deliver(message);
    }
  }

  private void deliver(int message) {
    arrivals.arrived(message, now, work(to[message], now, costs.overheadNanos()));
  }

  /** {@inheritDoc} Rates are computed once for all changes of one moment. */
  @Override
  public double nextTime() {
    if (events.nextTime() > momentEnd) {
      settle();
    }
    return events.nextTime();
  }

  private void settle() {
    momentEnd = Double.POSITIVE_INFINITY;
    shares.settle();
    IntList changed = shares.changed();
    for (int i = 0; i < changed.size(); i++) {
      int message = changed.get(i);
      left[message] = Math.max(0, left[message] - rate[message] * (now - since[message]));
      since[message] = now;
      rate[message] = shares.rate(message);
      events.set(message, now + left[message] / rate[message]);
    }
  }
}
