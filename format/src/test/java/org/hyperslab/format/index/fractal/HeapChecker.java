package org.hyperslab.format.index.fractal;

import java.util.TreeMap;
import org.hyperslab.format.index.btree.RecordBytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;

/** Checks a whole heap's blocks and statistics against the specification. */
public final class HeapChecker {

  private long allocated;
  private int directBlocks;
  private final TreeMap<Long, Integer> blocksByOffset = new TreeMap<>();

  private HeapChecker() {}

  /** Asserts that blocks, iterator and free bytes of a heap agree with its objects. */
  public static void check(MetadataSpace space, long address, Iterable<byte[]> ids) {
    HeapHeader header =
        space.load(
            address,
            HeapHeader.encodedBytes(space.geometry(), 0),
            HeapHeader.STRUCTURE,
            HeapHeader.class,
            reader -> HeapHeader.decode(reader, address));
    HeapChecker checker = new HeapChecker();
    ManagedBlocks blocks = new ManagedBlocks(space, header, HeapFilter.NONE);
    DoublingTable table = header.layout.table();
    long free = 0;
    if (header.rootAddress != FileGeometry.UNDEFINED) {
      if (header.rootRows == 0) {
        checker.direct(0, (int) table.startBytes());
        free = table.freeInBlock(0);
        require(header.managedSpan == table.startBytes(), "span of a direct root");
      } else {
        checker.walk(blocks, blocks.root(), table);
        free = table.freeInRows(header.rootRows);
        require(header.managedSpan == table.span(header.rootRows), "span");
      }
    }
    require(checker.allocated == header.managedAllocated, "allocated bytes");
    checker.checkObjects(header, free, ids);
    if (header.rootRows > 0) {
      var last = checker.blocksByOffset.lastEntry();
      require(
          header.iterator == last.getKey() + last.getValue(),
          "iterator " + header.iterator + " not at the end of the last block");
    }
  }

  private void walk(ManagedBlocks blocks, IndirectBlock block, DoublingTable table) {
    int children = 0;
    for (int entry = 0; entry < block.entries(); entry++) {
      if (block.address(entry) == FileGeometry.UNDEFINED) {
        continue;
      }
      children++;
      int row = entry / table.width();
      long offset = block.heapOffset() + table.entryOffset(entry);
      if (row < table.directRows()) {
        ManagedBlocks.Slot slot = blocks.slot(offset);
        require(slot.heapOffset() == offset, "slot of a block");
        blocks.block(slot);
        direct(offset, slot.sizeBytes());
      } else {
        walk(blocks, blocks.child(block, entry), table);
      }
    }
    require(children == block.children() && children > 0, "children of an indirect block");
  }

  private void direct(long offset, int bytes) {
    allocated += bytes;
    directBlocks++;
    blocksByOffset.put(offset, bytes);
  }

  private void checkObjects(HeapHeader header, long allFree, Iterable<byte[]> ids) {
    HeapLayout layout = header.layout;
    TreeMap<Long, Integer> objects = new TreeMap<>();
    long used = 0;
    for (byte[] id : ids) {
      if ((id[0] & 0x30) == 0) {
        long offset = RecordBytes.unsigned(id, 1, layout.offsetBytes());
        int length = (int) RecordBytes.unsigned(id, 1 + layout.offsetBytes(), layout.lengthBytes());
        require(objects.put(offset, length) == null, "two objects at one place");
        used += length;
      }
    }
    long end = 0;
    for (var object : objects.entrySet()) {
      require(object.getKey() >= end, "objects overlap at " + object.getKey());
      end = object.getKey() + object.getValue();
      if (header.freeSpace != null) {
        require(
            !header.freeSpace.overlaps(object.getKey(), object.getValue()),
            "object in free space at " + object.getKey());
      }
    }
    require(header.managedObjects == objects.size(), "number of objects");
    require(
        header.freeBytes == allFree - used,
        "free bytes " + header.freeBytes + ", expected " + (allFree - used));
    require(objects.isEmpty() == (directBlocks == 0), "blocks without objects");
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }
}
