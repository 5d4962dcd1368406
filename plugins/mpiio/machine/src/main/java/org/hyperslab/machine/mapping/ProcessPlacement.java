package org.hyperslab.machine.mapping;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.TrafficLoad;

/**
 * The processor of each rank, with the resulting load of the machine.
 *
 * <p>Thread rule: any thread; the placement does not change.
 */
public final class ProcessPlacement {

  private final PlacementMethod method;
  private final ApplicationMatrix application;
  private final ArchitectureMatrix architecture;
  private final int[] placeOf;
  private final RankMap ranks;
  private TrafficLoad load;

  ProcessPlacement(
      PlacementMethod method,
      ApplicationMatrix application,
      ArchitectureMatrix architecture,
      int[] placeOf) {
    this.method = method;
    this.application = application;
    this.architecture = architecture;
    this.placeOf = placeOf;
    int[] processors = placeOf.clone();
    Arrays.setAll(processors, rank -> architecture.processor(placeOf[rank]));
    this.ranks = RankMap.of(architecture.machine(), processors);
  }

  /** Returns the load of the machine; computed on the first call. */
  private synchronized TrafficLoad load() {
    if (load == null) {
      TrafficLoad counted = new TrafficLoad(ranks);
      for (int rank = 0; rank < placeOf.length; rank++) {
        for (int i = 0; i < application.partners(rank).length; i++) {
          counted.add(rank, application.partners(rank)[i], application.amounts(rank)[i]);
        }
      }
      load = counted;
    }
    return load;
  }

  /** {@return the processor of each rank} */
  public RankMap ranks() {
    return ranks;
  }

  /** {@return the sum of amounts times hops, in both directions of each pair} */
  public long hopBytes() {
    return load().hopBytes();
  }

  /** {@return the amount that crosses the busiest link of the network in one direction} */
  public double greatestLinkLoad() {
    return load().greatestLinkBytes();
  }

  /** {@return the sum of amounts times costs over all pairs, which the methods minimise} */
  public double objective() {
    return Mpipp.objective(application, architecture, placeOf);
  }

  /** {@return the method and the figures in one line, for display} */
  public String describe() {
    return String.format(
        Locale.ROOT,
        "%s: %d hop-bytes, at most %.0f over a link, cost %.6g",
        method.word(),
        hopBytes(),
        greatestLinkLoad(),
        objective());
  }

  /**
   * Returns Open MPI's rankfile: a line for each rank with its host and the number of its processor
   * there, in Open MPI's numbering.
   *
   * @param hosts the name of each node, in order
   * @return the text of the file
   * @throws InvalidUseException if a host is missing or its name cannot be in the file
   */
  public String rankfile(List<String> hosts) {
    Machine machine = ranks.machine();
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < ranks.size(); rank++) {
      text.append("rank ").append(rank).append('=').append(host(hosts, ranks.node(rank)));
      text.append(" slot=").append(ranks.processor(rank) % machine.processorsPerNode());
      text.append('\n');
    }
    return text.toString();
  }

  /**
   * Returns MPICH's host list ({@code mpiexec -f}): the hosts of ranks 0, 1, 2, …, with a count for
   * consecutive equal hosts.
   *
   * @param hosts the name of each node, in order
   * @return the text of the file
   * @throws InvalidUseException if a host is missing or its name cannot be in the file
   */
  public String hostList(List<String> hosts) {
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < ranks.size(); ) {
      int node = ranks.node(rank);
      int count = 0;
      while (rank < ranks.size() && ranks.node(rank) == node) {
        rank++;
        count++;
      }
      text.append(host(hosts, node)).append(':').append(count).append('\n');
    }
    return text.toString();
  }

  private static String host(List<String> hosts, int node) {
    if (node >= hosts.size()) {
      throw new InvalidUseException(
          "hosts: actual="
              + hosts.size()
              + ", expected=one for each node, node "
              + node
              + " has ranks");
    }
    String host = hosts.get(node);
    if (!host.matches("[A-Za-z0-9._-]{1,255}")) {
      throw new InvalidUseException(
          "host of node "
              + node
              + ": actual="
              + host
              + ", expected=letters, digits, '.', '_', '-'");
    }
    return host;
  }

  /** {@return the processors of ranks 0, 1, 2, …} */
  @Override
  public String toString() {
    return Arrays.stream(ranks.toArray())
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(" "));
  }
}
