package org.hyperslab.convert.zarr.connector;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.hyperslab.convert.classic.NetcdfSource;
import org.hyperslab.convert.detect.ExpansionLimit;
import org.hyperslab.convert.hdf5.Hdf5Target;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.DecodedBlocks;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.SourceFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.rewrite.MissingValues;
import org.hyperslab.convert.zarr.ZarrSource;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.MultiTransfers;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * An open Zarr store. An HDF5 file in memory, which has all of the store but its elements, answers
 * what is asked about groups, links, attributes and datasets; elements are read from the store.
 *
 * <p>Thread rule: any thread; one thread closes it.
 */
final class ZarrFile implements AutoCloseable {

  /** The connector of the file in memory. */
  private static final String CONNECTOR = "native";

  private final String name;
  private final long number;
  private final ConversionRun work;
  private final SourceFile source;
  private final Connector skeleton;

  /** The variables, by the addresses of their datasets. */
  private final Map<Long, Variable> variables;

  private final DecodedBlocks blocks;

  private ZarrFile(Path path, long number, ConversionRun work, SourceFile source, GroupNode root) {
    this.name = path.toString();
    this.number = number;
    this.work = work;
    this.source = source;
    this.blocks = new DecodedBlocks(work.memoryBytes());
    Map<Long, Variable> found = new HashMap<>();
    byte[] bytes =
        Hdf5Target.withoutElements(
            root, (dataset, variable) -> found.put(dataset.token().address(), variable), work);
    this.variables = Map.copyOf(found);
    this.skeleton = Connectors.create(CONNECTOR).over(name, MemoryStore.copyOf(name, bytes));
  }

  /**
   * Opens a store.
   *
   * @param path a folder or a zip archive
   * @param kind its version
   * @param number distinguishes it from other open files
   * @param losses receives a line for each thing that HDF5 cannot hold, and for each array that
   *     cannot be read; if empty, such an array is an error
   * @return the open store
   * @throws org.hyperslab.error.CorruptFileException if it is no valid hierarchy
   */
  static ZarrFile open(Path path, FileKind kind, long number, Optional<Consumer<String>> losses) {
    long expandedBytes = ExpansionLimit.of(path, ConversionOptions.DEFAULT);
    ConversionRun work = work(expandedBytes);
    ZarrSource.Reading reading =
        new ZarrSource.Reading(kind == FileKind.ZARR3 ? 3 : 2, losses.isPresent());
    SourceFile source = null;
    try {
      source = ZarrSource.open(path, reading, expandedBytes, work);
      GroupNode root = source.root();
      MissingValues.apply(root, kind, FileKind.HDF5);
      ZarrFile file = new ZarrFile(path, number, work, source, root);
      losses.ifPresent(told -> work.losses().forEach(told));
      return file;
    } catch (RuntimeException | Error failure) {
      if (source != null) {
        source.close();
      }
      work.close();
      throw failure;
    }
  }

  /**
   * Opens a file of classic netCDF, whose elements are read in the same way.
   *
   * @param path the file
   * @param number distinguishes it from other open files
   * @return the open file
   * @throws org.hyperslab.error.CorruptFileException if it is no valid classic file
   */
  static ZarrFile openClassic(Path path, long number) {
    ConversionRun work = work(ExpansionLimit.of(path, ConversionOptions.DEFAULT));
    SourceFile source = null;
    try {
      source = NetcdfSource.open(path);
      GroupNode root = source.root();
      MissingValues.apply(root, FileKind.NETCDF, FileKind.HDF5);
      return new ZarrFile(path, number, work, source, root);
    } catch (RuntimeException | Error failure) {
      if (source != null) {
        source.close();
      }
      work.close();
      throw failure;
    }
  }

  private static ConversionRun work(long expandedBytes) {
    long memoryBytes = ConversionOptions.DEFAULT.memoryBytes();
    ConversionRun.Limits limits =
        new ConversionRun.Limits(memoryBytes, expandedBytes, Long.MAX_VALUE, true);
    return new ConversionRun(limits, _ -> {});
  }

  /** Returns the name of the store, which is that of the file in memory, too. */
  String name() {
    return name;
  }

  /**
   * Carries out an operation that reads.
   *
   * @param <R> the type of the result
   * @param operation the operation
   * @return its result
   * @throws org.hyperslab.error.HyperslabException if it fails before there is a stage
   */
  @SuppressWarnings("unchecked") // R is the result of the operation, which its class determines
  <R> CompletionStage<R> submit(Operation<R> operation) {
    return switch (operation) {
      case DatasetOperation.Read read -> (CompletionStage<R>) read(read);
      case DatasetOperation.ReadMulti reads ->
          (CompletionStage<R>)
              MultiTransfers.checked(
                  reads, this::submit, part -> read((DatasetOperation.Read) part));
      case DatasetOperation.Describe describe ->
          (CompletionStage<R>)
              skeleton
                  .submit(describe)
                  .thenCombine(variable(describe), (info, of) -> stored(info, of, describe));
      case DatasetOperation.ListChunks _, DatasetOperation.ReadChunk _ ->
          throw new UnsupportedFeatureException(
              "connector zarr: actual="
                  + operation.getClass().getSimpleName()
                  + ", expected=reading of elements; chunks of Zarr are not stored as HDF5 stores"
                  + " them, at="
                  + name);
      default -> skeleton.submit(operation).thenApply(result -> (R) numbered(result));
    };
  }

  /** Gives a result the number of this file; the connector below knows one file only. */
  private Object numbered(Object result) {
    return switch (result) {
      case FileInfo i ->
          new FileInfo(name, false, -1, i.sizeBytes(), i.freeBytes(), i.creation(), number);
      case ObjectInfo i ->
          new ObjectInfo(
              i.kind(),
              i.token(),
              number,
              i.referenceCount(),
              i.attributeCount(),
              i.modified(),
              i.comment(),
              i.creationOrderTracked(),
              ObjectInfo.HeaderInfo.NONE);
      case null, default -> result;
    };
  }

  /** Returns the variable of an operation's dataset; null for a dimension without a variable. */
  private CompletionStage<Variable> variable(DatasetOperation<?> operation) {
    return skeleton
        .submit(new ObjectOperation.Describe(Location.of(operation.subject())))
        .thenApply(info -> variables.get(info.token().address()));
  }

  /** Returns the properties of a dataset with the storage of its variable in the store. */
  private static DatasetInfo stored(
      DatasetInfo info, Variable variable, DatasetOperation.Describe asked) {
    if (variable == null) {
      return info;
    }
    boolean isCounted = asked.counted() || !(info.options().layout() instanceof Layout.Chunked);
    long bytes = isCounted ? variable.elements().encodedBytes().orElse(-1) : -1;
    return new DatasetInfo(
        info.type(),
        info.committedType(),
        info.space(),
        info.options(),
        new DatasetInfo.StorageInfo(bytes, -1, "", -1, -1));
  }

  private CompletionStage<Void> read(DatasetOperation.Read read) {
    return variable(read)
        .thenCompose(variable -> {
          if (variable == null) {
            return skeleton.submit(read);
          }
          blocks.read(variable, read.transfer(), read.target());
          return CompletableFuture.completedFuture(null);
        });
  }

  @Override
  public void close() {
    skeleton.close();
    source.close();
    work.close();
  }
}
