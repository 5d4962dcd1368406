package org.hyperslab.plugins.nativevol;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.LibraryVersion;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.SharedPointer;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.nativevol.file.FileSettings;
import org.hyperslab.plugins.nativevol.file.MovableExtent;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.transfer.CacheBudget;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;

/**
 * Presents an open file as a set of objects, each identified by the address of its header.
 *
 * <p>Thread rule: as {@link NativeFile}: edits under its write lock, everything else under its read
 * lock.
 */
final class FileObjects implements MessageSharing {

  private static final int MAXIMUM_SHARING_DEPTH = 4;

  /** The greatest size of a file's cached chunks by default. */
  private static final long DEFAULT_CACHE_BYTES = 256L << 20;

  /** The share of the JVM's heap, as a divisor, that the cache takes at most by default. */
  private static final int HEAP_SHARE = 4;

  private final NativeFile file;
  private final FileSettings settings;
  private final SharedHeap sharedMessages;
  private final HeapAccess heap;
  private final DatasetContext datasets;
  private final ConcurrentHashMap<Long, NativeDataset> openDatasets = new ConcurrentHashMap<>();
  private final Groups groups = new Groups(this);
  private final Links links = new Links(this);
  private final Paths paths = new Paths(this);
  private final Attributes attributes = new Attributes(this);
  private final Deletion deletion = new Deletion(this);
  private final Descriptions descriptions = new Descriptions(this);
  private final MetadataSizes measures = new MetadataSizes(this);
  private final NewObjects newObjects;
  private final ListingCache listings;

  /** The open objects without links. */
  private final Set<Long> orphans = ConcurrentHashMap.newKeySet();

  private final ConcurrentHashMap<Long, Integer> openCounts = new ConcurrentHashMap<>();

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
    this.settings = settings;
    this.sharedMessages = new SharedHeap(file, file.extension().sharedMessageTable());
    this.heap = new HeapAccess(file, settings.bounds());
    this.datasets =
        new DatasetContext(
            file,
            settings,
            this,
            heap,
            sources,
            resources.withThreads(file.options().threads()),
            new CacheBudget(cacheBytes(file)),
            address -> descriptions().pathOf(address));
    this.listings = new ListingCache(file);
    this.newObjects = new NewObjects(this);
  }

  /** Flushes and closes the file; its objects cannot be used afterwards. */
  public void close() {
    file.close(this::movable);
  }

  private List<MovableExtent> movable(long header) {
    return dataset(header).movable();
  }

  private static long cacheBytes(NativeFile file) {
    long stated = file.options().cacheBytes();
    return stated > 0
        ? stated - stated / 4
        : Math.min(DEFAULT_CACHE_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /** {@return the open file} */
  public NativeFile file() {
    return file;
  }

  /** {@return the file's metadata} */
  public MetadataSpace space() {
    return file.metadata();
  }

  /** {@return the generation of added structures, unless an object needs a newer one} */
  public LibraryVersion low() {
    return settings.low();
  }

  /** {@return the newest generation of structures that may be added} */
  public LibraryVersion high() {
    return settings.high();
  }

  /** {@return the settings that the superblock and its extension give for the whole file} */
  public FileSettings settings() {
    return settings;
  }

  /** {@return the address of the root group's header} */
  public long root() {
    long root = file.superblock().rootHeaderAddress();
    if (root == FileGeometry.UNDEFINED) {
      throw new CorruptFileException(
          file.name(), "superblock", file.baseAddress(), "root group actual=none, expected=one");
    }
    return root;
  }

  /**
   * {@return the object header at an address}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public ObjectHeader header(long address) {
    ObjectHeader header = ObjectHeader.open(space(), address);
    header.requireUnderstood(file.writable());
    return header;
  }

  /** Sets the modification time in a header to the present, if the header records times. */
  void touch(ObjectHeader header) {
    header.touch(HeaderStyle.now());
  }

  /**
   * {@return the header of the object at an address, which must be of the expected kind}
   *
   * @param address the address of the object's header, bytes from the file's base address
   * @param expected the kind that it must have
   */
  public ObjectHeader header(long address, ObjectKind expected) {
    ObjectHeader header = header(address);
    ObjectKind actual = kind(header);
    if (actual != expected) {
      throw new InvalidUseException(
          "object: actual="
              + actual
              + ", expected="
              + expected
              + ", at="
              + file.name()
              + "@"
              + address);
    }
    return header;
  }

  /**
   * {@return the kind of object that a header belongs to}
   *
   * @param header the object's header
   */
  public ObjectKind kind(ObjectHeader header) {
    if (header.has(MessageType.SYMBOL_TABLE) || header.has(MessageType.LINK_INFO)) {
      return ObjectKind.GROUP;
    }
    if (header.has(MessageType.DATATYPE)) {
      return header.has(MessageType.DATASPACE) ? ObjectKind.DATASET : ObjectKind.COMMITTED_TYPE;
    }
    throw new CorruptFileException(
        file.name(),
        "object header",
        file.baseAddress() + header.address(),
        "kind of object actual=none of group, dataset and committed datatype");
  }

  @Override
  public Message resolve(int typeCode, SharedPointer pointer) {
    return resolve(typeCode, pointer, 0);
  }

  @Override
  public void release(ObjectHeader header, HeaderMessage message) {
    sharedMessages.release(header, message, target -> deletion.release(header, target));
  }

  private Message resolve(int typeCode, SharedPointer pointer, int depth) {
    if (depth > MAXIMUM_SHARING_DEPTH) {
      throw corrupt(typeCode, "shared messages lead to each other");
    }
    return switch (pointer) {
      case SharedPointer.InHeader there -> inHeader(typeCode, there.headerAddress(), depth);
      case SharedPointer.InHeap there -> sharedMessages.find(typeCode, there.heapId());
    };
  }

  private Message inHeader(int typeCode, long address, int depth) {
    MessageType type = MessageType.of(typeCode).orElseThrow();
    HeaderMessage found =
        ObjectHeader.open(space(), address)
            .find(type)
            .orElseThrow(() -> corrupt(typeCode, "not in the header at address " + address));
    return found.message((innerType, innerPointer) -> resolve(innerType, innerPointer, depth + 1));
  }

  private CorruptFileException corrupt(int typeCode, String problem) {
    String structure = MessageType.of(typeCode).map(MessageType::structure).orElse("message");
    return new CorruptFileException(
        file.name(), "shared " + structure, CorruptFileException.NO_OFFSET, problem);
  }

  /** {@return the component that manages groups} */
  public Groups groups() {
    return groups;
  }

  /** Returns the global heap. */
  HeapAccess heap() {
    return heap;
  }

  /** Returns the table of shared messages. */
  SharedHeap sharedMessages() {
    return sharedMessages;
  }

  /** Returns the cached listings of groups. */
  ListingCache listings() {
    return listings;
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

  /** {@return the parts of this file that datasets use} */
  public DatasetContext datasets() {
    return datasets;
  }

  /**
   * {@return the dataset at an address: the same instance as long as it is open}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public NativeDataset dataset(long address) {
    NativeDataset open = openDatasets.get(address);
    return open != null
        ? open
        : openDatasets.computeIfAbsent(address, at -> new NativeDataset(datasets, at));
  }

  /**
   * Adds a handle to an object.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void retain(long address) {
    openCounts.merge(address, 1, Integer::sum);
  }

  /** Returns the number of handles of an object. */
  int handles(long address) {
    return openCounts.getOrDefault(address, 0);
  }

  /**
   * Removes a handle from an object.
   *
   * @param address the address of the object's header, bytes from the file's base address
   * @return whether it was the last handle
   */
  public boolean release(long address) {
    return openCounts.computeIfPresent(address, (key, n) -> n == 1 ? null : n - 1) == null;
  }

  /**
   * Writes the pending changes of an open dataset and forgets it.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void closeDataset(long address) {
    NativeDataset dataset = openDatasets.get(address);
    if (dataset != null && !isOpen(address)) {
      dataset.close();
      forgetDataset(address);
    }
  }

  /** Discards clean cached blocks, so that they are read from the file again. */
  public void refresh() {
    file.refresh();
  }

  /** {@return the options with which the file was created, as far as the file records them} */
  public CreateOptions creationOptions() {
    return new CreateOptions(
        false,
        file.baseAddress(),
        file.geometry().sizeOfOffsets(),
        file.geometry().sizeOfLengths(),
        settings.groupLeafK(),
        settings.groupInternalK(),
        settings.chunkInternalK(),
        groups.options(root()),
        settings.space(),
        file.options());
  }

  /** Forgets the open dataset at an address, which has no pending changes. */
  void forgetDataset(long address) {
    NativeDataset dataset = openDatasets.remove(address);
    if (dataset != null) {
      file.removeParticipant(dataset);
    }
  }

  /**
   * Records that an open object has no link. Its header keeps a reference count of 1, which needs
   * no message: the file holds such an object only while it is open here, and if the process ends
   * before the object is linked or deleted, no more than its space is lost.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void addOrphan(long address) {
    orphans.add(address);
  }

  /**
   * {@return whether an open object has no link}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public boolean isOrphan(long address) {
    return !orphans.isEmpty() && orphans.contains(address);
  }

  void removeOrphan(long address) {
    orphans.remove(address);
  }

  /**
   * {@return the number of links to an object and of its uses as a committed type, 0 for an orphan}
   *
   * @param header the object's header
   */
  public long linkCount(ObjectHeader header) {
    return isOrphan(header.address()) ? 0 : header.referenceCount();
  }

  /**
   * Adds one link to an object, or one use of a committed type; the object is no orphan then. Under
   * the file's write lock.
   *
   * @param header the object's header
   */
  public void addReference(ObjectHeader header) {
    header.setReferenceCount(Math.addExact(linkCount(header), 1));
    orphans.remove(header.address());
  }

  /**
   * {@return whether a handle is open on an object}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public boolean isOpen(long address) {
    return openCounts.containsKey(address);
  }
}
