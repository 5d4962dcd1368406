package org.hyperslab.tools.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;

/** Which ranks share a file. */
public enum Subfiles {
  /** All ranks share one file. */
  NONE,
  /** The ranks of an I/O node share a file, as those of a Pset of Blue Gene. */
  PSET,
  /** The ranks of a node share a file. */
  NODE;

  /**
   * {@return the choice of a name}
   *
   * @param name {@code none}, {@code pset} or {@code node}
   * @throws InvalidUseException if it is none of these
   */
  public static Subfiles parse(String name) {
    for (Subfiles each : values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(name)) {
        return each;
      }
    }
    throw new InvalidUseException("subfiles: actual=" + name + ", expected=none, pset or node");
  }

  /**
   * {@return the ranks of each file, ascending}
   *
   * @param ranks the processors of the ranks
   * @throws InvalidUseException if files are those of Psets, and the machine has no I/O nodes
   */
  List<int[]> groups(RankMap ranks) {
    Machine machine = ranks.machine();
    if (this == PSET && machine.ioNodes().isEmpty()) {
      throw new InvalidUseException(
          "subfiles: actual=pset on " + machine.name() + ", expected=a machine with I/O nodes");
    }
    Map<Integer, List<Integer>> groups = new TreeMap<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      int group =
          switch (this) {
            case NONE -> 0;
            case PSET -> machine.ioNodeOf(ranks.processor(rank)).orElse(-1);
            case NODE -> ranks.node(rank);
          };
      groups.computeIfAbsent(group, absent -> new ArrayList<>()).add(rank);
    }
    return groups.values().stream()
        .map(group -> group.stream().mapToInt(Integer::intValue).toArray())
        .toList();
  }
}
