package org.hyperslab.tools.edit;

import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.ObjectAddress;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Renames an attribute. */
@Command(
    name = "rename",
    header = "renames an attribute",
    description = {
      "Renames an attribute. The new name must not exist.",
      "Exit codes: 0 success, 1 failure, 2 wrong use."
    },
    mixinStandardHelpOptions = true)
final class AttrRenameCommand implements Callable<Integer> {

  @Mixin private final ConnectorOption connector;

  @Parameters(index = "0", paramLabel = "FILE[:/path]", description = "the object")
  private String place;

  @Parameters(index = "1", paramLabel = "NAME", description = "the attribute")
  private String name;

  @Parameters(index = "2", paramLabel = "NEW-NAME", description = "its new name")
  private String newName;

  /**
   * Creates the command.
   *
   * @param streams where messages go
   */
  AttrRenameCommand(Streams streams) {
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    ObjectAddress address = ObjectAddress.of(place);
    try (connector;
        H5File file = address.open(connector, OpenOptions.EDIT);
        H5Object object = file.get(address.path())) {
      object.renameAttribute(name, newName);
    }
    return 0;
  }
}
