package org.hyperslab.tools;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Adds the options {@code --help} and {@code --version} to commands that are described without
 * annotations. The wording is that of picocli's own options, which are annotations.
 */
final class StandardHelp {

  private StandardHelp() {}

  /** Adds both options to a command. */
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
