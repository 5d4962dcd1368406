package org.hyperslab.tools.command;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Adds the options {@code --help} and {@code --version} to commands that are described without
 * annotations. The wording is that of picocli's own options, which are annotations.
 */
public final class StandardHelp {

  private StandardHelp() {}

  /**
   * Adds both options to a command.
   *
   * @param command the command
   */
  public static void addTo(CommandSpec command) {
    command.addOption(
        OptionSpec.builder("-h", "--help")
            .type(boolean.class)
            .usageHelp(true)
            .description("Show this help message and exit.")
            .build());
    command.addOption(version("-V", "--version"));
  }

  private static OptionSpec version(String... names) {
    return OptionSpec.builder(names)
        .type(boolean.class)
        .versionHelp(true)
        .description("Print version information and exit.")
        .build();
  }

  /**
   * Gives a command, and those below it, an option that prints the version, where they lack one.
   *
   * @param command the command
   */
  public static void completeVersion(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    spec.versionProvider(new ProductVersion());
    if (spec.findOption("--version") == null) {
      boolean isShort = spec.findOption("-V") == null;
      String[] names = isShort ? new String[] {"-V", "--version"} : new String[] {"--version"};
      spec.addOption(version(names));
    }
    command.getSubcommands().values().forEach(StandardHelp::completeVersion);
  }
}
