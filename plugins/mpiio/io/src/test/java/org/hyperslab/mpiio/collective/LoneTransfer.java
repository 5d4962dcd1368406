package org.hyperslab.mpiio.collective;

import java.util.Set;

/** A transfer that waits for no rank, and that ends as soon as it is withdrawn. */
interface LoneTransfer extends TransferLane.Moving<String> {

  @Override
  default boolean works() {
    return false;
  }

  @Override
  default Set<Integer> awaitedRanks() {
    return Set.of();
  }

  @Override
  default long allowanceNanos() {
    return 0;
  }

  @Override
  default TransferLane.Withdrawal withdraw() {
    return TransferLane.Withdrawal.COMPLETE;
  }

  @Override
  default void abandon(RuntimeException why) {}
}
