package org.hyperslab.plugins.nativevol;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.opening.ExternalFiles;
import org.hyperslab.plugins.nativevol.opening.FileLoader;
import org.hyperslab.plugins.nativevol.raw.RawStorage;
import org.hyperslab.plugins.nativevol.store.StoreFactory;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.StepOperation;
import org.hyperslab.vol.TypeOperation;
import org.hyperslab.vol.base.SynchronousConnector;
import org.hyperslab.vol.query.Questions;

/**
 * The connector {@code native}, for files on this machine. Operations complete before {@link
 * #submit} returns.
 *
 * <p>Thread rule: any thread. Operations of several threads run concurrently as far as the lock of
 * their file permits: look-ups and raw data transfers beside each other, edits alone.
 */
public final class NativeConnector extends SynchronousConnector {

  /** The connector's name in configuration strings. */
  public static final String NAME = "native";

  private static final int MOST_THREADS = 8;

  private final HandleTable handles;
  private final FileLoader loader;
  private final Map<String, String> properties;
  private final FileHandler files;
  private final GroupHandler groups;
  private final LinkHandler links;
  private final ObjectHandler objects;
  private final DatasetHandler datasets;
  private final AttributeHandler attributes;
  private final TypeHandler types;
  private final StepHandler steps;
  private final StatisticsKeeper statistics;

  /** Creates a connector with no open files. */
  public NativeConnector() {
    this(Map.of());
  }

  /**
   * Creates a connector with no open files.
   *
   * @param properties the properties of all openings of files that do not have others
   */
  NativeConnector(Map<String, String> properties) {
    this(StoreFactory.standard(), properties);
  }

  /** Creates a connector with no open files that finds the bytes of files in the given stores. */
  NativeConnector(StoreFactory stores, Map<String, String> properties) {
    this(stores, properties, TransferResources.shared());
  }

  /** Creates a connector with no open files that transfers elements with the given resources. */
  NativeConnector(
      StoreFactory stores, Map<String, String> properties, TransferResources resources) {
    this(new FileLoader(stores, resources), properties, new HandleTable());
  }

  private NativeConnector(FileLoader loader, Map<String, String> properties, HandleTable handles) {
    super(
        NAME,
        EnumSet.complementOf(EnumSet.of(Capability.ASYNCHRONOUS, Capability.COLLECTIVE)),
        handles.open());
    this.handles = handles;
    this.loader = loader;
    this.properties = properties;
    ExternalFiles external = new ExternalFiles(loader);
    Locator locator = new Locator(handles, loader, external);
    HandleBinder binder = new HandleBinder(handles, loader);
    this.files = new FileHandler(handles, binder, loader, properties);
    this.groups = new GroupHandler(locator, binder);
    this.links = new LinkHandler(handles, locator);
    this.objects =
        new ObjectHandler(handles, locator, binder, new CopyHandler(locator, loader, external));
    this.datasets = new DatasetHandler(handles, groups, binder);
    this.attributes = new AttributeHandler(locator, binder);
    this.types = new TypeHandler(handles, groups);
    this.steps = new StepHandler(handles);
    this.statistics = new StatisticsKeeper(this, handles);
  }

  @Override
  public Connector over(String name, ByteStore store) {
    return new NativeConnector(
        loader.over(StoreFactory.withOne(name, store)), properties, new HandleTable());
  }

  @Override
  protected Object carryOut(Operation<?> operation) {
    statistics.before(operation);
    Object result = super.carryOut(operation);
    statistics.after(operation, result);
    return result;
  }

  @Override
  protected Object question(DatasetOperation.Question<?> question) {
    int threads = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
    Optional<StatisticsKeeper.Facts> facts = statistics.facts(question);
    if (facts.isPresent()) {
      Object answer = Questions.answer(this, question, facts.get().of(), threads);
      if (statistics.hold(question, facts.get())) {
        return answer;
      }
    }
    return Questions.answer(this, question, null, threads);
  }

  @Override
  protected Object file(FileOperation<?> operation) {
    return files.execute(operation);
  }

  @Override
  protected Object group(GroupOperation<?> operation) {
    return groups.execute(operation);
  }

  @Override
  protected Object link(LinkOperation<?> operation) {
    return links.execute(operation);
  }

  @Override
  protected Object object(ObjectOperation<?> operation) {
    return objects.execute(operation);
  }

  @Override
  protected Object dataset(DatasetOperation<?> operation) {
    return datasets.execute(operation);
  }

  @Override
  protected Object attribute(AttributeOperation<?> operation) {
    return attributes.execute(operation);
  }

  @Override
  protected Object type(TypeOperation<?> operation) {
    return types.execute(operation);
  }

  @Override
  protected Object step(StepOperation<?> operation) {
    return steps.execute(operation);
  }

  /**
   * {@return the raw bytes of an open dataset, for a connector whose ranks transfer them directly}
   *
   * @param dataset the handle of the dataset
   * @throws org.hyperslab.error.InvalidUseException if the handle is not that of an open dataset
   */
  public RawStorage rawStorage(Handle dataset) {
    return datasets.rawStorage(dataset);
  }

  /**
   * Records that raw data of an open file was written without this connector, so that its next
   * flush makes the data durable.
   *
   * @param file the handle of the file
   */
  public void rawWritten(Handle file) {
    handles.require(file).objects().file().raw().written();
  }

  /**
   * {@return the byte store of a file, opened as this connector would open it but without a lock}
   * For ranks other than the one that has the file open.
   *
   * @param name the file's name
   * @param options whether it is opened for writing, and how the file is stored
   */
  public static ByteStore openStore(String name, OpenOptions options) {
    return FileLoader.openStore(name, options.withLocking(Locking.OFF));
  }

  /**
   * {@return whether options have encoded chunks checked before they are written}
   *
   * @param options the options of an opening
   */
  public static boolean verifiesWrites(OpenOptions options) {
    return NativeFile.verifiesWrites(options);
  }

  @Override
  public void close() {
    handles.fileHandles().forEach(handle -> submit(new FileOperation.Close(handle)));
  }
}
