package org.hyperslab.format.index.dense;

import java.util.Arrays;
import java.util.Optional;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.index.btree.BTreeParameters;
import org.hyperslab.format.index.btree.BTreeV2;
import org.hyperslab.format.index.btree.RecordKey;
import org.hyperslab.format.index.fractal.FractalHeap;
import org.hyperslab.format.index.fractal.HeapFilter;
import org.hyperslab.format.index.fractal.HeapObject;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.Lookup3;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The links of one group, or the attributes of one object, in dense storage. Messages are passed as
 * encoded bytes, of which only the name and the creation order are decoded here.
 *
 * <p>The name index is ordered by the unsigned lookup3 hash of the names' UTF-8 bytes, and by the
 * bytes themselves for equal hashes. An instance is a view without state of its own.
 *
 * <p>Thread rule: finding and visiting in any number of threads; edits under the file's write lock,
 * and not from a visitor of the same storage.
 */
public final class DenseStorage {

  private final MetadataSpace space;
  private final DenseMessages messages;
  private final DenseAddresses addresses;
  private final FractalHeap heap;
  private final BTreeV2<DenseRecord> names;
  private final Optional<FractalHeap> sharedHeap;

  private DenseStorage(
      MetadataSpace space,
      DenseMessages messages,
      DenseAddresses addresses,
      FractalHeap heap,
      Optional<FractalHeap> sharedHeap) {
    this.space = space;
    this.messages = messages;
    this.addresses = addresses;
    this.heap = heap;
    this.sharedHeap = sharedHeap;
    this.names = BTreeV2.open(space, addresses.nameIndex(), messages.nameCodec());
    if (heap.idBytes() != messages.idBytes()) {
      throw new CorruptFileException(
          space.geometry().file(),
          "fractal heap header",
          addresses.heap(),
          "heap id length actual=" + heap.idBytes() + ", expected=" + messages.idBytes());
    }
  }

  // Creating and opening

  /**
   * Creates empty storage for links.
   *
   * @param space the metadata of the file
   * @param indexCreationOrder whether there is an index by creation order
   * @return the storage
   */
  public static DenseStorage createLinks(MetadataSpace space, boolean indexCreationOrder) {
    return create(space, DenseMessages.LINKS, indexCreationOrder, Optional.empty());
  }

  /**
   * Creates empty storage for attributes.
   *
   * @param space the metadata of the file
   * @param indexCreationOrder whether there is an index by creation order
   * @param sharedHeap the file's heap of shared attribute messages, if it has one
   * @return the storage
   */
  public static DenseStorage createAttributes(
      MetadataSpace space, boolean indexCreationOrder, Optional<FractalHeap> sharedHeap) {
    return create(space, DenseMessages.ATTRIBUTES, indexCreationOrder, sharedHeap);
  }

  private static DenseStorage create(
      MetadataSpace space,
      DenseMessages messages,
      boolean indexCreationOrder,
      Optional<FractalHeap> sharedHeap) {
    FractalHeap heap = FractalHeap.create(space, messages.heapParameters());
    long nameIndex = BTreeV2.create(space, messages.nameCodec(), BTreeParameters.SMALL).address();
    long orderIndex =
        indexCreationOrder
            ? BTreeV2.create(space, messages.orderCodec(), BTreeParameters.SMALL).address()
            : FileGeometry.UNDEFINED;
    DenseAddresses addresses = new DenseAddresses(heap.address(), nameIndex, orderIndex);
    return new DenseStorage(space, messages, addresses, heap, sharedHeap);
  }

  /**
   * Opens storage of links; {@code filter} decodes the blocks of a filtered heap.
   *
   * @param space the metadata of the file
   * @param addresses the addresses of heap and indexes
   * @param filter the filters of the heap
   * @return the storage
   */
  public static DenseStorage openLinks(
      MetadataSpace space, DenseAddresses addresses, HeapFilter filter) {
    FractalHeap heap = FractalHeap.open(space, addresses.heap(), filter);
    return new DenseStorage(space, DenseMessages.LINKS, addresses, heap, Optional.empty());
  }

  /**
   * Opens storage of attributes; {@code sharedHeap} holds the shared messages.
   *
   * @param space the metadata of the file
   * @param addresses the addresses of heap and indexes
   * @param sharedHeap the heap of shared attribute messages, if there is one
   * @return the storage
   */
  public static DenseStorage openAttributes(
      MetadataSpace space, DenseAddresses addresses, Optional<FractalHeap> sharedHeap) {
    FractalHeap heap = FractalHeap.open(space, addresses.heap());
    return new DenseStorage(space, DenseMessages.ATTRIBUTES, addresses, heap, sharedHeap);
  }

  /** {@return the addresses of the storage} */
  public DenseAddresses addresses() {
    return addresses;
  }

  /** {@return the number of entries} */
  public long size() {
    return names.size();
  }

  /** {@return the size of both indexes in the file, in bytes} */
  public long indexBytes() {
    return names.metadataBytes() + orders().map(BTreeV2::metadataBytes).orElse(0L);
  }

  /** {@return the size of the heap in the file, in bytes; shared messages are not included} */
  public long heapBytes() {
    return heap.storageBytes();
  }

  /**
   * {@return whether the index of creation order contains every entry} The C library up to 1.10
   * omits renamed attributes from it; list and sort such storage instead.
   */
  public boolean orderIndexIsComplete() {
    return orders().map(orders -> orders.size() == names.size()).orElse(false);
  }

  private Optional<BTreeV2<DenseRecord>> orders() {
    return addresses.hasOrderIndex()
        ? Optional.of(BTreeV2.open(space, addresses.orderIndex(), messages.orderCodec()))
        : Optional.empty();
  }

  private String file() {
    return space.geometry().file();
  }

  // Finding

  private static byte[] utf8(String name) {
    return NameBytes.encode(name);
  }

  private static int hash(byte[] name) {
    return Lookup3.hash(name, 0, name.length, 0);
  }

  /** Returns the search key of a name in the name index; equal hashes are resolved by the heap. */
  private RecordKey key(byte[] name) {
    int hash = hash(name);
    DenseRecord.Codec codec = messages.nameCodec();
    return (records, at) -> {
      int order = Integer.compareUnsigned(hash, codec.hash(records, at));
      if (order != 0) {
        return order;
      }
      HeapObject message = message(records, at + codec.idAt(), codec.flags(records, at));
      DenseMessages.Name stored = messages.name(message, file());
      return Arrays.compareUnsigned(
          name, 0, name.length, stored.bytes(), stored.at(), stored.at() + stored.length());
    };
  }

  private HeapObject message(byte[] ids, int at, int flags) {
    if ((flags & DenseEntry.SHARED) == 0) {
      return heap.find(ids, at);
    }
    FractalHeap shared =
        sharedHeap.orElseThrow(() ->
            DenseMessages.corrupt(
                file(), "shared attribute in a file without a heap of shared messages"));
    return shared.find(ids, at);
  }

  private DenseEntry entry(DenseRecord record) {
    HeapObject message = message(record.heapId(), 0, record.flags());
    long order = record.order() >= 0 ? record.order() : messages.order(message, file());
    return new DenseEntry(order, record.flags(), record.heapId(), message.copy());
  }

  /**
   * {@return the entry of the given name}
   *
   * @param name the name of the link or attribute
   */
  public Optional<DenseEntry> find(String name) {
    return find(utf8(name));
  }

  /**
   * {@return the entry of a name given as the bytes in the file, without a terminator}
   *
   * @param name the name as it is stored
   */
  public Optional<DenseEntry> find(byte[] name) {
    return names.find(key(name)).map(this::entry);
  }

  /**
   * {@return the entry with a rank in creation order}
   *
   * @param rank the rank, counted from 0
   * @throws InvalidUseException if creation order is not indexed: list and sort instead
   */
  public DenseEntry byOrder(long rank) {
    return entry(requireOrders().get(rank));
  }

  private BTreeV2<DenseRecord> requireOrders() {
    return orders()
        .orElseThrow(() ->
            new InvalidUseException(
                "creation order: actual=not indexed, expected=an index, at="
                    + file()
                    + "@"
                    + addresses.nameIndex()
                    + "; list the entries and sort them"));
  }

  private RecordKey orderKey(long order) {
    DenseRecord.Codec codec = messages.orderCodec();
    return (records, at) -> Long.compare(order, codec.order(records, at));
  }

  // Visiting

  /**
   * Visits entries in the order of the name index, which is that of the hashes, from a rank on.
   *
   * @param fromRank the rank of the first entry, counted from 0
   * @param visitor called for each entry
   * @return whether the end was reached
   */
  public boolean forEach(long fromRank, DenseVisitor visitor) {
    return names.forEach(fromRank, record -> visitor.visit(entry(record)));
  }

  /**
   * Visits entries in ascending creation order, from a rank on.
   *
   * @param fromRank the rank of the first entry, counted from 0
   * @param visitor called for each entry
   * @return whether the end was reached
   * @throws InvalidUseException if creation order is not indexed
   */
  public boolean forEachByOrder(long fromRank, DenseVisitor visitor) {
    return requireOrders().forEach(fromRank, record -> visitor.visit(entry(record)));
  }

  /**
   * Visits entries in descending creation order, from a rank down to 0.
   *
   * @param fromRank the rank of the first entry, counted from 0
   * @param visitor called for each entry
   * @return whether rank 0 was visited
   * @throws InvalidUseException if creation order is not indexed
   */
  public boolean forEachByOrderDescending(long fromRank, DenseVisitor visitor) {
    return requireOrders().forEachDescending(fromRank, record -> visitor.visit(entry(record)));
  }

  /**
   * {@return all present entries, which can be sorted by name or creation order and read by
   * position}
   */
  public DenseListing list() {
    DenseListing.Builder builder = new DenseListing.Builder();
    names.forEach(
        0,
        record -> {
          HeapObject message = message(record.heapId(), 0, record.flags());
          DenseMessages.Name name = messages.name(message, file());
          byte[] bytes = Arrays.copyOfRange(name.bytes(), name.at(), name.at() + name.length());
          long order = record.order() >= 0 ? record.order() : messages.order(message, file());
          builder.add(bytes, order, record);
          return true;
        });
    return builder.build(this::entry);
  }

  // Editing

  /**
   * Adds an entry.
   *
   * @param name the name of the link or attribute
   * @param creationOrder the creation order for the index; for attributes also stored with the name
   * @param message the encoded message, which must contain the same name
   * @throws AlreadyExistsException if the name is in use
   */
  public void insert(String name, long creationOrder, byte[] message) {
    insert(name, creationOrder, 0, message);
  }

  /**
   * Adds an attribute with message flags, which must not include that of a shared message.
   *
   * @param name the name of the link or attribute
   * @param creationOrder the creation order
   * @param messageFlags the flags of the message
   * @param message the encoded message
   * @throws AlreadyExistsException if the name is in use
   */
  public void insert(String name, long creationOrder, int messageFlags, byte[] message) {
    byte[] utf8 = utf8(name);
    byte[] id = heap.insert(message);
    if (!index(utf8, new DenseRecord(id, hash(utf8), creationOrder, messageFlags))) {
      heap.remove(id);
      throw exists(name);
    }
  }

  /**
   * Adds an attribute whose message is in the heap of shared messages.
   *
   * @param name the name of the link or attribute
   * @param creationOrder the creation order
   * @param messageFlags the flags of the message
   * @param sharedId the id of the message in the heap of shared messages
   * @throws AlreadyExistsException if the name is in use
   */
  public void insertShared(String name, long creationOrder, int messageFlags, byte[] sharedId) {
    byte[] utf8 = utf8(name);
    int flags = messageFlags | DenseEntry.SHARED;
    if (!index(utf8, new DenseRecord(sharedId, hash(utf8), creationOrder, flags))) {
      throw exists(name);
    }
  }

  private boolean index(byte[] name, DenseRecord record) {
    if (!names.insert(record, key(name))) {
      return false;
    }
    orders()
        .ifPresent(orders -> {
          if (!orders.insert(record)) {
            throw DenseMessages.corrupt(file(), "two entries of creation order " + record.order());
          }
        });
    return true;
  }

  private AlreadyExistsException exists(String name) {
    return new AlreadyExistsException(
        "name: actual=exists, expected=none, at=" + file() + " " + name);
  }

  /**
   * Replaces the message of an entry by one with the same name and creation order; in place if the
   * length is the same. Shared entries become unshared; the caller releases the shared message.
   *
   * @param name the name of the link or attribute
   * @param message the encoded message
   * @return whether there was an entry of that name
   */
  public boolean replace(String name, byte[] message) {
    byte[] utf8 = utf8(name);
    Optional<DenseRecord> found = names.find(key(utf8));
    if (found.isEmpty()) {
      return false;
    }
    DenseRecord record = found.get();
    boolean shared = (record.flags() & DenseEntry.SHARED) != 0;
    if (!shared && heap.find(record.heapId(), 0).length() == message.length) {
      heap.replace(record.heapId(), message);
      return true;
    }
    HeapObject old = message(record.heapId(), 0, record.flags());
    long order = record.order() >= 0 ? record.order() : messages.order(old, file());
    byte[] id = heap.insert(message);
    DenseRecord moved =
        new DenseRecord(id, record.hash(), order, record.flags() & ~DenseEntry.SHARED);
    names.replace(key(utf8), moved);
    orders().ifPresent(orders -> orders.replace(orderKey(order), moved));
    if (!shared) {
      heap.remove(record.heapId());
    }
    return true;
  }

  /**
   * Removes an entry. If it is shared, the caller releases the shared message.
   *
   * @param name the name of the link or attribute
   * @return the entry, if there was one
   */
  public Optional<DenseEntry> remove(String name) {
    return remove(utf8(name));
  }

  /**
   * Removes an entry like {@link #remove(String)}, for a name given as the bytes in the file.
   *
   * @param name the name as it is stored
   * @return the entry that was removed; empty if there was none
   */
  public Optional<DenseEntry> remove(byte[] name) {
    Optional<DenseRecord> removed = names.remove(key(name));
    if (removed.isEmpty()) {
      return Optional.empty();
    }
    DenseEntry entry = entry(removed.get());
    orders().ifPresent(orders -> orders.remove(orderKey(entry.creationOrder())));
    if (!entry.shared()) {
      heap.remove(entry.heapId());
    }
    return Optional.of(entry);
  }

  /**
   * Deletes the storage and frees all space. It reads no messages: the caller has released what
   * they refer to, and shared messages may not exist any more.
   */
  public void delete() {
    names.delete();
    orders().ifPresent(BTreeV2::delete);
    heap.delete();
  }
}
