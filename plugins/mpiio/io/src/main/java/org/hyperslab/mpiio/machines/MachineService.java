package org.hyperslab.mpiio.machines;

import java.util.List;
import java.util.ServiceLoader;
import org.hyperslab.error.InvalidUseException;

/**
 * Knowledge of machines, found by {@link ServiceLoader}. The module {@code org.hyperslab.placement}
 * provides one.
 *
 * <p>Thread rule: any thread.
 */
public interface MachineService {

  /**
   * Bytes of a file that a rank accesses.
   *
   * @param rank the rank, from 0
   * @param offset the offset of the first byte
   * @param length the number of bytes
   */
  record Piece(int rank, long offset, long length) {}

  /**
   * {@return the rule that assigns file domains to ranks}
   *
   * @param rule the value of the hint {@code hyperslab_assignment}, not {@code auto}
   * @param machine the value of the hint {@code hyperslab_machine}
   * @param ranksOfNodes the ranks of each node; each rank, from 0, once
   * @throws org.hyperslab.error.HyperslabException if there is no such rule, or the machine is
   *     unknown or has too few nodes
   */
  DomainAssigner assigner(String rule, String machine, List<List<Integer>> ranksOfNodes);

  /**
   * {@return which ranks access neighbouring pieces of a file, as text from which the ranks of the
   * next job can be placed}
   *
   * @param ranks the number of ranks
   * @param pieces the pieces of all ranks
   */
  String neighbours(int ranks, List<Piece> pieces);

  /**
   * {@return the service}
   *
   * @param hint the hint that asks for it, for the error
   * @throws InvalidUseException if no module provides one
   */
  static MachineService find(String hint) {
    return ServiceLoader.load(MachineService.class, MachineService.class.getClassLoader())
        .findFirst()
        .orElseThrow(() ->
            new InvalidUseException(
                "hint "
                    + hint
                    + " needs knowledge of machines: actual=no module that provides it,"
                    + " expected=the module org.hyperslab.placement (artifact"
                    + " hyperslab-placement)"));
  }
}
