package org.hyperslab.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.machine.assignment.AssignmentRule;
import org.hyperslab.machine.assignment.DomainAssignment;
import org.hyperslab.machine.assignment.DomainTraffic;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.machines.DomainAssigner;

/** The hints of a simulation: each is honoured, or refused by its name. */
final class SimulatedHints {

  private static final String AUTO = "auto";

  /** The keys that change a simulation. */
  private static final Set<String> HONOURED =
      Set.of(
          "cb_buffer_size",
          "cb_nodes",
          "cb_config_list",
          "romio_cb_read",
          "romio_cb_write",
          "romio_min_fdomain_size",
          "romio_ds_read",
          "romio_ds_write",
          "ind_rd_buffer_size",
          "ind_wr_buffer_size",
          "striping_factor",
          "striping_unit",
          "hyperslab_collective",
          "hyperslab_domains",
          "hyperslab_block",
          "hyperslab_transfer",
          "hyperslab_aggregators",
          "hyperslab_saturation",
          "hyperslab_assignment",
          "hyperslab_selection",
          "hyperslab_messages",
          "hyperslab_group",
          "hyperslab_in_flight");

  private SimulatedHints() {}

  /**
   * Checks that all hints have an effect.
   *
   * @throws InvalidUseException if any has none; it names all of these
   */
  static void check(Hints hints) {
    Map<String, String> defaults = Hints.defaults().toMap();
    List<String> refused = new ArrayList<>();
    hints
        .toMap()
        .forEach((key, value) -> {
          boolean measured = key.equals("hyperslab_saturation") && value.equals("measured");
          if (!value.equals(defaults.get(key)) && (measured || !HONOURED.contains(key))) {
            refused.add(key + "=" + value);
          }
        });
    if (!refused.isEmpty()) {
      throw new InvalidUseException(
          "hints of a simulation: actual="
              + String.join(" ", refused)
              + ", which it does not model, expected=some of "
              + String.join(", ", HONOURED.stream().sorted().toList()));
    }
  }

  /** Returns the servers of a file that is striped as the hints say. */
  static StorageServers striped(StorageServers storage, Hints hints) {
    Hints.Striping asked = hints.striping();
    if (asked.factor() == 0 && asked.unitBytes() == 0) {
      return storage;
    }
    if (storage.count() == 0) {
      throw new InvalidUseException(
          "striping_factor, striping_unit: actual=a machine whose servers are not known,"
              + " expected=a description with a line storage");
    }
    return storage.striped(
        asked.factor() > 0 ? asked.factor() : storage.count(),
        asked.unitBytes() > 0 ? asked.unitBytes() : storage.stripeBytes());
  }

  /** Returns how declared writes elect the ranks that collect them. */
  static DeclaredWrites.Election election(Hints hints, RankMap ranks) {
    DomainAssigner assigner = assigner(hints, ranks);
    int[] all = IntStream.range(0, ranks.size()).toArray();
    return (shares, parts) ->
        assigner == null
            ? Optional.empty()
            : Optional.of(assigner.assign(shares, parts, all).rankOfDomain());
  }

  /** Returns the rule that assigns domains on the machine of the ranks; null if none is asked. */
  static DomainAssigner assigner(Hints hints, RankMap ranks) {
    if (hints.choice().assignment().equals(AUTO)) {
      return null;
    }
    AssignmentRule rule = AssignmentRule.parse(hints.choice().assignment());
    return (shares, domains, aggregators) -> {
      DomainTraffic traffic = DomainTraffic.ofShares(shares, domains);
      DomainAssignment found = DomainAssignment.amongAll(rule, traffic, ranks, aggregators);
      return new DomainAssigner.Assigned(found.rankOfDomain(), found.describe());
    };
  }
}
