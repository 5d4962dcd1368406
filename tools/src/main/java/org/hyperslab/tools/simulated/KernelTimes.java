package org.hyperslab.tools.simulated;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.examples.kernels.Access;
import org.hyperslab.examples.kernels.IoKernel;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.simulation.SimulatedJob;
import org.hyperslab.simulation.SimulatedNetwork;
import org.hyperslab.simulation.UnstatedCosts;

/**
 * Computes the times of a kernel's accesses on a machine that need not exist.
 *
 * <p>If groups of ranks have files of their own, each group is simulated for itself, with an equal
 * share of the servers unless hints state the striping; they take the time of the slowest group.
 * Groups share nothing, so that groups on processors at the same distances from each other, such as
 * full Psets, are simulated once.
 *
 * <p>Thread rule: immutable.
 *
 * @param ranks the processor of each rank
 * @param hints the hints for the accesses
 * @param costs the costs that the machine does not state
 * @param network the model of messages
 * @param subfiles which ranks share a file
 */
public record KernelTimes(
    RankMap ranks, Hints hints, UnstatedCosts costs, SimulatedNetwork network, Subfiles subfiles) {

  /**
   * Creates a simulation of ranks that share a file and links.
   *
   * @param ranks the processor of each rank
   * @param hints the hints for the accesses
   */
  public KernelTimes(RankMap ranks, Hints hints) {
    this(ranks, hints, UnstatedCosts.DEFAULT, SimulatedNetwork.FLOWS, Subfiles.NONE);
  }

  /**
   * {@return the same simulation with other hints}
   *
   * @param other the hints
   */
  public KernelTimes with(Hints other) {
    return new KernelTimes(ranks, other, costs, network, subfiles);
  }

  /**
   * {@return the times of all collective writes, one after the other}
   *
   * @param kernel the kernel
   */
  public SimulatedJob.Result write(IoKernel kernel) {
    return eachGroup(
        kernel,
        group -> group.calls.stream().map(group.job::write).reduce(SimulatedJob.Result::plus));
  }

  /**
   * {@return the times of all collective reads, one after the other}
   *
   * @param kernel the kernel
   */
  public SimulatedJob.Result read(IoKernel kernel) {
    return eachGroup(
        kernel,
        group -> group.calls.stream().map(group.job::read).reduce(SimulatedJob.Result::plus));
  }

  /**
   * {@return the times of all writes, declared in advance}
   *
   * @param kernel the kernel
   */
  public SimulatedJob.Result writeDeclared(IoKernel kernel) {
    return eachGroup(
        kernel,
        group ->
            Optional.of(
                group.job.writeDeclared(
                    rank -> group.calls.stream().map(call -> call.apply(rank)).toList())));
  }

  /**
   * {@return the times of all collective writes, each started and followed by a computation}
   *
   * @param kernel the kernel
   * @param computation what each rank computes after each start
   */
  public SimulatedJob.Result writeStarted(IoKernel kernel, SimulatedJob.Computation computation) {
    return eachGroup(
        kernel,
        group ->
            group.calls.stream()
                .map(call -> group.job.started(true, call, computation))
                .reduce(SimulatedJob.Result::plus));
  }

  /**
   * {@return the bytes that the ranks write}
   *
   * @param kernel the kernel
   */
  public long bytes(IoKernel kernel) {
    return subfiles.groups(ranks).stream().mapToLong(group -> kernel.fileBytes(group.length)).sum();
  }

  /** {@return the job of the first file} */
  public SimulatedJob job() {
    List<int[]> groups = subfiles.groups(ranks);
    return job(groups.getFirst(), groups.size());
  }

  /**
   * {@return the accesses of all ranks for each of the kernel's calls}
   *
   * @param kernel the kernel
   * @param count the number of ranks
   */
  public static List<IntFunction<SimulatedJob.Access>> calls(IoKernel kernel, int count) {
    int calls = kernel.accesses(0, count).size();
    SimulatedJob.Access[][] ofRanks = new SimulatedJob.Access[count][];
    for (int rank = 0; rank < count; rank++) {
      ofRanks[rank] =
          kernel.accesses(rank, count).stream()
              .map(KernelTimes::access)
              .toArray(SimulatedJob.Access[]::new);
    }
    List<IntFunction<SimulatedJob.Access>> all = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      int call = i;
      all.add(rank -> ofRanks[rank][call]);
    }
    return all;
  }

  private static SimulatedJob.Access access(Access access) {
    Access.Memory memory = access.memory();
    long bytes = Math.multiplyExact(memory.count(), memory.type().size());
    return new SimulatedJob.Access(access.view(), access.offset(), bytes);
  }

  /** The ranks of one file: their job and the accesses of each call. */
  private record Group(SimulatedJob job, List<IntFunction<SimulatedJob.Access>> calls) {}

  private SimulatedJob.Result eachGroup(
      IoKernel kernel, Function<Group, Optional<SimulatedJob.Result>> action) {
    List<int[]> groups = subfiles.groups(ranks);
    Map<List<Integer>, SimulatedJob.Result> known = new HashMap<>();
    SimulatedJob.Result sum = null;
    for (int[] members : groups) {
      SimulatedJob.Result result =
          known.computeIfAbsent(
              distances(members),
              distances -> {
                int count = distances.size();
                Group group = new Group(job(members, groups.size()), calls(kernel, count));
                return action
                    .apply(group)
                    .orElseThrow(() ->
                        new InvalidUseException(
                            "kernel: actual=" + kernel.name() + ", expected=one with accesses"));
              });
      sum = sum == null ? result : sum.beside(result);
    }
    return sum;
  }

  /** Returns how far each processor of a group lies behind the first one. */
  private List<Integer> distances(int[] members) {
    int first = ranks.processor(members[0]);
    return Arrays.stream(members).mapToObj(rank -> ranks.processor(rank) - first).toList();
  }

  private SimulatedJob job(int[] members, int groups) {
    Machine machine = ranks.machine();
    int[] processors = Arrays.stream(members).map(ranks::processor).toArray();
    int servers = machine.storage().count();
    Hints own =
        groups > 1 && servers > 0 && hints.striping().factor() == 0
            ? hints.with("striping_factor", Integer.toString(Math.max(1, servers / groups)))
            : hints;
    return new SimulatedJob(RankMap.of(machine, processors), own, costs, network);
  }
}
