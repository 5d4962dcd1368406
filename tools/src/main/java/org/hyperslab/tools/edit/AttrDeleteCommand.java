package org.hyperslab.tools.edit;

import java.util.List;
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

/** Deletes attributes of an object; none if one of them does not exist. */
@Command(
    name = "delete",
    header = "deletes attributes",
    description = {
      "Deletes attributes. If one of them does not exist, none is deleted.",
      "Exit codes: 0 success, 1 failure, 2 wrong use."
    },
    mixinStandardHelpOptions = true)
final class AttrDeleteCommand implements Callable<Integer> {

  @Mixin private final ConnectorOption connector;

  @Parameters(index = "0", paramLabel = "FILE[:/path]", description = "the object")
  private String place;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "NAME", description = "the attributes")
  private List<String> names;

  /**
   * Creates the command.
   *
   * @param streams where messages go
   */
  AttrDeleteCommand(Streams streams) {
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    ObjectAddress address = ObjectAddress.of(place);
    try (connector;
        H5File file = address.open(connector, OpenOptions.EDIT);
        H5Object object = file.get(address.path())) {
      names.forEach(object::attribute);
      names.stream().distinct().forEach(object::deleteAttribute);
    }
    return 0;
  }
}
