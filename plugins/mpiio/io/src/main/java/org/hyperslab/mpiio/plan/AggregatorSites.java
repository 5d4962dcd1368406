package org.hyperslab.mpiio.plan;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.hint.Hints;

/**
 * ROMIO's {@code cb_config_list}: comma-separated items {@code host}, {@code host:number} or {@code
 * host:*}, each of which sets the number of aggregators on that host (1 without a number). A {@code
 * *} in place of the host stands for all hosts that no earlier item names.
 */
final class AggregatorSites {

  private AggregatorSites() {}

  /**
   * Returns the ranks that the list allows, in its order.
   *
   * @param list the hint's value, whose form {@link Hints} has checked
   * @throws InvalidUseException if it allows no rank
   */
  static List<Integer> ranks(String list, Topology topology) {
    List<List<Integer>> left = new ArrayList<>(topology.ranksOfNodes());
    List<Integer> chosen = new ArrayList<>();
    for (String item : list.split(",", -1)) {
      String[] parts = item.trim().split(":", -1);
      boolean all = parts.length > 1 && parts[1].equals("*");
      int most = all ? Integer.MAX_VALUE : parts.length > 1 ? Integer.parseInt(parts[1]) : 1;
      List<List<Integer>> named = new ArrayList<>(left);
      named.removeIf(members -> !isNamed(parts[0], members.getFirst(), topology));
      left.removeAll(named);
      named.forEach(members -> chosen.addAll(members.subList(0, Math.min(most, members.size()))));
    }
    if (chosen.isEmpty()) {
      throw new InvalidUseException(
          "hint: actual="
              + Hints.CB_CONFIG_LIST
              + "="
              + list
              + ", which allows no rank of this job, expected=a host of the job or *");
    }
    return chosen;
  }

  private static boolean isNamed(String name, int rank, Topology topology) {
    return name.equals("*")
        || (!topology.hosts().isEmpty() && topology.hosts().get(rank) == Topology.host(name));
  }
}
