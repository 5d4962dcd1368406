package org.hyperslab.tools.explain;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.plugins.configured.Configuration;
import org.hyperslab.plugins.configured.Decision;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.Connectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks a configuration file, and explains what it chooses for files like given ones. */
@Command(
    name = "explain",
    header = "checks a configuration file and explains what it chooses",
    description = {
      "Checks a configuration file (docs/configuration.md). With files of HDF5, prints what it would"
          + " choose for a program that created them with default options: one line for each option"
          + " of the file and of its datasets, with line and column of the configuration file. A"
          + " pattern that matches nothing in these files is an error.",
      "Exit codes: 0 success, 1 an error in the configuration file, 2 wrong use."
    })
public final class ExplainCommand implements Callable<Integer> {

  private final Streams streams;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Parameters(index = "0", paramLabel = "CONFIG", description = "the configuration file")
  private Path configuration;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description = "files that a program has written, as examples")
  private List<String> files = new ArrayList<>();

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public ExplainCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    Configuration rules = Configuration.read(configuration);
    if (files.isEmpty()) {
      streams.out().println(configuration.getFileName() + ": no error");
      return 0;
    }
    Map<String, List<String>> objects = new LinkedHashMap<>();
    boolean isFine = true;
    for (String name : files) {
      isFine &= explain(rules, name, objects.computeIfAbsent(name, file -> new ArrayList<>()));
    }
    List<String> unmatched = rules.unmatched(objects);
    unmatched.forEach(streams.err()::println);
    return isFine && unmatched.isEmpty() ? 0 : 1;
  }

  private boolean explain(Configuration rules, String name, List<String> paths) {
    ConnectorConfiguration stack = Connectors.parse(Connectors.FALLBACK);
    print(rules.explain(name, stack, CreateOptions.DEFAULT));
    boolean[] isFine = {true};
    try (Session session = Hdf5.session(Connectors.FALLBACK);
        H5File file = session.open(name)) {
      file.root()
          .visit((relative, object) -> {
            String path = relative.equals(".") ? "/" : "/" + relative;
            paths.add(path);
            isFine[0] &= explain(rules, name, path, object);
            return true;
          });
    }
    return isFine[0];
  }

  private boolean explain(Configuration rules, String name, String path, H5Object object) {
    if (!(object instanceof Dataset dataset)) {
      return true;
    }
    DatasetInfo info = dataset.datasetInfo();
    try {
      print(rules.explain(name, path, info.type(), info.space(), DatasetOptions.DEFAULT));
      return true;
    } catch (InvalidUseException impossible) {
      streams.err().println(impossible.getMessage());
      return false;
    }
  }

  private void print(List<Decision> decisions) {
    decisions.forEach(streams.out()::println);
  }
}
