package org.hyperslab.mpiio.collective;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.machine.AssignmentRule;
import org.hyperslab.mpiio.machine.DomainAssignment;
import org.hyperslab.mpiio.machine.DomainTraffic;
import org.hyperslab.mpiio.machine.Machine;
import org.hyperslab.mpiio.machine.MachineDescription;
import org.hyperslab.mpiio.machine.RankMap;

/**
 * Where the ranks of a job are on a machine, and by which rule they get file domains; the same on
 * every rank.
 *
 * @param rule null leaves domains to the aggregators in order
 * @param ranks null without a rule
 */
record JobRanks(AssignmentRule rule, RankMap ranks) {

  private static final String AUTO = "auto";

  /**
   * Returns what the hints ask for; collective if they ask for a rule.
   *
   * @throws HyperslabException on every rank, if any cannot tell what the machine is like
   */
  static JobRanks agreed(Communicator comm, Hints hints, Topology topology) {
    String word = hints.choice().assignment();
    if (word.equals(AUTO)) {
      return new JobRanks(null, null);
    }
    RankMap ranks = null;
    AssignmentRule rule = null;
    HyperslabException failure = null;
    try {
      rule = AssignmentRule.parse(word);
      ranks = map(hints.choice().machine(), topology);
    } catch (HyperslabException failed) {
      failure = failed;
    }
    long[] sound = {failure == null ? 1 : 0};
    comm.allReduce(sound, Reduction.MIN);
    if (failure != null) {
      throw failure;
    }
    if (sound[0] == 0) {
      throw new InvalidUseException(
          "machine: actual="
              + hints.choice().machine()
              + " cannot be used on another rank, which"
              + " says why, expected=the same description on all ranks");
    }
    return new JobRanks(rule, ranks);
  }

  /** Nodes of the job are the first nodes of the machine, in order of their lowest ranks. */
  static RankMap map(String name, Topology topology) {
    List<List<Integer>> nodes = topology.ranksOfNodes();
    int most = nodes.stream().mapToInt(List::size).max().orElse(1);
    Machine machine =
        name.equals(AUTO)
            ? Machine.oneSwitch("nodes at one switch", nodes.size(), most)
            : MachineDescription.find(name);
    int each = machine.processorsPerNode();
    if (nodes.size() > machine.nodes()) {
      throw new InvalidUseException(
          "machine "
              + machine.name()
              + ": actual="
              + machine.nodes()
              + " nodes, expected=at least "
              + nodes.size()
              + ", as the job has");
    }
    int[] processors = new int[topology.nodes().size()];
    for (int node = 0; node < nodes.size(); node++) {
      List<Integer> members = nodes.get(node);
      for (int i = 0; i < members.size(); i++) {
        // More ranks than processors share them.
        processors[members.get(i)] = node * each + i % each;
      }
    }
    return RankMap.of(machine, processors);
  }

  boolean assigns() {
    return rule != null;
  }

  /**
   * Returns how many bytes this rank has of each part of the file: pairs of a part and its bytes.
   */
  long[] shares(Problem problem, Partition partition) {
    long[] mine = new long[2 * partition.aggregators()];
    int used = 0;
    for (int domain = 0; domain < partition.aggregators(); domain++) {
      ExtentRuns part = partition.portion(problem.mine(), problem.rank(), domain).extents();
      if (!part.isEmpty()) {
        mine[used++] = domain;
        mine[used++] = part.totalBytes();
      }
    }
    return Arrays.copyOf(mine, used);
  }

  /**
   * Returns which rank gets which part of the file, from the {@linkplain #shares shares} of all
   * ranks.
   */
  DomainAssignment assign(long[][] all, Problem problem, Partition partition) {
    DomainTraffic.Builder traffic = DomainTraffic.builder(problem.size(), partition.aggregators());
    for (int rank = 0; rank < all.length; rank++) {
      for (int i = 0; i < all[rank].length; i += 2) {
        traffic.add(rank, (int) all[rank][i], all[rank][i + 1]);
      }
    }
    int[] candidates =
        rule == AssignmentRule.ROMIO
            ? problem.setting().aggregators()
            : IntStream.range(0, problem.size()).toArray();
    return DomainAssignment.of(rule, traffic.build(), ranks, candidates);
  }
}
