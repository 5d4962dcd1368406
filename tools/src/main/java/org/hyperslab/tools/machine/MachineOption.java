package org.hyperslab.tools.machine;

import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MachineDescription;
import picocli.CommandLine.Option;

/** The option that names a machine. */
final class MachineOption {

  @Option(
      names = {"-m", "--machine"},
      paramLabel = "NAME",
      defaultValue = "this",
      description =
          "a file that describes a machine, 'this' for the one this runs on, or one of mira, theta,"
              + " crill, crill-ethernet, atlas, inspur, bluelight, paragon, frontier (default: ${DEFAULT-VALUE})")
  private String machine;

  /** Returns the machine. */
  Machine find() {
    return MachineDescription.find(machine);
  }
}
