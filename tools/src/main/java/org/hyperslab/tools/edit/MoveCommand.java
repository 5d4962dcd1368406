package org.hyperslab.tools.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.ObjectAddress;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Renames a link, or moves it to another group of its file. */
@Command(
    name = "move",
    header = "renames an object, or moves it to another group of its file",
    description = {
      "Gives a link another name, or moves it to another group of its file. The new path must not"
          + " exist. Soft links to the old path are not changed; references follow the object.",
      "Exit codes: 0 success, 1 failure, 2 wrong use."
    })
public final class MoveCommand implements Callable<Integer> {

  private final Streams streams;

  @Mixin private final EditOptions options;

  @Option(
      names = {"-p", "--parents"},
      description = "creates missing parent groups")
  private boolean parents;

  @Parameters(index = "0", paramLabel = "FILE:/old", description = "the present path")
  private String old;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "/new",
      description =
          "the new path, in the same file; after FILE alone, the present path and the new one")
  private List<String> more;

  @Spec private CommandSpec spec;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public MoveCommand(Streams streams) {
    this.streams = streams;
    this.options = new EditOptions(streams);
  }

  @Override
  public Integer call() {
    List<String> words = new ArrayList<>(List.of(old));
    words.addAll(more);
    List<ObjectAddress> places = FileEdit.places(words, spec);
    if (places.size() != 2) {
      throw new ParameterException(
          spec.commandLine(),
          "paths: actual=" + places.size() + ", expected=the present path and the new one");
    }
    ObjectAddress from = places.getFirst();
    ObjectAddress to = places.getLast();
    if (!from.file().equals(to.file())) {
      throw new InvalidUseException(
          "move: actual=to another file, expected=both paths in one file; copy copies to another");
    }
    if (from.isRoot()) {
      throw new InvalidUseException("move: actual=the root group, expected=an object in it");
    }
    try (ConnectorOption connector = options.connector();
        H5File file = from.open(connector, OpenOptions.EDIT)) {
      if (!parents) {
        FileEdit.requireParents(file, to.path());
      }
      file.root().move(from.path(), to.path());
    }
    options.tell("moved " + from + " to " + to.path());
    return 0;
  }
}
