package org.hyperslab.tools;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options {@code --help} and {@code --version}, worded as picocli's own, of commands that are
 * described without annotations; picocli's own are annotations.
 */
final class StandardHelp {

  private StandardHelp() {}

  /** Gives a command both options. */
  static void addTo(CommandSpec command) {
    command.addOption(
        OptionSpec.builder("-h", "--help")
            .type(boolean.class)
            .usageHelp(true)
            .description("Show this help message and exit.")
            .build());
    command.addOption(
        OptionSpec.builder("-V", "--version")
            .type(boolean.class)
            .versionHelp(true)
            .description("Print version information and exit.")
            .build());
  }
}
