package org.hyperslab.tools.edit;

import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options that commands share which edit a file where it is: the connector, help, and whether
 * the command tells what it does.
 *
 * <p>Thread rule: confined to the command's thread.
 */
final class EditOptions {

  private final Streams streams;

  @Mixin private final ConnectorOption connector;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Option(
      names = {"-v", "--verbose"},
      description = "prints what has been done")
  private boolean verbose;

  EditOptions(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  /** Returns what opens the files, which the command closes. */
  ConnectorOption connector() {
    return connector;
  }

  /** Prints what has been done, if the user wants to know. */
  void tell(String done) {
    if (verbose) {
      streams.out().println(done);
    }
  }
}
