package org.hyperslab.format.index.shared;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.index.btree.BTreeParameters;
import org.hyperslab.format.index.btree.BTreeV2;
import org.hyperslab.format.index.btree.RecordBytes;
import org.hyperslab.format.index.btree.RecordKey;
import org.hyperslab.format.index.fractal.FractalHeap;
import org.hyperslab.format.index.fractal.HeapObject;
import org.hyperslab.format.index.fractal.HeapParameters;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.Lookup3;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * The shared messages of a file: finds them by heap id, shares encoded messages, and releases them.
 * Indexes are lists that become B-trees as they grow, and lists again as they shrink.
 *
 * <p>A message that only one object header uses may be indexed although it is stored in that
 * header. When an equal message is shared, it is copied to the heap with a reference count of two,
 * and the first header keeps its own copy.
 *
 * <p>Thread rule: {@link #heap} and {@link #get} in any number of threads; everything else under
 * the file's write lock. An instance is a view without state of its own.
 */
public final class SharedMessages {

  /** The type of the old fill value message, which is indexed like the new one. */
  private static final int FILL_OLD = 4;

  private static final int FILL = 5;

  private static final int MAXIMUM_PADDING = 7;

  private final MetadataSpace space;
  private final long address;
  private final int indexCount;
  private final HeaderMessages headers;
  private final SharedRecord.Codec codec;

  private SharedMessages(
      MetadataSpace space, long address, int indexCount, HeaderMessages headers) {
    this.space = space;
    this.address = address;
    this.indexCount = indexCount;
    this.headers = headers;
    this.codec = new SharedRecord.Codec(space.geometry());
  }

  /**
   * Creates a table of empty indexes, at most 8. No message type may be in two of them.
   *
   * @param space the metadata of the file
   * @param indexes the parameters of the indexes
   * @param headers reads messages in object headers
   * @return the table
   */
  static SharedMessages create(
      MetadataSpace space, List<SharedIndexParameters> indexes, HeaderMessages headers) {
    FileGeometry geometry = space.geometry();
    long address =
        space.allocate(SpaceKind.SUPERBLOCK, MasterTable.encodedBytes(geometry, indexes.size()));
    List<SharedIndex> entries = indexes.stream().map(SharedIndex::new).collect(Collectors.toList());
    space.insert(address, new MasterTable(geometry, entries));
    return new SharedMessages(space, address, indexes.size(), headers);
  }

  /**
   * Opens the table whose address is in the superblock extension.
   *
   * @param space the metadata of the file
   * @param address the address, relative to the file's base address
   * @param indexCount the number of its indexes, from the same message
   * @param headers reads messages in object headers
   * @return the table
   */
  public static SharedMessages open(
      MetadataSpace space, long address, int indexCount, HeaderMessages headers) {
    SharedMessages messages = new SharedMessages(space, address, indexCount, headers);
    messages.table();
    return messages;
  }

  /** {@return the address of the master table} */
  public long address() {
    return address;
  }

  /** {@return the parameters of the indexes} */
  List<SharedIndexParameters> parameters() {
    return table().indexes().stream().map(index -> index.parameters).toList();
  }

  private MasterTable table() {
    return space.load(
        address,
        MasterTable.encodedBytes(space.geometry(), indexCount),
        MasterTable.STRUCTURE,
        MasterTable.class,
        reader -> MasterTable.decode(reader, indexCount));
  }

  private void markTableDirty() {
    space.markDirty(address, table());
  }

  private Optional<SharedIndex> index(int messageType) {
    int type = messageType == FILL_OLD ? FILL : messageType;
    return table().indexes().stream().filter(index -> index.covers(type)).findFirst();
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(
        space.geometry().file(), MasterTable.STRUCTURE, address, problem);
  }

  // Reading

  /**
   * {@return the heap of shared messages of a type, if there is one}
   *
   * @param messageType the type code of the message
   */
  public Optional<FractalHeap> heap(int messageType) {
    return index(messageType)
        .filter(index -> index.heapAddress != FileGeometry.UNDEFINED)
        .map(this::heap);
  }

  private FractalHeap heap(SharedIndex index) {
    return FractalHeap.open(space, index.heapAddress);
  }

  /**
   * {@return the encoded message with a heap id}
   *
   * @param messageType the type code of the message
   * @param heapId the id of the message in its heap
   * @throws CorruptFileException if no heap holds messages of that type, or no message has that id
   */
  public byte[] get(int messageType, byte[] heapId) {
    return heap(messageType)
        .orElseThrow(() -> corrupt("no shared messages of type " + messageType))
        .get(heapId);
  }

  /** {@return the number of distinct messages that are indexed, in heaps or headers} */
  public long size() {
    return table().indexes().stream().mapToLong(this::size).sum();
  }

  private long size(SharedIndex index) {
    if (index.indexAddress == FileGeometry.UNDEFINED) {
      return 0;
    }
    return index.isTree ? tree(index).size() : list(index).records().size();
  }

  // Sizes

  /** {@return the size of the master table in bytes} */
  public long headerBytes() {
    return table().encodedSize();
  }

  /**
   * {@return the size of lists and B-trees in bytes; a list counts in full even if it is not
   * allocated yet}
   */
  public long indexBytes() {
    long bytes = 0;
    for (SharedIndex index : table().indexes()) {
      if (!index.isTree) {
        bytes += SharedList.encodedBytes(codec, index.parameters.listMaximum());
      } else if (index.indexAddress != FileGeometry.UNDEFINED) {
        bytes += tree(index).metadataBytes();
      }
    }
    return bytes;
  }

  /** {@return the size of the heaps in bytes} */
  public long heapBytes() {
    return table().indexes().stream()
        .filter(index -> index.heapAddress != FileGeometry.UNDEFINED)
        .mapToLong(index -> heap(index).storageBytes())
        .sum();
  }

  // Sharing

  /**
   * {@return whether a message of that type and encoded size is shared}
   *
   * @param messageType the type code of the message
   * @param encodedBytes the length of the encoded message in bytes
   */
  public boolean shares(int messageType, int encodedBytes) {
    return index(messageType)
        .filter(index -> encodedBytes >= index.parameters.minimumBytes())
        .isPresent();
  }

  /**
   * Shares a message: adds a user to an equal message, or puts this one into the heap.
   *
   * @param messageType the type code of the message
   * @param message the encoded message
   * @return its heap id; empty if messages of that type and size are not shared
   */
  public Optional<byte[]> share(int messageType, byte[] message) {
    if (!shares(messageType, message.length)) {
      return Optional.empty();
    }
    SharedIndex index = index(messageType).orElseThrow();
    createIfMissing(index);
    Sought sought = sought(index, messageType, message);
    Optional<SharedRecord> found = find(index, sought);
    byte[] heapId;
    if (found.isEmpty()) {
      heapId = heap(index).insert(message);
      add(index, new SharedRecord.InHeap(sought.hash, 1, heapId), sought);
    } else {
      SharedRecord.InHeap more = usedOnceMore(index, found.get(), message);
      heapId = more.heapId();
      replace(index, found.get(), more, sought);
    }
    return Optional.of(heapId);
  }

  private SharedRecord.InHeap usedOnceMore(SharedIndex index, SharedRecord record, byte[] message) {
    return switch (record) {
      case SharedRecord.InHeap heap ->
          new SharedRecord.InHeap(heap.hash(), heap.references() + 1, heap.heapId());
      case SharedRecord.InHeader header ->
          new SharedRecord.InHeap(header.hash(), 2, heap(index).insert(message));
    };
  }

  /**
   * Adds a user to a message in the heap, because its object header was copied within the file.
   *
   * @param messageType the type code of the message
   * @param heapId the id of the message in its heap
   */
  public void retain(int messageType, byte[] heapId) {
    share(messageType, get(messageType, heapId));
  }

  /**
   * Removes a user of a message in the heap, and removes the message after its last user.
   *
   * @param messageType the type code of the message
   * @param heapId the id of the message in its heap
   * @return the encoded message if it was removed; the caller then releases what it refers to
   */
  public Optional<byte[]> release(int messageType, byte[] heapId) {
    return release(messageType, get(messageType, heapId), Optional.of(heapId));
  }

  /**
   * Releases a message like {@link #release(int, byte[])}, if the message is indexed but stored in
   * the object header that loses it. Has no effect if it is not indexed as used by that header.
   *
   * @param messageType the type code of the message
   * @param message its bytes in the header, followed by up to seven zeros of padding
   * @param headerAddress the address of the header
   * @return the result of {@link #release(int, byte[])}
   */
  public Optional<byte[]> releaseInHeader(int messageType, byte[] message, long headerAddress) {
    Optional<SharedIndex> index =
        index(messageType).filter(each -> each.indexAddress != FileGeometry.UNDEFINED);
    if (index.isEmpty()) {
      return Optional.empty();
    }
    for (int length = message.length; length > 0; length--) {
      byte[] unpadded = Arrays.copyOf(message, length);
      Optional<SharedRecord> found = find(index.get(), sought(index.get(), messageType, unpadded));
      if (found.isPresent()) {
        boolean elsewhere =
            found.get() instanceof SharedRecord.InHeader other
                && other.headerAddress() != headerAddress;
        return elsewhere ? Optional.empty() : release(messageType, unpadded, Optional.empty());
      }
      if (message[length - 1] != 0 || message.length - length >= MAXIMUM_PADDING) {
        break;
      }
    }
    return Optional.empty();
  }

  private Optional<byte[]> release(int messageType, byte[] message, Optional<byte[]> heapId) {
    Optional<SharedIndex> covering = index(messageType);
    if (covering.isEmpty() || covering.get().indexAddress == FileGeometry.UNDEFINED) {
      return Optional.empty();
    }
    SharedIndex index = covering.get();
    Sought sought = sought(index, messageType, message);
    Optional<SharedRecord> found = find(index, sought);
    if (found.isEmpty()) {
      if (heapId.isPresent()) {
        throw corrupt("a shared message of type " + messageType + " is not indexed");
      }
      return Optional.empty();
    }
    if (found.get() instanceof SharedRecord.InHeap heap && heap.references() > 1) {
      replace(
          index,
          heap,
          new SharedRecord.InHeap(heap.hash(), heap.references() - 1, heap.heapId()),
          sought);
      return Optional.empty();
    }
    remove(index, found.get(), sought);
    if (found.get() instanceof SharedRecord.InHeap heap) {
      heap(index).remove(heap.heapId());
    }
    shrink(index);
    return Optional.of(message);
  }

  // Indexes

  /** The search key of a message: by hash, then by length and bytes. */
  private final class Sought implements RecordKey {

    private final FractalHeap heap;
    private final byte[] message;
    private final int hash;

    Sought(FractalHeap heap, byte[] message, int hash) {
      this.heap = heap;
      this.message = message;
      this.hash = hash;
    }

    @Override
    public int compareTo(byte[] records, int at) {
      int order = Integer.compareUnsigned(hash, RecordBytes.int32(records, at + 1));
      return order != 0 ? order : compareTo(codec.decode(records, at));
    }

    int compareTo(SharedRecord record) {
      int order = Integer.compareUnsigned(hash, record.hash());
      return order != 0
          ? order
          : switch (record) {
            case SharedRecord.InHeap stored -> compareBytes(heap.find(stored.heapId(), 0));
            case SharedRecord.InHeader stored -> compareInHeader(stored);
          };
    }

    private int compareBytes(HeapObject stored) {
      int order = Integer.compare(message.length, stored.length());
      int end = stored.at() + stored.length();
      return order != 0
          ? order
          : Arrays.compareUnsigned(message, 0, message.length, stored.bytes(), stored.at(), end);
    }

    /** Compares the message with one in a header, which may be padded there. */
    private int compareInHeader(SharedRecord.InHeader stored) {
      byte[] bytes = headers.encoded(stored.headerAddress(), stored.type(), stored.creationIndex());
      if (bytes.length < message.length) {
        return 1;
      }
      return bytes.length >= message.length + 8
          ? -1
          : Arrays.compareUnsigned(message, 0, message.length, bytes, 0, message.length);
    }
  }

  private Sought sought(SharedIndex index, int messageType, byte[] message) {
    int hash = Lookup3.hash(message, 0, message.length, messageType);
    return new Sought(heap(index), message, hash);
  }

  private BTreeV2<SharedRecord> tree(SharedIndex index) {
    return BTreeV2.open(space, index.indexAddress, codec);
  }

  private SharedList list(SharedIndex index) {
    int capacity = index.parameters.listMaximum();
    int count = index.messages;
    return space.load(
        index.indexAddress,
        SharedList.encodedBytes(codec, capacity),
        SharedList.STRUCTURE,
        SharedList.class,
        reader -> SharedList.decode(reader, codec, capacity, count));
  }

  private void createIfMissing(SharedIndex index) {
    if (index.indexAddress != FileGeometry.UNDEFINED) {
      return;
    }
    index.messages = 0;
    index.isTree = index.parameters.listMaximum() == 0;
    if (index.isTree) {
      index.indexAddress = BTreeV2.create(space, codec, BTreeParameters.SMALL).address();
    } else {
      createList(index);
    }
    if (index.heapAddress == FileGeometry.UNDEFINED) {
      index.heapAddress = FractalHeap.create(space, HeapParameters.ATTRIBUTES).address();
    }
    markTableDirty();
  }

  private SharedList createList(SharedIndex index) {
    int capacity = index.parameters.listMaximum();
    SharedList list = new SharedList(codec, capacity, new ArrayList<>());
    index.indexAddress = space.allocate(SpaceKind.INDEX, list.encodedSize());
    space.insert(index.indexAddress, list);
    return list;
  }

  private Optional<SharedRecord> find(SharedIndex index, Sought sought) {
    return index.isTree
        ? tree(index).find(sought)
        : list(index).records().stream()
            .filter(record -> sought.compareTo(record) == 0)
            .findFirst();
  }

  private void add(SharedIndex index, SharedRecord record, Sought sought) {
    if (!index.isTree && list(index).records().size() >= index.parameters.listMaximum()) {
      listToTree(index);
    }
    if (index.isTree) {
      tree(index).insert(record, sought);
      index.messages = (int) Math.min(0xFFFF, tree(index).size());
    } else {
      SharedList list = list(index);
      list.records().add(record);
      index.messages = list.records().size();
      space.markDirty(index.indexAddress, list);
    }
    markTableDirty();
  }

  private void replace(
      SharedIndex index, SharedRecord record, SharedRecord replacement, Sought sought) {
    if (index.isTree) {
      tree(index).replace(sought, replacement);
    } else {
      SharedList list = list(index);
      list.records().set(list.records().indexOf(record), replacement);
      space.markDirty(index.indexAddress, list);
    }
  }

  private void remove(SharedIndex index, SharedRecord record, Sought sought) {
    if (index.isTree) {
      tree(index).remove(sought);
      index.messages = (int) Math.min(0xFFFF, tree(index).size());
    } else {
      SharedList list = list(index);
      list.records().remove(record);
      index.messages = list.records().size();
      space.markDirty(index.indexAddress, list);
    }
    markTableDirty();
  }

  private void listToTree(SharedIndex index) {
    SharedList list = list(index);
    long listAddress = index.indexAddress;
    BTreeV2<SharedRecord> tree = BTreeV2.create(space, codec, BTreeParameters.SMALL);
    for (SharedRecord record : list.records()) {
      tree.insert(record, order(index, record));
    }
    space.discard(listAddress);
    space.free(SpaceKind.INDEX, listAddress, list.encodedSize());
    index.indexAddress = tree.address();
    index.isTree = true;
  }

  /** Returns the search key of an indexed record. */
  private RecordKey order(SharedIndex index, SharedRecord record) {
    byte[] message =
        switch (record) {
          case SharedRecord.InHeap stored -> heap(index).get(stored.heapId());
          case SharedRecord.InHeader stored ->
              headers.encoded(stored.headerAddress(), stored.type(), stored.creationIndex());
        };
    return new Sought(heap(index), message, record.hash());
  }

  /** Converts a B-tree that has become small to a list, and frees an empty index. */
  private void shrink(SharedIndex index) {
    if (size(index) == 0) {
      if (index.isTree) {
        tree(index).delete();
      } else {
        long bytes = list(index).encodedSize();
        space.discard(index.indexAddress);
        space.free(SpaceKind.INDEX, index.indexAddress, bytes);
      }
      heap(index).delete();
      index.indexAddress = FileGeometry.UNDEFINED;
      index.heapAddress = FileGeometry.UNDEFINED;
      index.messages = 0;
      markTableDirty();
    } else if (index.isTree
        && index.parameters.listMaximum() > 0
        && tree(index).size() < index.parameters.treeMinimum()
        && tree(index).size() <= index.parameters.listMaximum()) {
      treeToList(index);
    }
  }

  private void treeToList(SharedIndex index) {
    BTreeV2<SharedRecord> tree = tree(index);
    SharedList list = createList(index);
    tree.delete(record -> list.records().add(record));
    index.isTree = false;
    index.messages = list.records().size();
    markTableDirty();
  }
}
