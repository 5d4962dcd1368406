package org.hyperslab.tools.edit;

import org.hyperslab.tools.command.Streams;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Reads and edits attributes. Each action is a subcommand. */
@Command(
    name = "attr",
    header = "prints, sets, renames and deletes attributes",
    description = {
      "Prints, sets, renames and deletes attributes of groups, datasets and committed types.",
      "An object is FILE:/path; FILE alone is its root group. A change is atomic: after a crash"
          + " the file has the old attribute or the new one."
    },
    mixinStandardHelpOptions = true)
public final class AttrCommand {

  private AttrCommand() {}

  /**
   * Creates the command line of this command, with its subcommands.
   *
   * @param streams where results and errors go
   * @return the command line
   */
  public static CommandLine line(Streams streams) {
    return new CommandLine(new AttrCommand())
        .addSubcommand(new AttrGetCommand(streams))
        .addSubcommand(new AttrSetCommand(streams))
        .addSubcommand(new AttrRenameCommand(streams))
        .addSubcommand(new AttrDeleteCommand(streams));
  }
}
