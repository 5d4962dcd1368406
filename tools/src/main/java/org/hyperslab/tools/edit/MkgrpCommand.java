package org.hyperslab.tools.edit;

import java.util.List;
import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.ObjectAddress;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates groups in a file that exists. */
@Command(
    name = "mkgrp",
    header = "creates groups",
    description = {
      "Creates groups in a file that exists. A group that cannot be created is reported, and the"
          + " others are created.",
      "Exit codes: 0 success, 1 failure, 2 wrong use."
    })
public final class MkgrpCommand implements Callable<Integer> {

  private final Streams streams;

  @Mixin private final EditOptions options;

  @Option(
      names = {"-p", "--parents"},
      description = "creates missing parent groups, and accepts groups that exist")
  private boolean parents;

  @Parameters(
      paramLabel = "FILE:/path",
      arity = "1..*",
      description = "the groups; after the first, paths may be without FILE:")
  private List<String> words;

  @Spec private CommandSpec spec;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public MkgrpCommand(Streams streams) {
    this.streams = streams;
    this.options = new EditOptions(streams);
  }

  @Override
  public Integer call() {
    try (ConnectorOption connector = options.connector()) {
      return new FileEdit(spec, connector, streams).each(words, this::create);
    }
  }

  private void create(H5File file, ObjectAddress address) {
    boolean exists = address.isRoot() || file.exists(address.path());
    if (parents && exists) {
      file.group(address.path()).close();
      return;
    }
    if (!parents) {
      FileEdit.requireParents(file, address.path());
    }
    file.createGroup(address.path()).close();
    options.tell("created " + address);
  }
}
