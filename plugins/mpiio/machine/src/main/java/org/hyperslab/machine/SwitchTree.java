package org.hyperslab.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.hyperslab.error.InvalidUseException;

/**
 * A tree of switches. Vertices: the nodes, then the switches of the lowest tier, then those of the
 * next. Two nodes under one switch of the lowest tier are 2 hops apart; each further tier that a
 * message climbs adds 2 hops.
 */
final class SwitchTree implements Network {

  private static final int MAX_TIERS = 16;

  private final int nodes;
  private final List<Tier> tiers;
  private final int[] spans;
  private final int[] firstSwitch;

  SwitchTree(int nodes, List<Tier> tiers) {
    if (tiers.isEmpty() || tiers.size() > MAX_TIERS) {
      throw new InvalidUseException(
          "tree of switches: actual=" + tiers.size() + " tiers, expected=1 to " + MAX_TIERS);
    }
    this.tiers = List.copyOf(tiers);
    int all =
        CheckedCounts.product(
            "tree of switches", MAX_NODES, tiers.stream().mapToInt(Tier::arity).toArray());
    if (nodes < 1 || nodes > all) {
      throw new InvalidUseException(
          "tree of switches: actual=" + nodes + " nodes, expected=1 to " + all);
    }
    this.nodes = nodes;
    this.spans = new int[tiers.size()];
    this.firstSwitch = new int[tiers.size()];
    int span = 1;
    int vertex = nodes;
    for (int i = 0; i < spans.length; i++) {
      span *= tiers.get(i).arity();
      spans[i] = span;
      firstSwitch[i] = vertex;
      vertex += Math.ceilDiv(nodes, span);
    }
  }

  @Override
  public int nodes() {
    return nodes;
  }

  @Override
  public int[] extents() {
    int[] extents = new int[tiers.size()];
    for (int i = 0; i < extents.length; i++) {
      extents[extents.length - 1 - i] = tiers.get(i).arity();
    }
    return extents;
  }

  @Override
  public int[] coordinates(int node) {
    int[] at = new int[tiers.size()];
    int rest = node;
    for (int i = 0; i < at.length; i++) {
      at[at.length - 1 - i] = rest % tiers.get(i).arity();
      rest /= tiers.get(i).arity();
    }
    return at;
  }

  @Override
  public int hops(int from, int to) {
    return from == to ? 0 : 2 * (level(from, to) + 1);
  }

  /** {@inheritDoc} Sums the bytes below each switch, as each tier climbed adds two hops. */
  @Override
  public IntToDoubleFunction hopBytes(int[] to, long[] bytes) {
    List<Map<Integer, Double>> sums = new ArrayList<>();
    double all = 0;
    for (int tier = 0; tier < spans.length; tier++) {
      sums.add(new HashMap<>());
    }
    for (int k = 0; k < to.length; k++) {
      all += bytes[k];
      for (int tier = 0; tier < spans.length; tier++) {
        int below = tier == 0 ? to[k] : to[k] / spans[tier - 1];
        sums.get(tier).merge(below, (double) bytes[k], Double::sum);
      }
    }
    double total = all;
    return node -> {
      double sum = 0;
      for (int tier = 0; tier < spans.length; tier++) {
        int below = tier == 0 ? node : node / spans[tier - 1];
        sum += 2 * (total - sums.get(tier).getOrDefault(below, 0.0));
      }
      return sum;
    };
  }

  @Override
  public List<Level> levels() {
    return tiers.stream().map(Tier::level).toList();
  }

  @Override
  public int level(int from, int to) {
    int tier = 0;
    while (from / spans[tier] != to / spans[tier]) {
      tier++;
    }
    return tier;
  }

  @Override
  public void route(int from, int to, LinkVisitor visitor) {
    if (from == to) {
      return;
    }
    int top = level(from, to);
    int below = from;
    for (int tier = 0; tier <= top; tier++) {
      int above = vertex(from, tier);
      visit(LinkVisitor.number(below, above), tiers.get(tier), visitor);
      below = above;
    }
    for (int tier = top; tier >= 0; tier--) {
      int next = tier == 0 ? to : vertex(to, tier - 1);
      visit(LinkVisitor.number(below, next), tiers.get(tier), visitor);
      below = next;
    }
  }

  private static void visit(long link, Tier tier, LinkVisitor visitor) {
    visitor.link(link, tier.width(), tier.level().bytesPerSecond());
  }

  private int vertex(int node, int tier) {
    return firstSwitch[tier] + node / spans[tier];
  }

  @Override
  public Network with(List<Level> changed) {
    List<Tier> next = new ArrayList<>();
    for (int i = 0; i < tiers.size(); i++) {
      next.add(new Tier(tiers.get(i).arity(), tiers.get(i).width(), changed.get(i)));
    }
    return new SwitchTree(nodes, next);
  }

  @Override
  public String describe() {
    StringBuilder text = new StringBuilder("tree of switches: " + nodes + " nodes");
    for (Tier tier : tiers) {
      text.append(", ").append(tier.arity()).append(" a ").append(tier.level().name());
    }
    return text.toString();
  }
}
