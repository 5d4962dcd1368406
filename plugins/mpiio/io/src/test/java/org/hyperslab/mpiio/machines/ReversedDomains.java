package org.hyperslab.mpiio.machines;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/** Assigns the first domain to the last aggregator, and so on; its rule is {@code reversed}. */
public final class ReversedDomains implements MachineService {

  @Override
  public DomainAssigner assigner(String rule, String machine, List<List<Integer>> ranksOfNodes) {
    if (!rule.equals("reversed")) {
      throw new InvalidUseException("rule: actual=" + rule + ", expected=reversed");
    }
    return (shares, domains, aggregators) -> {
      int[] reversed = new int[domains];
      for (int i = 0; i < domains; i++) {
        reversed[i] = aggregators[domains - 1 - i];
      }
      return new DomainAssigner.Assigned(reversed, "reversed");
    };
  }

  @Override
  public String neighbours(int ranks, List<Piece> pieces) {
    return ranks + " ranks, " + pieces.size() + " pieces";
  }
}
