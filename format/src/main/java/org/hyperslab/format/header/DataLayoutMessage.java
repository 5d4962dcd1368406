package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The data layout message: the place where a dataset's elements are stored. Versions 1 to 5.
 *
 * <pre>
 *   versions 1 and 2                        versions 3 to 5
 *   1  version                              1  version
 *   1  number of sizes n                    1  class: 0 compact, 1 contiguous, 2 chunked, 3 virtual
 *   1  class: 0 to 2                           as the class says:
 *   5  reserved                             compact: 2 size, data
 *   O  address, unless compact              contiguous: O address, L size
 *   4n sizes; chunked: the last is the      chunked, version 3: 1 number of sizes n, O address,
 *      element's                               4n sizes, the last the element's
 *   4  size, data, if compact               chunked, versions 4 and 5: 1 flags, 1 number of sizes n,
 *                                              1 bytes per size w, w*n sizes, index, O address
 *                                           virtual: O global heap collection, 4 object index
 * </pre>
 *
 * <p>Version 5 differs from version 4 only in that the sizes of filtered chunks take eight bytes in
 * the index.
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.i; reference {@code H5Olayout.c}.
 *
 * @param version 1 to 5
 * @param layout the place of the elements
 */
public record DataLayoutMessage(int version, Layout layout) implements Message {

  private static final int COMPACT = 0;
  private static final int CONTIGUOUS = 1;
  private static final int CHUNKED = 2;
  private static final int VIRTUAL = 3;
  private static final int MAXIMUM_SIZES = 33;
  private static final int FLAG_PARTIAL_UNFILTERED = 1;
  private static final int FLAG_SINGLE_FILTERED = 2;
  private static final int LATEST = 5;

  /** The greatest index of an object in a global heap collection, which is stored in 2 bytes. */
  private static final int MAX_HEAP_OBJECTS = 0xFFFF;

  /** The place where elements are stored. */
  public sealed interface Layout {}

  /**
   * Elements stored in the message itself.
   *
   * @param data all elements, file form, in row-major order
   * @param oldSizes the sizes that versions 1 and 2 store besides; empty otherwise
   */
  public record Compact(Bytes data, List<Long> oldSizes) implements Layout {

    /** Copies the list. */
    public Compact {
      oldSizes = List.copyOf(oldSizes);
    }

    /**
     * Creates the compact layout of versions 3 to 5.
     *
     * @param data the raw data
     */
    public Compact(Bytes data) {
      this(data, List.of());
    }
  }

  /**
   * Elements stored in one contiguous block.
   *
   * @param address the address of the first element; {@link FileGeometry#UNDEFINED} if not
   *     allocated
   * @param sizeBytes the size in bytes; {@link FileGeometry#UNDEFINED} in versions 1 and 2, which
   *     do not store it
   * @param oldSizes the sizes that versions 1 and 2 store besides, cut to 32 bits; empty otherwise
   */
  public record Contiguous(long address, long sizeBytes, List<Long> oldSizes) implements Layout {

    /** Copies the list. */
    public Contiguous {
      oldSizes = List.copyOf(oldSizes);
    }

    /**
     * Creates the contiguous layout of versions 3 to 5.
     *
     * @param address the address, relative to the file's base address
     * @param sizeBytes the length in bytes
     */
    public Contiguous(long address, long sizeBytes) {
      this(address, sizeBytes, List.of());
    }
  }

  /**
   * Elements stored in chunks of equal size.
   *
   * @param index the type of the chunk index
   * @param indexAddress the address of the index, or for {@link ChunkIndexing.Single} and {@link
   *     ChunkIndexing.Implicit} of the chunks themselves; {@link FileGeometry#UNDEFINED} if there
   *     is none
   * @param sizes the chunk's extent in elements, slowest dimension first, each at least 1
   * @param elementSizeBytes the size of an element in bytes, file form
   * @param partialUnfiltered whether chunks that extend beyond the dataset's extent are not
   *     filtered
   * @param bytesPerSize the width of each size in bytes, in versions 4 and 5; 4 in earlier versions
   */
  public record Chunked(
      ChunkIndexing index,
      long indexAddress,
      List<Long> sizes,
      long elementSizeBytes,
      boolean partialUnfiltered,
      int bytesPerSize)
      implements Layout {

    /** Copies the list. */
    public Chunked {
      sizes = List.copyOf(sizes);
    }

    /**
     * Returns the layout that encodes each size in the fewest bytes that the version permits.
     *
     * @param version the version of the message
     * @param index the type of the chunk index
     * @param indexAddress the address of the index
     * @param sizes the chunk's extent in elements, slowest dimension first
     * @param elementSizeBytes the size of an element in bytes, file form
     * @return the layout
     */
    public static Chunked of(
        int version, ChunkIndexing index, long indexAddress, long[] sizes, long elementSizeBytes) {
      List<Long> list = new ArrayList<>();
      long greatest = elementSizeBytes;
      for (long size : sizes) {
        list.add(size);
        greatest = Math.max(greatest, size);
      }
      int bits = Long.SIZE - Long.numberOfLeadingZeros(greatest);
      int bytesPerSize = version < 4 ? 4 : Math.max(1, (bits + 7) / 8);
      return new Chunked(index, indexAddress, list, elementSizeBytes, false, bytesPerSize);
    }

    /** {@return the chunk's extent in elements, as a new array} */
    public long[] chunkSizes() {
      return sizes.stream().mapToLong(Long::longValue).toArray();
    }

    /**
     * {@return this layout with another index, for example after a single chunk was written, or
     * address}
     *
     * @param newIndex the new type of the chunk index
     * @param newAddress the new address of the index
     */
    public Chunked withIndex(ChunkIndexing newIndex, long newAddress) {
      return new Chunked(
          newIndex, newAddress, sizes, elementSizeBytes, partialUnfiltered, bytesPerSize);
    }

    /**
     * {@return this layout, with or without filters on chunks that extend beyond the dataset's
     * extent}
     *
     * @param unfiltered whether chunks at the edge are stored unfiltered
     */
    public Chunked withPartialUnfiltered(boolean unfiltered) {
      return new Chunked(index, indexAddress, sizes, elementSizeBytes, unfiltered, bytesPerSize);
    }
  }

  /**
   * Elements stored in other datasets, listed by a block in the global heap.
   *
   * @param heapAddress the address of the global heap collection; {@link FileGeometry#UNDEFINED} if
   *     there are no mappings
   * @param heapIndex the index of the block in the collection
   */
  public record Virtual(long heapAddress, long heapIndex) implements Layout {}

  @Override
  public int typeCode() {
    return MessageType.DATA_LAYOUT.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static DataLayoutMessage decode(MetadataReader reader) {
    int version = reader.u8();
    if (version < 1 || version > LATEST) {
      throw new UnsupportedFeatureException(
          "data layout message version: actual="
              + version
              + ", expected=1..5, at="
              + reader.geometry().file());
    }
    return new DataLayoutMessage(
        version, version < 3 ? decodeOld(reader) : decodeNew(reader, version));
  }

  private static Layout decodeOld(MetadataReader reader) {
    int count = count(reader, 1);
    int kind = reader.u8();
    reader.skip(5);
    if (kind > CHUNKED) {
      throw reader.corrupt("layout class actual=" + kind + ", expected=0..2");
    }
    long address = kind == COMPACT ? FileGeometry.UNDEFINED : reader.offset();
    List<Long> sizes = sizes(reader, count, 4);
    return switch (kind) {
      case COMPACT -> new Compact(data(reader, reader.u32()), sizes);
      case CONTIGUOUS -> new Contiguous(address, FileGeometry.UNDEFINED, sizes);
      default -> chunked(reader, new ChunkIndexing.BTreeV1(), address, sizes, 0, 4);
    };
  }

  private static Layout decodeNew(MetadataReader reader, int version) {
    int kind = reader.u8();
    return switch (kind) {
      case COMPACT -> new Compact(data(reader, reader.u16()));
      case CONTIGUOUS -> new Contiguous(reader.offset(), reader.length());
      case CHUNKED -> version == 3 ? decodeChunked3(reader) : decodeChunked4(reader);
      case VIRTUAL -> {
        if (version == 3) {
          throw reader.corrupt("layout class actual=3, expected=0..2 in version 3");
        }
        yield virtual(reader);
      }
      default -> throw reader.corrupt("layout class actual=" + kind + ", expected=0..3");
    };
  }

  private static Virtual virtual(MetadataReader reader) {
    long address = reader.offset();
    long index = reader.u32();
    if (address != FileGeometry.UNDEFINED && index > MAX_HEAP_OBJECTS) {
      throw reader.corrupt(
          "virtual mappings' heap object actual=" + index + ", expected<=" + MAX_HEAP_OBJECTS);
    }
    return new Virtual(address, index);
  }

  private static Chunked decodeChunked3(MetadataReader reader) {
    int count = count(reader, 2);
    long address = reader.offset();
    List<Long> sizes = sizes(reader, count, 4);
    return chunked(reader, new ChunkIndexing.BTreeV1(), address, sizes, 0, 4);
  }

  private static Chunked decodeChunked4(MetadataReader reader) {
    int flags = reader.u8();
    if ((flags & ~(FLAG_PARTIAL_UNFILTERED | FLAG_SINGLE_FILTERED)) != 0) {
      throw reader.corrupt("chunk flags actual=0x" + Integer.toHexString(flags));
    }
    int count = count(reader, 2);
    int width = reader.u8();
    if (width < 1 || width > 8) {
      throw reader.corrupt("bytes per chunk size actual=" + width + ", expected=1..8");
    }
    List<Long> sizes = sizes(reader, count, width);
    ChunkIndexing index = ChunkIndexing.decode(reader, (flags & FLAG_SINGLE_FILTERED) != 0);
    return chunked(reader, index, reader.offset(), sizes, flags, width);
  }

  private static Chunked chunked(
      MetadataReader reader,
      ChunkIndexing index,
      long address,
      List<Long> sizes,
      int flags,
      int width) {
    if (sizes.size() < 2) {
      throw reader.corrupt("chunk sizes actual=" + sizes.size() + ", expected=at least 2");
    }
    long bytes = 1;
    for (long size : sizes) {
      if (size < 1 || Math.multiplyHigh(bytes, size) != 0 || bytes * size < 0) {
        throw reader.corrupt("chunk sizes actual=" + sizes + ", expected=each at least 1");
      }
      bytes *= size;
    }
    int rank = sizes.size() - 1;
    return new Chunked(
        index,
        address,
        sizes.subList(0, rank),
        sizes.get(rank),
        (flags & FLAG_PARTIAL_UNFILTERED) != 0,
        width);
  }

  private static int count(MetadataReader reader, int least) {
    int count = reader.u8();
    if (count < least || count > MAXIMUM_SIZES) {
      throw reader.corrupt(
          "dimensionality actual=" + count + ", expected=" + least + ".." + MAXIMUM_SIZES);
    }
    return count;
  }

  private static List<Long> sizes(MetadataReader reader, int count, int width) {
    List<Long> sizes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sizes.add(reader.unsigned(width));
    }
    return sizes;
  }

  private static Bytes data(MetadataReader reader, long size) {
    if (size > reader.remaining()) {
      throw reader.corrupt(
          "compact data size actual=" + size + ", expected=at most " + reader.remaining());
    }
    return Bytes.read(reader, (int) size);
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(version);
    if (version < 3) {
      encodeOld(writer);
      return;
    }
    switch (layout) {
      case Compact compact -> {
        writer.u8(COMPACT).u16(compact.data.size());
        compact.data.writeTo(writer);
      }
      case Contiguous contiguous ->
          writer.u8(CONTIGUOUS).offset(contiguous.address).length(contiguous.sizeBytes);
      case Chunked chunked -> {
        writer.u8(CHUNKED);
        if (version == 3) {
          writer.u8(chunked.sizes.size() + 1).offset(chunked.indexAddress);
          encodeSizes(writer, chunked);
        } else {
          encodeChunked4(writer, chunked);
        }
      }
      case Virtual virtual -> writer.u8(VIRTUAL).offset(virtual.heapAddress).u32(virtual.heapIndex);
    }
  }

  private void encodeOld(MetadataWriter writer) {
    switch (layout) {
      case Compact compact -> {
        writer.u8(compact.oldSizes.size()).u8(COMPACT).zeros(5);
        compact.oldSizes.forEach(writer::u32);
        writer.u32(compact.data.size());
        compact.data.writeTo(writer);
      }
      case Contiguous contiguous -> {
        writer.u8(contiguous.oldSizes.size()).u8(CONTIGUOUS).zeros(5).offset(contiguous.address);
        contiguous.oldSizes.forEach(writer::u32);
      }
      case Chunked chunked -> {
        writer.u8(chunked.sizes.size() + 1).u8(CHUNKED).zeros(5).offset(chunked.indexAddress);
        encodeSizes(writer, chunked);
      }
      case Virtual _ ->
          throw new IllegalStateException("virtual layout in a message of version " + version);
    }
  }

  private static void encodeChunked4(MetadataWriter writer, Chunked chunked) {
    boolean singleFiltered =
        chunked.index instanceof ChunkIndexing.Single single
            && single.filteredSizeBytes().isPresent();
    writer
        .u8(
            (chunked.partialUnfiltered ? FLAG_PARTIAL_UNFILTERED : 0)
                | (singleFiltered ? FLAG_SINGLE_FILTERED : 0))
        .u8(chunked.sizes.size() + 1)
        .u8(chunked.bytesPerSize);
    encodeSizes(writer, chunked);
    chunked.index.encode(writer);
    writer.offset(chunked.indexAddress);
  }

  private static void encodeSizes(MetadataWriter writer, Chunked chunked) {
    for (long size : chunked.sizes) {
      writer.unsigned(size, chunked.bytesPerSize);
    }
    writer.unsigned(chunked.elementSizeBytes, chunked.bytesPerSize);
  }
}
