package org.hyperslab.mpiio.file;

import java.util.Set;
import org.hyperslab.mpiio.collective.StartedTransfer;
import org.hyperslab.mpiio.collective.TransferLane;

/**
 * A started transfer, and its staged access.
 *
 * @param staged the access; null if the rank takes part without one
 * @param started the transfer that moves the bytes
 */
record StagedTransfer(StagedAccess staged, StartedTransfer started)
    implements TransferLane.Moving<AccessStatus> {

  @Override
  public boolean advance(boolean here) {
    return started.advance(here);
  }

  @Override
  public long moves() {
    return started.moves();
  }

  @Override
  public boolean works() {
    return started.works();
  }

  @Override
  public Set<Integer> awaitedRanks() {
    return started.awaitedRanks();
  }

  @Override
  public long allowanceNanos() {
    return started.allowanceNanos();
  }

  @Override
  public TransferLane.Withdrawal withdraw() {
    return started.withdraw();
  }

  @Override
  public void abandon(RuntimeException why) {
    started.abandon(why);
  }

  @Override
  public AccessStatus end() {
    try (staged) {
      started.outcome();
      return staged == null ? new AccessStatus(0) : staged.finish();
    }
  }
}
