package org.hyperslab.plugins.nativevol.object;

import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.nativevol.attribute.Attributes;
import org.hyperslab.plugins.nativevol.dataset.OpenDatasets;
import org.hyperslab.plugins.nativevol.file.FileSettings;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.group.Groups;
import org.hyperslab.plugins.nativevol.group.Links;
import org.hyperslab.plugins.nativevol.group.Paths;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;
import org.hyperslab.plugins.nativevol.step.StepLedger;
import org.hyperslab.plugins.nativevol.storage.DatasetContext;
import org.hyperslab.plugins.nativevol.transfer.CacheBudget;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;
import org.hyperslab.plugins.nativevol.virtual.SourceDatasets;

/**
 * The objects of an open file: puts together what describes, creates, links and deletes them. Each
 * object is identified by the address of its header.
 *
 * <p>Thread rule: as {@link ObjectHeaders}.
 */
public final class FileObjects {

  /** The greatest size of a file's cached chunks by default. */
  private static final long DEFAULT_CACHE_BYTES = 256L << 20;

  /** The share of the JVM's heap, as a divisor, that the cache takes at most by default. */
  private static final int HEAP_SHARE = 4;

  private final NativeFile file;
  private final ObjectHeaders headers;
  private final Groups groups;
  private final Links links;
  private final Paths paths;
  private final Attributes attributes;
  private final Descriptions descriptions;
  private final MetadataSizes measures;
  private final OpenDatasets datasets;
  private final NewObjects newObjects;
  private final Deletion deletion;
  private final StepLedger steps;

  /**
   * Creates the objects of a file.
   *
   * @param file the open file
   * @param settings the settings of the whole file
   * @param sources opens the source datasets of virtual datasets
   * @param resources threads and buffers for transfers
   */
  public FileObjects(
      NativeFile file, FileSettings settings, SourceDatasets sources, TransferResources resources) {
    this.file = file;
    this.headers = new ObjectHeaders(file, settings, address -> deletion().delete(address));
    this.groups = new Groups(headers);
    this.links = new Links(headers, groups);
    this.paths = new Paths(headers, groups, links);
    this.attributes = new Attributes(headers);
    this.descriptions = new Descriptions(headers, groups, attributes);
    this.measures = new MetadataSizes(headers, groups, attributes);
    DatasetContext context =
        new DatasetContext(
            headers,
            resources.withThreads(file.options().threads()),
            new CacheBudget(cacheBytes(file)),
            descriptions::pathOf);
    this.datasets = new OpenDatasets(context, sources);
    this.newObjects = new NewObjects(headers, datasets);
    this.deletion = new Deletion(headers, groups, attributes, datasets);
    this.steps = new StepLedger(headers, paths, datasets);
  }

  private static long cacheBytes(NativeFile file) {
    long stated = file.options().cacheBytes();
    return stated > 0
        ? stated - stated / 4
        : Math.min(DEFAULT_CACHE_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /** Flushes and closes the file; its objects cannot be used afterwards. */
  public void close() {
    file.close(datasets::movable);
  }

  /** {@return the open file} */
  public NativeFile file() {
    return file;
  }

  /** {@return the object headers, with what they share and what keeps the objects} */
  public ObjectHeaders headers() {
    return headers;
  }

  /** {@return the address of the root group's header} */
  public long root() {
    return headers.root();
  }

  /** {@return the component that manages groups} */
  public Groups groups() {
    return groups;
  }

  /** {@return the component that creates, moves and removes links} */
  public Links links() {
    return links;
  }

  /** {@return the component that resolves paths} */
  public Paths paths() {
    return paths;
  }

  /** {@return the component that manages attributes} */
  public Attributes attributes() {
    return attributes;
  }

  /** {@return the component that deletes objects} */
  public Deletion deletion() {
    return deletion;
  }

  /** {@return the component that describes objects} */
  public Descriptions descriptions() {
    return descriptions;
  }

  /** {@return the component that measures objects} */
  public MetadataSizes measures() {
    return measures;
  }

  /** {@return the component that creates objects} */
  public NewObjects newObjects() {
    return newObjects;
  }

  /** {@return the steps of the file} */
  public StepLedger steps() {
    return steps;
  }

  /** {@return the open datasets} */
  public OpenDatasets datasets() {
    return datasets;
  }

  /** {@return the options with which the file was created, as far as the file records them} */
  public CreateOptions creationOptions() {
    FileSettings settings = headers.settings();
    return CreateOptions.builder()
        .userBlockBytes(file.baseAddress())
        .sizeOfOffsets(file.geometry().sizeOfOffsets())
        .sizeOfLengths(file.geometry().sizeOfLengths())
        .symbolLeafK(settings.groupLeafK())
        .symbolInternalK(settings.groupInternalK())
        .chunkInternalK(settings.chunkInternalK())
        .root(groups.options(root()))
        .space(settings.space())
        .access(file.options())
        .build();
  }
}
