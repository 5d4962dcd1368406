package org.hyperslab.plugins.configured;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.configured.rule.FileRule;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.hyperslab.vol.TrackedFuture;
import org.hyperslab.vol.base.OpenTable;

/**
 * Applies a {@link Configuration} to operations, and passes them on: files are opened by the
 * connector that their rules choose, and files, groups and datasets are opened and created with the
 * options that their rules set. Files without a rule pass as they are.
 *
 * <p>An object has the path by which the program reached it. Of an object that was opened by a
 * token or created without a link, no path is known, and rules hold for what it contains only if
 * the program names that from the root.
 *
 * <p>Thread rule: any thread.
 */
public final class ConfiguredConnector extends PassThroughConnector {

  static final String NAME = "configured";

  private static final String UNKNOWN = "";

  private final Configuration configuration;
  private final ConnectorConfiguration usual;
  private final boolean isChosen;
  private final Optional<Path> report;
  private final ConnectorPool connectors;
  private final OpenTable<ConfiguredObject> open = new OpenTable<>();
  private final Explanation explanation = new Explanation();

  /**
   * Applies a configuration to a connector's operations.
   *
   * @param configuration the rules
   * @param below the connector of files for which no rule chooses another one, closed with this
   * @param usual its configuration
   * @param isChosen whether the program chose it, so that only forced rules choose another one
   * @param report the file to which decisions are written on closing
   */
  public ConfiguredConnector(
      Configuration configuration,
      Connector below,
      ConnectorConfiguration usual,
      boolean isChosen,
      Optional<Path> report) {
    super(NAME, below);
    this.configuration = configuration;
    this.usual = usual;
    this.connectors = new ConnectorPool(usual, below);
    this.isChosen = isChosen;
    this.report = report;
  }

  /** {@return the decisions so far, at most 10,000, in the order in which they were made} */
  public List<Decision> explain() {
    return explanation.decisions();
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    try {
      return decided(operation);
    } catch (HyperslabException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @SuppressWarnings("unchecked") // an operation is replaced by one with the same type of result
  private <R> CompletionStage<R> decided(Operation<R> operation) {
    return switch (operation) {
      case FileOperation.Open o -> (CompletionStage<R>) open(o);
      case FileOperation.Create o -> (CompletionStage<R>) create(o);
      case FileOperation.Exists o -> connector(o.name()).submit(operation);
      case FileOperation.Delete o -> connector(o.name()).submit(operation);
      case GroupOperation.Create o -> opening((Operation<R>) group(o), o.at(), o.at().path());
      case DatasetOperation.Create o -> opening((Operation<R>) dataset(o), o.at(), o.intended());
      case DatasetOperation.Read o -> routed((Operation<R>) transfer(o.dataset()).applyTo(o));
      case DatasetOperation.Write o -> routed((Operation<R>) transfer(o.dataset()).applyTo(o));
      case DatasetOperation.ReadMulti o -> routed((Operation<R>) transfer(o.subject()).applyTo(o));
      case DatasetOperation.WriteMulti o -> routed((Operation<R>) transfer(o.subject()).applyTo(o));
      case ObjectOperation.Open o -> opening(operation, o.at(), o.at().path());
      case FileOperation.Close o -> after(operation, () -> forget(o.file()));
      case ObjectOperation.Close o -> after(operation, () -> open.remove(o.object()));
      default -> other(operation);
    };
  }

  private <R> CompletionStage<R> other(Operation<R> operation) {
    return operation.opens().isPresent()
        ? opening(operation, new Location(operation.subject(), UNKNOWN), UNKNOWN)
        : routed(operation);
  }

  // --- files ---

  private CompletionStage<?> open(FileOperation.Open operation) {
    List<FileRule> rules = configuration.rulesFor(operation.name());
    if (rules.isEmpty()) {
      return below.submit(operation);
    }
    OpenOptions options =
        explanation.add(FileChoices.opening(operation.name(), rules, operation.options()));
    return opened(
        rules,
        operation.name(),
        operation.file(),
        new FileOperation.Open(operation.file(), operation.name(), options));
  }

  private CompletionStage<?> create(FileOperation.Create operation) {
    List<FileRule> rules = configuration.rulesFor(operation.name());
    if (rules.isEmpty()) {
      return below.submit(operation);
    }
    CreateOptions options =
        explanation.add(FileChoices.creation(operation.name(), rules, operation.options()));
    return opened(
        rules,
        operation.name(),
        operation.file(),
        new FileOperation.Create(operation.file(), operation.name(), options));
  }

  /** Records a file before it is open: its objects may be named before the opening is complete. */
  private <R> CompletionStage<R> opened(
      List<FileRule> rules, String name, Handle handle, Operation<R> operation) {
    Connector connector = explained(name, rules);
    ConfiguredFile file = new ConfiguredFile(handle, connector, rules);
    open.bind(handle, new ConfiguredObject(file, "/", TransferChoice.NONE));
    return TrackedFuture.watch(
        connector.submit(operation),
        (result, failure) -> {
          if (failure != null) {
            open.remove(handle);
          }
        });
  }

  private Connector explained(String name, List<FileRule> rules) {
    return connectors.get(explanation.add(FileChoices.stack(name, rules, usual, isChosen)));
  }

  private Connector connector(String name) {
    List<FileRule> rules = configuration.rulesFor(name);
    return connectors.get(FileChoices.stack(name, rules, usual, isChosen).options());
  }

  private void forget(Handle file) {
    open.removeIf(object -> object.file().handle().equals(file));
  }

  // --- objects ---

  private Operation<?> group(GroupOperation.Create operation) {
    Optional<ConfiguredObject> base = open.find(operation.at().base());
    if (base.isEmpty()) {
      return operation;
    }
    return new GroupOperation.Create(
        operation.group(),
        operation.at(),
        explanation.add(
            ObjectChoices.group(
                path(base.get(), operation.at().path()),
                base.get().file().rules(),
                operation.options())),
        operation.link());
  }

  private Operation<?> dataset(DatasetOperation.Create operation) {
    Optional<ConfiguredObject> base = open.find(operation.at().base());
    if (base.isEmpty()) {
      return operation;
    }
    DatasetOperation.Spec spec = operation.spec();
    DatasetOptions options =
        explanation.add(
            ObjectChoices.dataset(
                path(base.get(), operation.intended()),
                base.get().file().rules(),
                spec.type(),
                spec.space(),
                spec.options()));
    return operation.withSpec(
        new DatasetOperation.Spec(spec.type(), spec.committedType(), spec.space(), options));
  }

  private static String path(ConfiguredObject base, String path) {
    boolean isUnknown = base.path().isEmpty() && !path.startsWith("/");
    return isUnknown ? UNKNOWN : RulePaths.below(base.path(), path);
  }

  private TransferChoice transfer(Handle dataset) {
    return open.find(dataset).map(ConfiguredObject::transfer).orElse(TransferChoice.NONE);
  }

  // --- passing on ---

  /** Records an object of a file that has rules, and passes the operation on. */
  private <R> CompletionStage<R> opening(Operation<R> operation, Location at, String path) {
    Optional<ConfiguredObject> base = open.find(at.base());
    if (base.isEmpty()) {
      return routed(operation);
    }
    Handle handle = operation.opens().orElseThrow();
    ConfiguredFile file = base.get().file();
    String full = path.isEmpty() ? UNKNOWN : path(base.get(), path);
    open.bind(handle, new ConfiguredObject(file, full, ObjectChoices.transfer(full, file.rules())));
    return TrackedFuture.watch(
        routed(operation),
        (result, failure) -> {
          if (failure != null) {
            open.remove(handle);
          }
        });
  }

  private <R> CompletionStage<R> after(Operation<R> operation, Runnable action) {
    return TrackedFuture.watch(routed(operation), (result, failure) -> action.run());
  }

  private <R> CompletionStage<R> routed(Operation<R> operation) {
    Connector connector = connector(operation.subject());
    for (Handle handle : operation.uses()) {
      if (connector(handle) != connector) {
        throw new UnsupportedFeatureException(
            "operation on two files: actual=files of two connectors, which the configuration file"
                + " chose, expected=files of one; copy by reading and writing");
      }
    }
    return connector.submit(operation);
  }

  private Connector connector(Handle handle) {
    return open.find(handle).map(object -> object.file().connector()).orElse(below);
  }

  @Override
  public void close() {
    try {
      writeReport();
    } finally {
      connectors.close();
    }
  }

  private void writeReport() {
    if (report.isPresent()) {
      try {
        Files.write(report.get(), explanation.lines());
      } catch (IOException e) {
        throw new StorageException("report of the configuration: " + e.getMessage(), e);
      }
    }
  }
}
