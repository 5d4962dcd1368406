package org.hyperslab.plugins.forwarding.region;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.ConfinedFolder;
import org.hyperslab.format.store.LocalPaths;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.MultiTransfers;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;

/**
 * Reads and writes raw data of files whose home is another server, and passes other operations on.
 * The home of a file manages its metadata. A file is opened with the property {@value #HOME}, which
 * names its home. Datasets are opened by token after the home has sent where their bytes are, and
 * are read and written in place. Other operations on such a file are refused.
 *
 * <p>Contiguous datasets of files whose home is this server are written here, too ({@link
 * HomeFiles}).
 *
 * <p>Both servers must share the folder, which they verify by its mark. Otherwise the opening
 * fails, and the client sends all data to the home.
 *
 * <p>Thread rule: any thread.
 */
public final class RegionConnector extends PassThroughConnector {

  /** The property of an opening that names the file's home, as an address. */
  public static final String HOME = "hyperslab.home";

  /** The property of an opening that says what becomes of statistics. */
  private static final String STATISTICS = "statistics";

  private final Peers peers;
  private final ConfinedFolder folder;
  private final HomeFiles own;
  private final Map<Handle, RegionFile> files = new ConcurrentHashMap<>();
  private final Map<Handle, RegionDataset> datasets = new ConcurrentHashMap<>();
  private final Map<String, Long> numbers = new ConcurrentHashMap<>();
  private final AtomicLong lastNumber = new AtomicLong();

  /**
   * The other servers that share the folder.
   *
   * <p>Thread rule: any thread.
   */
  public interface Peers extends AutoCloseable {
    /**
     * Connects to a server that shares the folder.
     *
     * @param address the address of the server
     * @return a connector to it
     * @throws HyperslabException if the server is not a configured peer, does not answer, or has
     *     another folder
     */
    Connector sharing(String address);

    /**
     * Waits for another server. A thread is added to the pool meanwhile, so that two servers may
     * wait for each other.
     *
     * @param answer waits for the answer and returns it
     * @param <R> the type of the answer
     * @return the answer
     */
    <R> R await(Supplier<R> answer);

    @Override
    void close();
  }

  /**
   * Creates a connector over another one, which is closed with it.
   *
   * @param below the connector that carries out all other operations
   * @param peers the other servers
   * @param folder the shared folder, below which files have the same names at all servers
   */
  public RegionConnector(Connector below, Peers peers, ConfinedFolder folder) {
    super("region", below);
    this.peers = peers;
    this.folder = folder;
    this.own = new HomeFiles(below, folder);
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    return carryOut(withoutStatistics(operation));
  }

  /**
   * Returns an opening without statistics of values, because other servers write elements that the
   * connector below does not see.
   */
  @SuppressWarnings("unchecked") // the operation has the same result with other options
  private static <R> Operation<R> withoutStatistics(Operation<R> operation) {
    return switch (operation) {
      case FileOperation.Open open when open.options().writable() ->
          (Operation<R>)
              new FileOperation.Open(
                  open.file(), open.name(), open.options().withProperty(STATISTICS, "off"));
      case FileOperation.Create create ->
          (Operation<R>)
              new FileOperation.Create(
                  create.file(),
                  create.name(),
                  create
                      .options()
                      .withAccess(create.options().access().withProperty(STATISTICS, "off")));
      default -> operation;
    };
  }

  private <R> CompletionStage<R> carryOut(Operation<R> operation) {
    if (operation instanceof FileOperation.Open open
        && open.options().properties().containsKey(HOME)) {
      return answer(() -> open(open));
    }
    if (operation instanceof DatasetOperation.Multi multi) {
      return cast(all(multi));
    }
    RegionDataset dataset = datasets.get(operation.subject());
    if (dataset != null) {
      return onDataset(operation, dataset);
    }
    RegionFile file = files.get(operation.subject());
    return file == null ? own(operation) : onFile(operation, file);
  }

  /** Checks all parts, then carries out each one, here or below. */
  private CompletionStage<Void> all(DatasetOperation.Multi multi) {
    return MultiTransfers.checked(multi, this::submit, this::submit);
  }

  /** Carries out an operation on a file whose home is this server. */
  private <R> CompletionStage<R> own(Operation<R> operation) {
    if (operation instanceof DatasetOperation.Write write) {
      Optional<RegionDataset> plain = own.forWriting(write);
      if (plain.isPresent()) {
        return answer(() -> {
          plain.get().write(write.transfer(), write.source());
          return null;
        });
      }
    }
    try {
      own.before(operation);
    } catch (HyperslabException failure) {
      return below.submit(operation).thenCompose(done -> CompletableFuture.failedFuture(failure));
    }
    CompletionStage<R> stage = below.submit(operation);
    return operation.opens().isEmpty()
        ? stage
        : stage.thenApply(result -> {
          own.opened(operation, result);
          return result;
        });
  }

  @SuppressWarnings("unchecked") // the answer is that of the operation
  private static <R> CompletionStage<R> answer(Supplier<?> work) {
    try {
      return CompletableFuture.completedFuture((R) work.get());
    } catch (CompletionException e) {
      return CompletableFuture.failedFuture(Connectors.causeOf(e));
    } catch (HyperslabException | ArithmeticException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private <R> CompletionStage<R> onFile(Operation<R> operation, RegionFile file) {
    return switch (operation) {
      case ObjectOperation.OpenToken open -> answer(() -> open(open, file));
      case ObjectOperation.Describe describe when describe.at().isBase() -> answer(file::root);
      case FileOperation.Describe describe -> answer(file::info);
      case FileOperation.Flush flush ->
          answer(() -> {
            file.flush();
            return null;
          });
      case FileOperation.Close close -> close(close.file(), file);
      default -> unsupported(operation);
    };
  }

  private <R> CompletionStage<R> onDataset(Operation<R> operation, RegionDataset dataset) {
    return switch (operation) {
      case DatasetOperation.Write write ->
          answer(() -> {
            dataset.write(write.transfer(), write.source());
            return null;
          });
      case DatasetOperation.Read read ->
          answer(() -> {
            dataset.read(read.transfer(), read.target());
            return null;
          });
      case DatasetOperation.Describe describe -> answer(dataset::info);
      case ObjectOperation.Flush flush ->
          answer(() -> {
            dataset.file().flush();
            return null;
          });
      case ObjectOperation.Close close -> {
        datasets.remove(close.object());
        yield cast(dataset.file().home().submit(new ObjectOperation.Close(dataset.handle())));
      }
      default -> unsupported(operation);
    };
  }

  @SuppressWarnings("unchecked") // a closing has no result: R is Void
  private static <R> CompletionStage<R> cast(CompletionStage<Void> stage) {
    return (CompletionStage<R>) stage;
  }

  private static <R> CompletionStage<R> unsupported(Operation<R> operation) {
    return CompletableFuture.failedFuture(
        new UnsupportedFeatureException(
            "operation: actual="
                + operation.getClass().getSimpleName()
                + ", expected=raw data of a file whose home is another server; send it to the "
                + "home server"));
  }

  private FileInfo open(FileOperation.Open open) {
    String address = open.options().properties().get(HOME);
    Connector home = peers.sharing(address);
    Path path = LocalPaths.of(open.name());
    Handle handle = Handle.fresh();
    OpenOptions options = plain(open.options());
    FileOperation.Open there =
        new FileOperation.Open(handle, folder.root().relativize(path).toString(), options);
    FileInfo info = ask(home, there);
    ByteStore store = null;
    try {
      ObjectInfo group = ask(home, new ObjectOperation.Describe(Location.of(handle)));
      long number =
          numbers.computeIfAbsent(
              address + " " + info.fileNumber(), absent -> -lastNumber.incrementAndGet());
      store = RegionFile.bytes(path, info.writable(), folder);
      RegionFile file =
          new RegionFile(
              home,
              handle,
              numbered(info, number),
              numbered(group, number),
              store,
              RegionFile.forces(info));
      files.put(open.file(), file);
      return file.info();
    } finally {
      if (store == null) {
        home.submit(new FileOperation.Close(handle));
      }
    }
  }

  /** {@return options without this server's own properties} */
  private static OpenOptions plain(OpenOptions options) {
    OpenOptions plain = options.writable() ? OpenOptions.EDIT : OpenOptions.READ;
    return plain.withDurability(options.durability()).withLocking(options.locking());
  }

  private ObjectInfo open(ObjectOperation.OpenToken open, RegionFile file) {
    Handle handle = Handle.fresh();
    Connector home = file.home();
    ObjectInfo info = ask(home, new ObjectOperation.OpenToken(handle, file.handle(), open.token()));
    boolean taken = false;
    try {
      DatasetInfo dataset = ask(home, new DatasetOperation.Describe(handle));
      if (!RegionDataset.isPlain(dataset)) {
        throw new UnsupportedFeatureException(
            "dataset: actual="
                + dataset.options().layout()
                + " of "
                + dataset.type().describe()
                + ", expected=contiguous with storage; its home moves the elements");
      }
      datasets.put(open.object(), new RegionDataset(file, handle, dataset));
      taken = true;
      return numbered(info, file.root().fileNumber());
    } finally {
      if (!taken) {
        home.submit(new ObjectOperation.Close(handle));
      }
    }
  }

  private <R> R ask(Connector home, Operation<R> operation) {
    return peers.await(() -> home.submit(operation).toCompletableFuture().join());
  }

  private <R> CompletionStage<R> close(Handle handle, RegionFile file) {
    files.remove(handle);
    datasets.values().removeIf(dataset -> dataset.file() == file);
    if (files.values().stream()
        .noneMatch(other -> other.info().fileNumber() == file.info().fileNumber())) {
      numbers.values().remove(file.info().fileNumber());
    }
    CompletionStage<Void> closed = file.home().submit(new FileOperation.Close(file.handle()));
    try {
      file.close();
    } catch (HyperslabException failure) {
      return closed.thenCompose(done -> CompletableFuture.failedFuture(failure));
    }
    return cast(closed);
  }

  private static FileInfo numbered(FileInfo info, long number) {
    return new FileInfo(
        info.name(),
        info.writable(),
        info.superblockVersion(),
        info.sizeBytes(),
        info.freeBytes(),
        info.creation(),
        number);
  }

  private static ObjectInfo numbered(ObjectInfo info, long number) {
    return new ObjectInfo(
        info.kind(),
        info.token(),
        number,
        info.referenceCount(),
        info.attributeCount(),
        info.modified(),
        info.comment(),
        info.creationOrderTracked(),
        info.header());
  }

  @Override
  public void close() {
    List.copyOf(files.keySet()).forEach(handle -> submit(new FileOperation.Close(handle)));
    peers.close();
    own.close();
    below.close();
  }
}
