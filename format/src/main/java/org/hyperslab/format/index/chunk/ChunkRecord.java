package org.hyperslab.format.index.chunk;

import org.hyperslab.format.index.array.ChunkElementFormat;
import org.hyperslab.format.index.btree.RecordBytes;
import org.hyperslab.format.index.btree.RecordCodec;
import org.hyperslab.format.index.btree.RecordKey;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.io.FileGeometry;

/**
 * A chunk's record in a version 2 B-tree.
 *
 * <pre>
 *   type 10, without filters            type 11, with filters
 *   address        size of offsets      address        size of offsets
 *   scaled offset  8 per dimension      stored bytes   sizeFieldBytes
 *                                       filter mask    4
 *                                       scaled offset  8 per dimension
 * </pre>
 *
 * <p>Records are ordered by coordinates, slowest dimension first. Source: HDF5 File Format
 * Specification 3.0, section III.A.2, record types 10 and 11; H5Dbtree2.c.
 *
 * @param scaled the coordinates
 * @param location the place of the chunk
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares these records.
record ChunkRecord(long[] scaled, ChunkLocation location) {

  private static final int TYPE_PLAIN = 10;
  private static final int TYPE_FILTERED = 11;
  private static final int FILTER_MASK_BYTES = 4;

  /** The offsets of a record's fields in one file for one dataset. */
  record Layout(int rank, int addressBytes, ChunkElementFormat format) {

    static Layout of(FileGeometry geometry, ChunkGrid grid) {
      ChunkElementFormat format = ChunkElementFormat.forNew(geometry, grid);
      return new Layout(grid.rank(), geometry.sizeOfOffsets(), format);
    }

    int type() {
      return format.filtered() ? TYPE_FILTERED : TYPE_PLAIN;
    }

    int bytes() {
      return format.elementBytes() + 8 * rank;
    }

    ChunkLocation location(byte[] source, int at) {
      long address = RecordBytes.unsigned(source, at, addressBytes);
      if (addressBytes < 8 && address == (1L << (8 * addressBytes)) - 1) {
        address = FileGeometry.UNDEFINED;
      }
      if (!format.filtered()) {
        return new ChunkLocation(address, format.chunkBytes(), 0);
      }
      int sizeAt = at + addressBytes;
      int maskAt = sizeAt + format.sizeFieldBytes();
      return new ChunkLocation(
          address,
          RecordBytes.unsigned(source, sizeAt, format.sizeFieldBytes()),
          RecordBytes.int32(source, maskAt));
    }

    long[] scaled(byte[] source, int at) {
      long[] scaled = new long[rank];
      for (int d = 0; d < rank; d++) {
        scaled[d] = RecordBytes.int64(source, at + format.elementBytes() + 8 * d);
      }
      return scaled;
    }

    void encode(ChunkRecord record, byte[] target, int at) {
      ChunkLocation location = record.location();
      RecordBytes.putUnsigned(target, at, location.address(), addressBytes);
      if (format.filtered()) {
        int sizeAt = at + addressBytes;
        RecordBytes.putUnsigned(target, sizeAt, location.storedBytes(), format.sizeFieldBytes());
        int maskAt = at + format.elementBytes() - FILTER_MASK_BYTES;
        RecordBytes.putInt32(target, maskAt, location.filterMask());
      }
      for (int d = 0; d < rank; d++) {
        RecordBytes.putInt64(target, at + format.elementBytes() + 8 * d, record.scaled()[d]);
      }
    }

    /** Compares coordinates with a record. */
    int compare(long[] scaled, byte[] records, int at) {
      int from = at + format.elementBytes();
      for (int d = 0; d < rank; d++) {
        int order = Long.compareUnsigned(scaled[d], RecordBytes.int64(records, from + 8 * d));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }

    RecordKey key(long[] scaled) {
      return (records, at) -> compare(scaled, records, at);
    }
  }

  /** Decodes whole records. */
  record Codec(Layout layout) implements RecordCodec<ChunkRecord> {

    @Override
    public int type() {
      return layout.type();
    }

    @Override
    public int encodedSize() {
      return layout.bytes();
    }

    @Override
    public void encode(ChunkRecord record, byte[] target, int at) {
      layout.encode(record, target, at);
    }

    @Override
    public ChunkRecord decode(byte[] source, int at) {
      return new ChunkRecord(layout.scaled(source, at), layout.location(source, at));
    }

    @Override
    public int compare(ChunkRecord record, byte[] records, int at) {
      return layout.compare(record.scaled(), records, at);
    }
  }

  /** Decodes only the location of a chunk, for lookups; it cannot encode. */
  record LocationCodec(Layout layout) implements RecordCodec<ChunkLocation> {

    @Override
    public int type() {
      return layout.type();
    }

    @Override
    public int encodedSize() {
      return layout.bytes();
    }

    @Override
    public void encode(ChunkLocation record, byte[] target, int at) {
      throw new IllegalStateException("a location without coordinates is no record");
    }

    @Override
    public ChunkLocation decode(byte[] source, int at) {
      return layout.location(source, at);
    }

    @Override
    public int compare(ChunkLocation record, byte[] records, int at) {
      throw new IllegalStateException("a location without coordinates has no order");
    }
  }
}
