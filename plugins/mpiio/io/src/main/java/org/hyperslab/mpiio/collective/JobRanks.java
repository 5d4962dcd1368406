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
 * The places of a job's ranks on a machine, and the rule that assigns file domains to them; the
 * same on every rank.
 *
 * @param rule the rule; null assigns domains to the aggregators in order
 * @param ranks the places; null without a rule
 */
record JobRanks(AssignmentRule rule, RankMap ranks) {

  private static final String AUTO = "auto";

  /**
   * Returns the places and rule that the hints request; collective if they request a rule.
   *
   * @throws HyperslabException on every rank, if any cannot describe the machine
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
              + " cannot be used on another rank, whose error gives the reason, expected=the "
              + "same description on all ranks");
    }
    return new JobRanks(rule, ranks);
  }

  /**
   * Maps the nodes of the job, in order of their lowest ranks, to the first nodes of the machine.
   */
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
   * Returns the number of this rank's bytes in each part of the file, as pairs of a part and its
   * bytes.
   */
  long[] shares(CollectiveInput problem, Partition partition) {
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

  /** Assigns the parts of the file to ranks, from the {@linkplain #shares shares} of all ranks. */
  DomainAssignment assign(long[][] all, CollectiveInput problem, Partition partition) {
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
