package org.hyperslab.convert.zarr.connector;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.base.OpenTable;
import org.hyperslab.vol.query.Questions;

/**
 * Opens Zarr stores, or files of classic netCDF, for reading. Each open store is a {@link
 * ZarrFile}; this class knows which one a handle belongs to.
 *
 * <p>Thread rule: any thread.
 */
final class ZarrConnector implements Connector {

  static final String NAME = "zarr";

  private static final String CLASSIC = "classic";

  private final Optional<Consumer<String>> losses;
  private final String name;
  private final OpenTable<ZarrFile> handles = new OpenTable<>();
  private final AtomicLong lastNumber = new AtomicLong();

  /**
   * Creates a connector.
   *
   * @param losses receives a line for each thing in a store that HDF5 cannot hold, and for each
   *     array that cannot be read; if empty, such an array is an error
   */
  ZarrConnector(Optional<Consumer<String>> losses) {
    this(NAME, losses);
  }

  private ZarrConnector(String name, Optional<Consumer<String>> losses) {
    this.name = name;
    this.losses = losses;
  }

  /** Returns a connector that opens files of classic netCDF instead of stores. */
  static ZarrConnector ofClassic() {
    return new ZarrConnector(CLASSIC, Optional.empty());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.READ, Capability.PARTIAL_READ, Capability.CREATION_ORDER);
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    try {
      return submitted(operation);
    } catch (RuntimeException failure) {
      HyperslabException typed = HyperslabException.of(failure, operation.toString());
      operation.opens().ifPresent(handle -> handles.fail(handle, typed));
      return CompletableFuture.failedFuture(typed);
    }
  }

  @SuppressWarnings("unchecked") // R is the result of the operation, which its class determines
  private <R> CompletionStage<R> submitted(Operation<R> operation) {
    return switch (operation) {
      case FileOperation.Open open -> (CompletionStage<R>) open(open);
      case FileOperation.Exists exists ->
          (CompletionStage<R>)
              CompletableFuture.completedFuture(
                  name.equals(CLASSIC)
                      ? Files.isRegularFile(Path.of(exists.name()))
                      : ZarrConnectorFactory.isStore(exists.name()));
      case FileOperation.Close close -> {
        close(close.file());
        yield CompletableFuture.completedFuture(null);
      }
      case ObjectOperation.Close close -> {
        Optional<ZarrFile> file = handles.remove(close.object());
        yield file.isEmpty()
            ? CompletableFuture.completedFuture(null)
            : file.get().submit(operation);
      }
      case FileOperation.Flush _, ObjectOperation.Flush _ ->
          CompletableFuture.completedFuture(null);
      default -> read(operation);
    };
  }

  @SuppressWarnings("unchecked") // a question's record states the type of its answer
  private <R> CompletionStage<R> read(Operation<R> operation) {
    if (operation.edits()) {
      throw new UnsupportedFeatureException(
          "connector "
              + name
              + ": actual="
              + operation.getClass().getSimpleName()
              + ", expected=reading; convert the store to HDF5 to edit it");
    }
    if (operation instanceof DatasetOperation.Question<?> question) {
      handles.require(question.subject());
      return CompletableFuture.completedFuture((R) Questions.byReading(this, question));
    }
    ZarrFile file = handles.require(operation.subject());
    operation.opens().ifPresent(handle -> handles.bind(handle, file));
    return file.submit(operation);
  }

  private CompletionStage<?> open(FileOperation.Open open) {
    if (open.options().writable()) {
      throw new UnsupportedFeatureException(
          "connector "
              + name
              + ": actual=open for editing, expected=open for reading; convert the store to HDF5 to"
              + " edit it, at="
              + open.name());
    }
    Path path = Path.of(open.name());
    if (!Files.exists(path)) {
      throw new NotFoundException("Zarr store: actual=no such file, expected=one, at=" + path);
    }
    ZarrFile file = name.equals(CLASSIC) ? classic(path) : store(open, path);
    handles.bind(open.file(), file);
    return file.submit(new FileOperation.Open(open.file(), file.name(), open.options()));
  }

  private ZarrFile classic(Path path) {
    return ZarrFile.openClassic(path, lastNumber.incrementAndGet());
  }

  private ZarrFile store(FileOperation.Open open, Path path) {
    FileKind kind =
        ZarrConnectorFactory.kindOf(open.name())
            .orElseThrow(() ->
                new UnsupportedFeatureException(
                    "Zarr store: actual=no zarr.json, .zgroup or .zarray, expected=a Zarr store, at="
                        + path));
    return ZarrFile.open(path, kind, lastNumber.incrementAndGet(), losses);
  }

  private void close(Handle handle) {
    handles
        .find(handle)
        .ifPresent(file -> {
          handles.removeIf(each -> each == file);
          file.close();
        });
  }

  @Override
  public void close() {
    Set.copyOf(handles.values()).forEach(ZarrFile::close);
    handles.removeIf(_ -> true);
  }
}
