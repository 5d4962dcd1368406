package org.hyperslab.machine.assignment;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.TrafficLoad;

/**
 * The rank that aggregates each file domain, with the resulting load of the machine. A rank has at
 * most one domain.
 *
 * @param rule the rule by which it was made
 * @param rankOfDomain the rank of each domain
 * @param hopBytes the sum of bytes times hops over all that ranks send to aggregators
 * @param greatestLinkBytes the bytes that cross the busiest link of the network in one direction
 */
public record DomainAssignment(
    AssignmentRule rule, int[] rankOfDomain, long hopBytes, double greatestLinkBytes) {

  /**
   * Assigns domains to ranks.
   *
   * @param rule the rule
   * @param traffic what each rank accesses of each domain
   * @param ranks where ranks are
   * @param candidates the ranks that may aggregate, in ROMIO's order; at least as many as domains
   * @return the assignment; the same for the same arguments
   * @throws InvalidUseException if there are too few candidates, or the map lacks a rank
   */
  public static DomainAssignment of(
      AssignmentRule rule, DomainTraffic traffic, RankMap ranks, int[] candidates) {
    check(traffic, ranks, candidates);
    int[] chosen =
        switch (rule) {
          case ROMIO -> Arrays.copyOf(candidates, traffic.domains());
          case LATP -> assigned(candidates, new LocalityCosts(traffic, candidates));
          case TATP -> assigned(candidates, new HopByteCosts(traffic, ranks, candidates));
          case TAPIOCA -> elected(traffic, ranks, candidates);
        };
    return measured(rule, chosen, traffic, ranks);
  }

  /**
   * Assigns domains to ranks: to the aggregators in order, or by another rule to any ranks.
   *
   * @param rule the rule
   * @param traffic what each rank accesses of each domain
   * @param ranks where ranks are
   * @param aggregators the ranks that aggregate by ROMIO's rule; at least as many as domains
   * @return the assignment; the same for the same arguments
   * @throws InvalidUseException if there are too few ranks or aggregators
   */
  public static DomainAssignment amongAll(
      AssignmentRule rule, DomainTraffic traffic, RankMap ranks, int[] aggregators) {
    return of(
        rule,
        traffic,
        ranks,
        rule == AssignmentRule.ROMIO ? aggregators : IntStream.range(0, ranks.size()).toArray());
  }

  private static void check(DomainTraffic traffic, RankMap ranks, int[] candidates) {
    BitSet seen = new BitSet();
    for (int candidate : candidates) {
      if (candidate < 0 || candidate >= ranks.size() || seen.get(candidate)) {
        throw new InvalidUseException(
            "aggregator: actual=rank "
                + candidate
                + ", expected=0 to "
                + (ranks.size() - 1)
                + ", each once");
      }
      seen.set(candidate);
    }
    if (candidates.length < traffic.domains() || traffic.ranks() != ranks.size()) {
      throw new InvalidUseException(
          ("assignment: actual=%d candidates for %d domains, traffic of %d ranks, expected=as"
                  + " many candidates, %d ranks")
              .formatted(candidates.length, traffic.domains(), traffic.ranks(), ranks.size()));
    }
  }

  private static int[] assigned(int[] candidates, CostRows costs) {
    return Arrays.stream(LinearAssignment.solve(costs).columnOfRow())
        .map(column -> candidates[column])
        .toArray();
  }

  /**
   * Elects a rank for each domain in turn. The candidates are those not elected before: the ranks
   * that access the domain, or all if there are none.
   */
  private static int[] elected(DomainTraffic traffic, RankMap ranks, int[] candidates) {
    GatherTime time = new GatherTime(traffic, ranks);
    BitSet free = new BitSet();
    Arrays.stream(candidates).forEach(free::set);
    int[] chosen = new int[traffic.domains()];
    for (int domain = 0; domain < chosen.length; domain++) {
      int at = domain;
      int[] members = Arrays.stream(traffic.contributors(at)).filter(free::get).toArray();
      IntStream electable = members.length > 0 ? Arrays.stream(members) : free.stream();
      chosen[domain] = least(electable.toArray(), rank -> time.nanos(rank, at));
      free.clear(chosen[domain]);
    }
    return chosen;
  }

  private static int least(int[] ranks, IntToDoubleFunction cost) {
    int best = ranks[0];
    double least = Double.POSITIVE_INFINITY;
    for (int rank : ranks) {
      double value = cost.applyAsDouble(rank);
      if (value < least) {
        best = rank;
        least = value;
      }
    }
    return best;
  }

  /**
   * Computes the figures of a given assignment.
   *
   * @param rule the rule by which it was made
   * @param rankOfDomain the rank of each domain
   * @param traffic what each rank accesses of each domain
   * @param ranks where ranks are
   * @return the assignment with its figures
   */
  public static DomainAssignment measured(
      AssignmentRule rule, int[] rankOfDomain, DomainTraffic traffic, RankMap ranks) {
    TrafficLoad load = new TrafficLoad(ranks);
    for (int domain = 0; domain < rankOfDomain.length; domain++) {
      int[] from = traffic.contributors(domain);
      for (int i = 0; i < from.length; i++) {
        load.add(from[i], rankOfDomain[domain], traffic.bytes(domain)[i]);
      }
    }
    return new DomainAssignment(rule, rankOfDomain, load.hopBytes(), load.greatestLinkBytes());
  }

  /** {@return the rule and the figures in one line, for display} */
  public String describe() {
    return String.format(
        Locale.ROOT,
        "%s: %d hop-bytes, at most %.0f bytes over a link",
        rule.word(),
        hopBytes,
        greatestLinkBytes);
  }
}
