package org.hyperslab.format.index.fractal;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * The header block of a fractal heap: its parameters, statistics and root.
 *
 * <pre>
 *   "FRHP" | version 0 | id length u16 | filter message length u16 | flags | largest managed u32
 *   next huge id L | huge B-tree O | free in managed blocks L | free-space manager O
 *   managed: space L | allocated L | iterator L | objects L | huge: bytes L | objects L
 *   tiny: bytes L | objects L | width u16 | start block L | largest direct block L | index bits u16
 *   starting root rows u16 | root O | root rows u16
 *   [ filtered root: size L | filter mask u32 | filter message ] | checksum
 * </pre>
 *
 * <p>Invariants: the root is a direct block if the root rows are 0 and the address is defined; the
 * free bytes are those of all direct blocks that the table covers, allocated or not, minus the
 * bytes of objects; the iterator is the heap offset of the next block to allocate, and 0 unless the
 * root is an indirect block.
 */
final class HeapHeader implements MetadataBlock {

  static final String STRUCTURE = "fractal heap header";
  private static final String SIGNATURE = "FRHP";
  private static final int VERSION = 0;
  private static final int FLAG_HUGE_IDS_WRAPPED = 1;
  private static final int FLAG_CHECKSUM = 2;

  /**
   * The C library's limit (H5HF_MAX_ID_LEN): the longest tiny object, its length, and the flags.
   */
  private static final int MAXIMUM_ID_BYTES = 4096 + 2;

  /** The number of bytes to read before the length of the filter message is known. */
  static final int PREFIX_BYTES = 9;

  final HeapLayout layout;
  final HeapParameters parameters;

  boolean hugeIdsWrapped;
  long nextHugeId;
  long hugeTreeAddress = FileGeometry.UNDEFINED;
  long freeBytes;
  long freeSpaceAddress = FileGeometry.UNDEFINED;
  long managedSpan;
  long managedAllocated;
  long iterator;
  long managedObjects;
  long hugeBytes;
  long hugeObjects;
  long tinyBytes;
  long tinyObjects;
  long rootAddress = FileGeometry.UNDEFINED;
  int rootRows;
  long filteredRootBytes;
  int filteredRootMask;

  /** The known free space; null until an edit needs it. Not encoded in this form. */
  HeapFreeSpace freeSpace;

  HeapHeader(HeapLayout layout, HeapParameters parameters) {
    this.layout = layout;
    this.parameters = parameters;
  }

  static HeapHeader create(FileGeometry geometry, long address, HeapParameters parameters) {
    int offsetBytes = HeapLayout.offsetBytes(parameters.maximumIndexBits());
    int overhead = HeapLayout.overhead(geometry, offsetBytes, parameters.checksumDirectBlocks());
    DoublingTable table =
        new DoublingTable(
            parameters.tableWidth(),
            parameters.startBlockBytes(),
            parameters.maximumDirectBytes(),
            parameters.maximumIndexBits(),
            overhead);
    int lengthBytes =
        HeapLayout.lengthBytes(parameters.maximumDirectBytes(), parameters.maximumManagedBytes());
    int idBytes = parameters.idBytes() == 0 ? 1 + offsetBytes + lengthBytes : parameters.idBytes();
    HeapLayout layout =
        new HeapLayout(
            geometry,
            address,
            table,
            idBytes,
            offsetBytes,
            lengthBytes,
            parameters.maximumManagedBytes(),
            parameters.checksumDirectBlocks(),
            new byte[0]);
    return new HeapHeader(layout, parameters);
  }

  static int encodedBytes(FileGeometry geometry, int pipelineBytes) {
    int plain = 4 + 1 + 2 + 2 + 1 + 4 + 2 + 2 + 2 + 2 + 4;
    plain += 12 * geometry.sizeOfLengths() + 3 * geometry.sizeOfOffsets();
    return pipelineBytes == 0 ? plain : plain + geometry.sizeOfLengths() + 4 + pipelineBytes;
  }

  static HeapHeader decode(MetadataReader reader, long address) {
    reader.signature(SIGNATURE);
    reader.expectU8("version", VERSION);
    int idBytes = reader.u16();
    int pipelineBytes = reader.u16();
    int flags = reader.u8();
    long maximumManaged = reader.u32();
    int statistics = reader.position();
    FileGeometry geometry = reader.geometry();
    reader.skip(10 * geometry.sizeOfLengths() + 2 * geometry.sizeOfOffsets());
    HeapParameters parameters =
        decodeParameters(reader, (flags & FLAG_CHECKSUM) != 0, maximumManaged, idBytes);
    long rootAddress = reader.offset();
    int rootRows = reader.u16();
    long filteredBytes = pipelineBytes == 0 ? 0 : reader.length();
    int filterMask = pipelineBytes == 0 ? 0 : reader.i32();
    byte[] pipeline = reader.bytes(pipelineBytes);
    reader.checksum();
    HeapHeader header = new HeapHeader(layout(reader, address, parameters, pipeline), parameters);
    header.hugeIdsWrapped = (flags & FLAG_HUGE_IDS_WRAPPED) != 0;
    header.rootAddress = rootAddress;
    header.rootRows = rootRows;
    header.filteredRootBytes = filteredBytes;
    header.filteredRootMask = filterMask;
    reader.position(statistics);
    header.decodeStatistics(reader);
    return header;
  }

  private static HeapParameters decodeParameters(
      MetadataReader reader, boolean checksummed, long maximumManaged, int idBytes) {
    int width = reader.u16();
    long start = reader.length();
    long largest = reader.length();
    int bits = reader.u16();
    int startRows = reader.u16();
    int overhead =
        HeapLayout.overhead(reader.geometry(), HeapLayout.offsetBytes(bits), checksummed);
    String problem = DoublingTable.problem(width, start, largest, bits, overhead);
    if (problem != null) {
      throw reader.corrupt(problem);
    }
    if (maximumManaged > largest) {
      throw reader.corrupt(
          "largest managed object actual=" + maximumManaged + ", expected=at most " + largest);
    }
    return new HeapParameters(
        width,
        (int) start,
        (int) largest,
        bits,
        startRows,
        (int) maximumManaged,
        checksummed,
        idBytes);
  }

  private static HeapLayout layout(
      MetadataReader reader, long address, HeapParameters parameters, byte[] pipeline) {
    int offsetBytes = HeapLayout.offsetBytes(parameters.maximumIndexBits());
    int lengthBytes =
        HeapLayout.lengthBytes(parameters.maximumDirectBytes(), parameters.maximumManagedBytes());
    int idBytes = parameters.idBytes();
    if (idBytes < 1 + offsetBytes + lengthBytes || idBytes > MAXIMUM_ID_BYTES) {
      throw reader.corrupt(
          "heap id length actual="
              + idBytes
              + ", expected="
              + (1 + offsetBytes + lengthBytes)
              + ".."
              + MAXIMUM_ID_BYTES);
    }
    FileGeometry geometry = reader.geometry();
    boolean checksummed = parameters.checksumDirectBlocks();
    DoublingTable table =
        new DoublingTable(
            parameters.tableWidth(),
            parameters.startBlockBytes(),
            parameters.maximumDirectBytes(),
            parameters.maximumIndexBits(),
            HeapLayout.overhead(geometry, offsetBytes, checksummed));
    return new HeapLayout(
        geometry,
        address,
        table,
        idBytes,
        offsetBytes,
        lengthBytes,
        parameters.maximumManagedBytes(),
        checksummed,
        pipeline);
  }

  private void decodeStatistics(MetadataReader reader) {
    nextHugeId = reader.length();
    hugeTreeAddress = reader.offset();
    freeBytes = reader.length();
    freeSpaceAddress = reader.offset();
    managedSpan = reader.length();
    managedAllocated = reader.length();
    iterator = reader.length();
    managedObjects = reader.length();
    hugeBytes = reader.length();
    hugeObjects = reader.length();
    tinyBytes = reader.length();
    tinyObjects = reader.length();
    if (rootRows > layout.table().maximumRows()) {
      throw reader.corrupt(
          "rows of the root actual="
              + rootRows
              + ", expected=at most "
              + layout.table().maximumRows());
    }
    if (iterator < 0 || managedObjects < 0 || freeBytes < 0 || managedSpan < 0) {
      throw reader.corrupt(
          "statistics actual=iterator "
              + iterator
              + ", objects "
              + managedObjects
              + ", free "
              + freeBytes
              + ", span "
              + managedSpan
              + ", expected=no negative number");
    }
  }

  @Override
  public long encodedSize() {
    return encodedBytes(layout.geometry(), layout.pipeline().length);
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature(SIGNATURE).u8(VERSION).u16(layout.idBytes()).u16(layout.pipeline().length);
    writer.u8(
        (hugeIdsWrapped ? FLAG_HUGE_IDS_WRAPPED : 0) | (layout.checksummed() ? FLAG_CHECKSUM : 0));
    writer.u32(layout.maximumManagedBytes());
    writer.length(nextHugeId).offset(hugeTreeAddress).length(freeBytes).offset(freeSpaceAddress);
    writer.length(managedSpan).length(managedAllocated).length(iterator).length(managedObjects);
    writer.length(hugeBytes).length(hugeObjects).length(tinyBytes).length(tinyObjects);
    writer.u16(parameters.tableWidth()).length(parameters.startBlockBytes());
    writer.length(parameters.maximumDirectBytes()).u16(parameters.maximumIndexBits());
    writer.u16(parameters.startRootRows()).offset(rootAddress).u16(rootRows);
    if (layout.filtered()) {
      writer.length(filteredRootBytes).u32(filteredRootMask).bytes(layout.pipeline());
    }
    writer.checksumFrom(start);
  }
}
