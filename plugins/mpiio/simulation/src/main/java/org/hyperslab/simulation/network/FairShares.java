package org.hyperslab.simulation.network;

import java.util.Arrays;

/**
 * The rates of flows that share links: max-min fair, as progressive filling finds them (Bertsekas
 * and Gallager, Data Networks, 1992, section 6.5.2). Every flow has a bottleneck: a full link of
 * its route on which no flow is faster, or its own limit.
 *
 * <p>Flows begin and end between calls of {@link #settle}, which then computes only the rates that
 * may change: those of the new flows and of the flows whose bottleneck has got room; then, until
 * nothing changes any more, those of further flows whose bottleneck is none any longer, or which
 * are faster than a computed flow on that flow's bottleneck. The others keep their rates, and links
 * only what these leave.
 *
 * <p>Rates and capacities are bytes per nanosecond. The entry of a flow on a link is in two lists,
 * that of the link and that of the flow. Allocates only when it grows. Thread rule: one thread.
 */
final class FairShares {

  /** Relative differences up to this are none. */
  private static final double ACCURACY = 1e-9;

  private static final int NONE = -1;

  private double[] capacity = new double[64];
  private double[] used = new double[64];
  private int[] flowsOn = new int[64];
  private int[] firstOnLink = new int[64];
  private double[] residual = new double[64];
  private double[] known = new double[64];
  private double[] given = new double[64];
  private double[] fastest = new double[64];
  private double[] here = new double[64];
  private int[] bottlenecked = new int[64];
  private double[] level = new double[64];
  private int[] unknownOn = new int[64];
  private int[] unfrozen = new int[64];
  private int[] linkRound = new int[64];
  private boolean[] hasRoom = new boolean[64];
  private int links;

  private double[] rate = new double[64];
  private double[] limit = new double[64];
  private double[] next = new double[64];
  private int[] bottleneck = new int[64];
  private int[] nextBottleneck = new int[64];
  private int[] firstOfFlow = new int[64];
  private int[] flowRound = new int[64];

  private int[] entryLink = new int[256];
  private int[] entryFlow = new int[256];
  private int[] after = new int[256];
  private int[] before = new int[256];
  private int[] nextOfFlow = new int[256];
  private int freeEntry = NONE;
  private int entries;

  private final IntList started = new IntList();
  private final IntList freed = new IntList();
  private final IntList unknown = new IntList();
  private final IntList touched = new IntList();
  private final IntList changed = new IntList();
  private final EventQueue shares = new EventQueue(64);
  private final EventQueue limits = new EventQueue(64);
  private int round;
  private int unfrozenFlows;

  /** Adds a link and returns its number, from 0. */
  int addLink(double bytesPerNano) {
    if (links == capacity.length) {
      int room = 2 * links;
      capacity = Arrays.copyOf(capacity, room);
      used = Arrays.copyOf(used, room);
      flowsOn = Arrays.copyOf(flowsOn, room);
      firstOnLink = Arrays.copyOf(firstOnLink, room);
      residual = Arrays.copyOf(residual, room);
      known = Arrays.copyOf(known, room);
      given = Arrays.copyOf(given, room);
      fastest = Arrays.copyOf(fastest, room);
      here = Arrays.copyOf(here, room);
      bottlenecked = Arrays.copyOf(bottlenecked, room);
      level = Arrays.copyOf(level, room);
      unknownOn = Arrays.copyOf(unknownOn, room);
      unfrozen = Arrays.copyOf(unfrozen, room);
      linkRound = Arrays.copyOf(linkRound, room);
      hasRoom = Arrays.copyOf(hasRoom, room);
    }
    capacity[links] = bytesPerNano;
    firstOnLink[links] = NONE;
    return links++;
  }

  /** Returns the rate of a flow, as of the last {@link #settle}. */
  double rate(int flow) {
    return rate[flow];
  }

  /** Returns the flows whose rate the last {@link #settle} has changed. */
  IntList changed() {
    return changed;
  }

  /**
   * Begins a flow.
   *
   * @param flow its number, from 0, of which no other flow in progress has
   * @param route the links that it crosses, each once; at least one
   * @param most the greatest rate of the flow; may be infinite
   */
  void start(int flow, IntList route, double most) {
    if (flow >= rate.length) {
      int room = Math.max(flow + 1, 2 * rate.length);
      rate = Arrays.copyOf(rate, room);
      limit = Arrays.copyOf(limit, room);
      next = Arrays.copyOf(next, room);
      bottleneck = Arrays.copyOf(bottleneck, room);
      nextBottleneck = Arrays.copyOf(nextBottleneck, room);
      firstOfFlow = Arrays.copyOf(firstOfFlow, room);
      flowRound = Arrays.copyOf(flowRound, room);
    }
    rate[flow] = 0;
    bottleneck[flow] = NONE;
    firstOfFlow[flow] = NONE;
    double least = Double.POSITIVE_INFINITY;
    for (int i = route.size() - 1; i >= 0; i--) {
      enter(flow, route.get(i));
      least = Math.min(least, capacity[route.get(i)]);
    }
    limit[flow] = most < least * (1 - ACCURACY) ? most : Double.POSITIVE_INFINITY;
    started.add(flow);
  }

  private void enter(int flow, int link) {
    int entry = freeEntry;
    if (entry != NONE) {
      freeEntry = nextOfFlow[entry];
    } else {
      if (entries == entryLink.length) {
        int room = 2 * entries;
        entryLink = Arrays.copyOf(entryLink, room);
        entryFlow = Arrays.copyOf(entryFlow, room);
        after = Arrays.copyOf(after, room);
        before = Arrays.copyOf(before, room);
        nextOfFlow = Arrays.copyOf(nextOfFlow, room);
      }
      entry = entries++;
    }
    entryLink[entry] = link;
    entryFlow[entry] = flow;
    nextOfFlow[entry] = firstOfFlow[flow];
    firstOfFlow[flow] = entry;
    int head = firstOnLink[link];
    after[entry] = head;
    before[entry] = NONE;
    if (head != NONE) {
      before[head] = entry;
    }
    firstOnLink[link] = entry;
    flowsOn[link]++;
  }

  /** Ends a flow that has been settled. */
  void end(int flow) {
    if (bottleneck[flow] != NONE) {
      bottlenecked[bottleneck[flow]]--;
    }
    int entry = firstOfFlow[flow];
    while (entry != NONE) {
      int link = entryLink[entry];
      int following = nextOfFlow[entry];
      if (before[entry] == NONE) {
        firstOnLink[link] = after[entry];
      } else {
        after[before[entry]] = after[entry];
      }
      if (after[entry] != NONE) {
        before[after[entry]] = before[entry];
      }
      flowsOn[link]--;
      used[link] = flowsOn[link] == 0 ? 0 : used[link] - rate[flow];
      if (flowsOn[link] > 0 && !hasRoom[link]) {
        hasRoom[link] = true;
        freed.add(link);
      }
      nextOfFlow[entry] = freeEntry;
      freeEntry = entry;
      entry = following;
    }
    firstOfFlow[flow] = NONE;
  }

  /** Computes the rates of all flows in progress. */
  void settle() {
    round++;
    unknown.clear();
    touched.clear();
    changed.clear();
    for (int i = 0; i < started.size(); i++) {
      include(started.get(i));
    }
    for (int i = 0; i < freed.size(); i++) {
      int link = freed.get(i);
      hasRoom[link] = false;
      for (int entry = firstOnLink[link]; entry != NONE; entry = after[entry]) {
        if (bottleneck[entryFlow[entry]] == link) {
          include(entryFlow[entry]);
        }
      }
    }
    started.clear();
    freed.clear();
    do {
      fill();
    } while (isExtended());
    for (int i = 0; i < unknown.size(); i++) {
      int flow = unknown.get(i);
      if (Math.abs(next[flow] - rate[flow]) > 1e-3 * ACCURACY * next[flow]) {
        changed.add(flow);
      }
      rate[flow] = next[flow];
      if (bottleneck[flow] != NONE) {
        bottlenecked[bottleneck[flow]]--;
      }
      bottleneck[flow] = nextBottleneck[flow];
      if (bottleneck[flow] != NONE) {
        bottlenecked[bottleneck[flow]]++;
        level[bottleneck[flow]] = rate[flow];
      }
    }
  }

  /** Adds a flow to those whose rates are computed. */
  private void include(int flow) {
    if (flowRound[flow] == round) {
      return;
    }
    flowRound[flow] = round;
    next[flow] = -1;
    unknown.add(flow);
    for (int entry = firstOfFlow[flow]; entry != NONE; entry = nextOfFlow[entry]) {
      int link = entryLink[entry];
      if (linkRound[link] != round) {
        linkRound[link] = round;
        touched.add(link);
        known[link] = used[link];
        unknownOn[link] = 0;
      }
      known[link] -= rate[flow];
      unknownOn[link]++;
    }
  }

  /** Fills what the known flows leave of the links, from the link with the least share on. */
  private void fill() {
    for (int i = 0; i < touched.size(); i++) {
      int link = touched.get(i);
      boolean alone = unknownOn[link] == flowsOn[link];
      residual[link] = Math.max(0, capacity[link] - (alone ? 0 : known[link]));
      unfrozen[link] = unknownOn[link];
      given[link] = 0;
      fastest[link] = 0;
      here[link] = Double.POSITIVE_INFINITY;
      shares.append(link, residual[link] / unfrozen[link]);
    }
    shares.order();
    for (int i = 0; i < unknown.size(); i++) {
      int flow = unknown.get(i);
      next[flow] = -1;
      nextBottleneck[flow] = NONE;
      if (limit[flow] < Double.POSITIVE_INFINITY) {
        limits.append(flow, limit[flow]);
      }
    }
    limits.order();
    unfrozenFlows = unknown.size();
    while (unfrozenFlows > 0) {
      double least = shares.nextTime();
      if (limits.nextTime() <= least) {
        int flow = limits.poll();
        freeze(flow, limit[flow], NONE);
        continue;
      }
      int link = shares.nextId();
      if (unfrozen[link] == 0) {
        shares.poll();
        continue;
      }
      double share = Math.max(0, residual[link]) / unfrozen[link];
      if (share > least * (1 + 1e-12)) {
        shares.set(link, share); // other links have slowed some of its flows down
        continue;
      }
      shares.poll();
      here[link] = share;
      for (int entry = firstOnLink[link]; entry != NONE; entry = after[entry]) {
        int flow = entryFlow[entry];
        if (flowRound[flow] == round && next[flow] < 0) {
          freeze(flow, share, link);
        }
      }
    }
    shares.clear();
  }

  private void freeze(int flow, double at, int link) {
    next[flow] = at;
    nextBottleneck[flow] = link;
    unfrozenFlows--;
    limits.remove(flow);
    for (int entry = firstOfFlow[flow]; entry != NONE; entry = nextOfFlow[entry]) {
      int crossed = entryLink[entry];
      residual[crossed] -= at;
      given[crossed] += at;
      fastest[crossed] = Math.max(fastest[crossed], at);
      unfrozen[crossed]--;
    }
  }

  /** Includes flows that are not fairly treated by the computed rates; returns whether any is. */
  private boolean isExtended() {
    int count = unknown.size();
    int before = touched.size();
    for (int i = 0; i < before; i++) {
      int link = touched.get(i);
      if (unknownOn[link] == flowsOn[link]) {
        used[link] = given[link];
      } else {
        used[link] = known[link] + given[link];
        if (mayBeUnfair(link)) {
          extend(link);
        }
      }
    }
    return unknown.size() > count;
  }

  private boolean isFull(int link) {
    return used[link] >= capacity[link] * (1 - ACCURACY);
  }

  /**
   * Returns whether a known flow of a link may lose its bottleneck or be too fast. If the link is
   * the bottleneck of known flows, these have its level, and none is faster.
   */
  private boolean mayBeUnfair(int link) {
    return bottlenecked[link] == 0
        ? here[link] < Double.POSITIVE_INFINITY
        : !isFull(link)
            || fastest[link] > level[link] * (1 + ACCURACY)
            || level[link] > here[link] * (1 + ACCURACY);
  }

  /** Includes the known flows of a link that lose their bottleneck or are too fast. */
  private void extend(int link) {
    boolean full = isFull(link);
    for (int entry = firstOnLink[link]; entry != NONE; entry = after[entry]) {
      int flow = entryFlow[entry];
      if (flowRound[flow] != round) {
        boolean loses =
            bottleneck[flow] == link && (!full || fastest[link] > rate[flow] * (1 + ACCURACY));
        if (loses || rate[flow] > here[link] * (1 + ACCURACY)) {
          include(flow);
        }
      }
    }
  }
}
