package org.hyperslab.placement.service;

import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MachineDescription;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.assignment.AssignmentRule;
import org.hyperslab.machine.assignment.DomainAssignment;
import org.hyperslab.machine.assignment.DomainTraffic;
import org.hyperslab.machine.assignment.GatherTime;
import org.hyperslab.machine.mapping.ApplicationMatrix;
import org.hyperslab.machine.mapping.MatrixText;
import org.hyperslab.mpiio.machines.DomainAssigner;
import org.hyperslab.mpiio.machines.MachineService;

/**
 * Answers MPI-IO's questions from descriptions of machines.
 *
 * <p>Thread rule: any thread.
 */
public final class DescribedMachines implements MachineService {

  private static final String AUTO = "auto";

  /** Creates the service; called by {@link java.util.ServiceLoader}. */
  public DescribedMachines() {}

  @Override
  public DomainAssigner assigner(String rule, String machine, List<List<Integer>> ranksOfNodes) {
    return new Assigner(AssignmentRule.parse(rule), map(machine, ranksOfNodes));
  }

  /** A rule on a machine. */
  private record Assigner(AssignmentRule rule, RankMap ranks) implements DomainAssigner {

    @Override
    public Assigned assign(long[][] shares, int domains, int[] aggregators) {
      DomainTraffic traffic = DomainTraffic.ofShares(shares, domains);
      DomainAssignment found = DomainAssignment.amongAll(rule, traffic, ranks, aggregators);
      return new Assigned(found.rankOfDomain(), found.describe());
    }

    @Override
    public Optional<Costs> costs(long[][] shares, int domains) {
      return rule == AssignmentRule.TAPIOCA
          ? Optional.of(new GatherTime(DomainTraffic.ofShares(shares, domains), ranks)::nanos)
          : Optional.empty();
    }
  }

  @Override
  public String neighbours(int ranks, List<Piece> pieces) {
    List<ApplicationMatrix.Piece> all =
        pieces.stream()
            .map(piece -> new ApplicationMatrix.Piece(piece.rank(), piece.offset(), piece.length()))
            .toList();
    return MatrixText.write(ApplicationMatrix.ofPieces(ranks, all));
  }

  /**
   * Maps the nodes of a job, in order of their lowest ranks, to the first nodes of the machine.
   *
   * @param name the machine's name; {@code auto} for as many nodes at one switch
   */
  static RankMap map(String name, List<List<Integer>> ranksOfNodes) {
    int most = ranksOfNodes.stream().mapToInt(List::size).max().orElse(1);
    Machine machine =
        name.equals(AUTO)
            ? Machine.oneSwitch("nodes at one switch", ranksOfNodes.size(), most)
            : MachineDescription.find(name);
    int each = machine.processorsPerNode();
    if (ranksOfNodes.size() > machine.nodes()) {
      throw new InvalidUseException(
          "machine "
              + machine.name()
              + ": actual="
              + machine.nodes()
              + " nodes, expected=at least "
              + ranksOfNodes.size()
              + ", as the job has");
    }
    int[] processors = new int[ranksOfNodes.stream().mapToInt(List::size).sum()];
    for (int node = 0; node < ranksOfNodes.size(); node++) {
      List<Integer> members = ranksOfNodes.get(node);
      for (int i = 0; i < members.size(); i++) {
        // More ranks than processors share them.
        processors[members.get(i)] = node * each + i % each;
      }
    }
    return RankMap.of(machine, processors);
  }
}
