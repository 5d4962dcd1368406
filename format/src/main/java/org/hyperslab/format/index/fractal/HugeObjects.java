package org.hyperslab.format.index.fractal;

import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.index.btree.BTreeParameters;
import org.hyperslab.format.index.btree.BTreeV2;
import org.hyperslab.format.index.btree.RecordBytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * Objects too large for blocks: each has file space of its own and is listed in a B-tree. Ids
 * identify them by address and length or, if ids are too short for that, by a key into the tree.
 *
 * <pre>
 *   id: 0x10 | address O | stored length L | [filtered: mask u32 | length L]
 *   or: 0x10 | key
 * </pre>
 *
 * <p>Thread rule: as {@link FractalHeap}.
 */
final class HugeObjects {

  static final int ID_TYPE = 0x10;

  private final MetadataSpace space;
  private final HeapHeader header;
  private final HeapLayout layout;
  private final HeapFilter filter;
  private final HugeRecord.Codec codec;

  HugeObjects(MetadataSpace space, HeapHeader header, HeapFilter filter) {
    this.space = space;
    this.header = header;
    this.layout = header.layout;
    this.filter = filter;
    this.codec = new HugeRecord.Codec(layout.geometry(), layout.hugeDirect(), layout.filtered());
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(
        layout.geometry().file(), HugeObject.STRUCTURE, layout.headerAddress(), problem);
  }

  private BTreeV2<HugeRecord> tree() {
    if (header.hugeTreeAddress == FileGeometry.UNDEFINED) {
      throw corrupt("id of a huge object in a heap that has none");
    }
    return BTreeV2.open(space, header.hugeTreeAddress, codec);
  }

  /** Returns the record of the object that an id identifies. */
  HugeRecord record(byte[] ids, int at) {
    if (!layout.hugeDirect()) {
      long key = RecordBytes.unsigned(ids, at + 1, layout.hugeKeyBytes());
      Optional<HugeRecord> found = tree().find(codec.key(key));
      return found.orElseThrow(() -> corrupt("no huge object of key " + key));
    }
    FileGeometry geometry = layout.geometry();
    long address = RecordBytes.unsigned(ids, at + 1, geometry.sizeOfOffsets());
    int next = at + 1 + geometry.sizeOfOffsets();
    long stored = RecordBytes.unsigned(ids, next, geometry.sizeOfLengths());
    next += geometry.sizeOfLengths();
    if (!layout.filtered()) {
      return new HugeRecord(address, stored, 0, stored, 0);
    }
    int mask = RecordBytes.int32(ids, next);
    long bytes = RecordBytes.unsigned(ids, next + 4, geometry.sizeOfLengths());
    return new HugeRecord(address, stored, mask, bytes, 0);
  }

  HeapObject find(byte[] ids, int at) {
    HugeRecord record = record(ids, at);
    byte[] stored = load(record).bytes();
    if (layout.filtered() && record.filterMask() != ManagedBlocks.UNFILTERED) {
      stored = filter.decode(layout.pipeline(), record.filterMask(), stored, length(record));
    }
    if (stored.length != record.bytes()) {
      throw corrupt("length actual=" + stored.length + ", expected=" + record.bytes());
    }
    return new HeapObject(stored, 0, stored.length);
  }

  private int length(HugeRecord record) {
    if (record.bytes() < 0 || record.bytes() > Integer.MAX_VALUE - 16) {
      throw corrupt("length actual=" + record.bytes() + ", expected=below 2^31");
    }
    return (int) record.bytes();
  }

  private HugeObject load(HugeRecord record) {
    if (record.storedBytes() < 1 || record.storedBytes() > Integer.MAX_VALUE - 16) {
      throw corrupt("stored length actual=" + record.storedBytes() + ", expected=1..2^31");
    }
    HugeObject object =
        space.load(
            record.address(),
            record.storedBytes(),
            HugeObject.STRUCTURE,
            HugeObject.class,
            reader -> new HugeObject(reader.bytes(reader.remaining())));
    if (object.bytes().length != record.storedBytes()) {
      throw corrupt("two lengths for the object at " + record.address());
    }
    return object;
  }

  /** Returns the size of the tree that lists them, in bytes; 0 if there is none. */
  long treeBytes() {
    return header.hugeTreeAddress == FileGeometry.UNDEFINED ? 0 : tree().metadataBytes();
  }

  byte[] insert(byte[] object) {
    long key = layout.hugeDirect() ? 0 : newKey();
    if (header.hugeTreeAddress == FileGeometry.UNDEFINED) {
      header.hugeTreeAddress = BTreeV2.create(space, codec, BTreeParameters.SMALL).address();
    }
    long address = space.allocate(SpaceKind.HEAP, object.length);
    space.insert(address, new HugeObject(object.clone()));
    int mask = layout.filtered() ? ManagedBlocks.UNFILTERED : 0;
    HugeRecord record = new HugeRecord(address, object.length, mask, object.length, key);
    if (!tree().insert(record)) {
      throw corrupt("the tree lists an object at " + address + " already, in space that was free");
    }
    header.hugeObjects++;
    header.hugeBytes += object.length;
    space.markDirty(layout.headerAddress(), header);
    return id(record);
  }

  private long newKey() {
    int bits = 8 * Math.min(layout.hugeKeyBytes(), layout.geometry().sizeOfLengths());
    long largest = bits == 64 ? -1L : (1L << bits) - 1;
    if (header.hugeIdsWrapped || header.nextHugeId == largest) {
      throw new UnsupportedFeatureException(
          "fractal heap: actual=all keys of huge objects used once, expected=fewer than 2^"
              + bits
              + " insertions, at="
              + layout.geometry().file()
              + "@"
              + layout.headerAddress()
              + "; copy the object to renew its heap");
    }
    return ++header.nextHugeId;
  }

  private byte[] id(HugeRecord record) {
    byte[] id = new byte[layout.idBytes()];
    id[0] = ID_TYPE;
    if (!layout.hugeDirect()) {
      RecordBytes.putUnsigned(id, 1, record.key(), layout.hugeKeyBytes());
      return id;
    }
    FileGeometry geometry = layout.geometry();
    RecordBytes.putUnsigned(id, 1, record.address(), geometry.sizeOfOffsets());
    int next = 1 + geometry.sizeOfOffsets();
    RecordBytes.putUnsigned(id, next, record.storedBytes(), geometry.sizeOfLengths());
    next += geometry.sizeOfLengths();
    if (layout.filtered()) {
      RecordBytes.putInt32(id, next, record.filterMask());
      RecordBytes.putUnsigned(id, next + 4, record.bytes(), geometry.sizeOfLengths());
    }
    return id;
  }

  /** Overwrites an object that is stored unfiltered by one of the same length. */
  void replace(byte[] id, byte[] object) {
    HugeRecord record = record(id, 0);
    if (layout.filtered() && record.filterMask() != ManagedBlocks.UNFILTERED) {
      throw new UnsupportedFeatureException(
          "fractal heap: actual=replacing a filtered huge object, expected=removal and insertion,"
              + " at="
              + layout.geometry().file());
    }
    HugeObject stored = load(record);
    System.arraycopy(object, 0, stored.bytes(), 0, object.length);
    space.markDirty(record.address(), stored);
  }

  void remove(byte[] id) {
    HugeRecord named = record(id, 0);
    Optional<HugeRecord> removed =
        tree()
            .remove(
                layout.hugeDirect()
                    ? codec.address(named.address(), named.storedBytes())
                    : codec.key(named.key()));
    if (removed.isEmpty()) {
      throw corrupt("the tree does not list the object at " + named.address());
    }
    release(removed.get());
    header.hugeObjects--;
    header.hugeBytes -= removed.get().bytes();
    if (tree().size() == 0) {
      tree().delete();
      header.hugeTreeAddress = FileGeometry.UNDEFINED;
      header.hugeObjects = 0;
      header.hugeBytes = 0;
      header.nextHugeId = 0;
      header.hugeIdsWrapped = false;
    }
    space.markDirty(layout.headerAddress(), header);
  }

  private void release(HugeRecord record) {
    load(record);
    space.discard(record.address());
    space.free(SpaceKind.HEAP, record.address(), record.storedBytes());
  }

  void releaseAll() {
    if (header.hugeTreeAddress != FileGeometry.UNDEFINED) {
      tree().delete(this::release);
      header.hugeTreeAddress = FileGeometry.UNDEFINED;
    }
  }
}
