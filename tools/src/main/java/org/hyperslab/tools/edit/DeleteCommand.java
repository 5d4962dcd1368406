package org.hyperslab.tools.edit;

import java.util.List;
import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.ObjectAddress;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Deletes links, and objects to which no other link leads. */
@Command(
    name = "delete",
    header = "deletes objects and links",
    description = {
      "Deletes links. An object to which no other hard link leads is deleted, with everything"
          + " below it. The file keeps its length, and later objects use the free space if it is"
          + " tracked; repack makes the file smaller. What cannot be deleted is reported, and the"
          + " rest is deleted.",
      "Exit codes: 0 success, 1 failure, 2 wrong use."
    })
public final class DeleteCommand implements Callable<Integer> {

  private final Streams streams;

  @Mixin private final EditOptions options;

  @Parameters(
      paramLabel = "FILE:/path",
      arity = "1..*",
      description = "the links; after the first, paths may be without FILE:")
  private List<String> words;

  @Spec private CommandSpec spec;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public DeleteCommand(Streams streams) {
    this.streams = streams;
    this.options = new EditOptions(streams);
  }

  @Override
  public Integer call() {
    try (ConnectorOption connector = options.connector()) {
      return new FileEdit(spec, connector, streams).each(words, this::delete);
    }
  }

  private void delete(H5File file, ObjectAddress address) {
    if (address.isRoot()) {
      throw new InvalidUseException(
          "delete: actual=the root group, expected=an object in it; the root group belongs to every"
              + " file");
    }
    file.delete(address.path());
    options.tell("deleted " + address);
  }
}
