package org.hyperslab.format.superblock;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.store.ByteStore;

/**
 * Finds, decodes and encodes superblocks.
 *
 * <pre>
 *   versions 0 and 1                          versions 2 and 3
 *   8  signature \211 H D F \r \n \032 \n     8  signature
 *   1  superblock version                     1  superblock version
 *   1  free space version, 0                  1  size of offsets O
 *   1  root group version, 0                  1  size of lengths
 *   1  reserved                               1  consistency flags
 *   1  shared header version, 0               O  base address
 *   1  size of offsets O                      O  extension address
 *   1  size of lengths                        O  end of file address
 *   1  reserved                               O  root group header address
 *   2  group leaf K                           4  checksum
 *   2  group internal K
 *   4  consistency flags
 *   2  chunk internal K   (version 1)
 *   2  reserved           (version 1)
 *   O  base address
 *   O  free space address
 *   O  end of file address
 *   O  driver information block address
 *      root group symbol table entry
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, II.A; reference {@code H5Fsuper.c}, {@code
 * H5Fsuper_cache.c}, {@code H5FDint.c} (possible positions of the signature).
 *
 * <p>Thread rule: no state.
 */
public final class SuperblockCodec {

  /** The greatest size of a superblock in bytes. */
  public static final int MAXIMUM_BYTES = 28 + 4 * 8 + 2 * 8 + 24;

  private static final String STRUCTURE = "superblock";
  private static final byte[] SIGNATURE = {
    (byte) 0x89, 'H', 'D', 'F', '\r', '\n', (byte) 0x1A, '\n'
  };
  private static final byte[] HDF4_SIGNATURE = {0x0E, 0x03, 0x13, 0x01};
  private static final int LATEST_VERSION = 3;
  private static final int FIRST_USER_BLOCK = 512;

  private SuperblockCodec() {}

  /**
   * Returns the offset of the format signature: 0, 512, 1024, 2048 and further powers of two.
   *
   * @param store the store
   * @return the offset; empty if the store is not an HDF5 file
   */
  public static OptionalLong findSignature(ByteStore store) {
    long size = store.size();
    byte[] found = new byte[SIGNATURE.length];
    long at = 0;
    while (at >= 0 && at <= size - SIGNATURE.length) {
      store.read(at, MemorySegment.ofArray(found));
      if (Arrays.equals(found, SIGNATURE)) {
        return OptionalLong.of(at);
      }
      at = at == 0 ? FIRST_USER_BLOCK : at << 1;
    }
    return OptionalLong.empty();
  }

  /**
   * Finds and decodes the superblock of a store, and checks that the file is complete.
   *
   * @param store the store
   * @return the superblock
   * @throws CorruptFileException if there is no signature, a field is wrong, or the store is
   *     shorter than stated in the superblock
   * @throws UnsupportedFeatureException if a version or size is not supported
   */
  public static Superblock read(ByteStore store) {
    Superblock superblock = readUnchecked(store);
    if (Long.compareUnsigned(superblock.endOfFile(), store.size()) > 0) {
      throw new CorruptFileException(
          store.name(),
          STRUCTURE,
          superblock.baseAddress(),
          "truncated file: size actual="
              + store.size()
              + " bytes, expected=at least "
              + superblock.endOfFile()
              + "; restore the file from a complete copy");
    }
    return superblock;
  }

  /**
   * Finds and decodes the superblock like {@link #read}, even if the store is shorter than stated
   * in the superblock.
   *
   * @param store the store
   * @return the superblock
   */
  public static Superblock readUnchecked(ByteStore store) {
    OptionalLong at = findSignature(store);
    if (at.isEmpty()) {
      throw new CorruptFileException(
          store.name(),
          STRUCTURE,
          CorruptFileException.NO_OFFSET,
          "format signature actual=none in "
              + store.size()
              + " bytes, expected=at offset 0, 512, 1024, … ; this is not an HDF5 file"
              + otherFormat(store));
    }
    long offset = at.getAsLong();
    byte[] bytes = new byte[(int) Math.min(MAXIMUM_BYTES, store.size() - offset)];
    store.read(offset, MemorySegment.ofArray(bytes));
    return decode(store.name(), bytes, offset);
  }

  /** Returns what a file without a signature is, if it begins as one of a related format. */
  private static String otherFormat(ByteStore store) {
    byte[] first = new byte[4];
    if (store.size() < first.length) {
      return "";
    }
    store.read(0, MemorySegment.ofArray(first));
    if (first[0] == 'C' && first[1] == 'D' && first[2] == 'F' && first[3] >= 1 && first[3] <= 5) {
      return ", but one of classic netCDF: convert it, for example with hyperslab convert";
    }
    if (first[0] == (byte) 0x93 && first[1] == 'N' && first[2] == 'U' && first[3] == 'M') {
      return ", but one of NumPy: convert it, for example with hyperslab convert";
    }
    if (first[0] == 'P' && first[1] == 'K' && first[2] == 3 && first[3] == 4) {
      return ", but a zip archive, as .npz and .zarr.zip are: hyperslab convert converts these";
    }
    return Arrays.equals(first, HDF4_SIGNATURE) ? ", but one of HDF4: convert it with h4toh5" : "";
  }

  /**
   * Decodes a superblock.
   *
   * @param file the file's name
   * @param bytes the bytes from the signature on; may extend beyond the superblock
   * @param offset the absolute offset of {@code bytes[0]}, which becomes the base address, even if
   *     the file states another one because a user block was added or removed
   * @return the superblock
   */
  public static Superblock decode(String file, byte[] bytes, long offset) {
    MetadataReader reader =
        new MetadataReader(FileGeometry.standard(file), STRUCTURE, bytes, offset);
    if (!Arrays.equals(reader.bytes(SIGNATURE.length), SIGNATURE)) {
      throw new CorruptFileException(file, STRUCTURE, offset, "no format signature");
    }
    int version = reader.u8();
    if (version > LATEST_VERSION) {
      throw new UnsupportedFeatureException(
          "superblock version: actual=" + version + ", expected=0..3, at=" + file + "@" + offset);
    }
    return version < 2
        ? decodeLegacy(reader, version, bytes, offset)
        : decodeModern(reader, version, bytes, offset);
  }

  private static Superblock decodeLegacy(
      MetadataReader prefix, int version, byte[] bytes, long offset) {
    prefix.expectU8("free space version", 0);
    prefix.expectU8("root group version", 0);
    prefix.skip(1);
    prefix.expectU8("shared header message version", 0);
    FileGeometry geometry = geometry(prefix);
    prefix.skip(1);
    MetadataReader reader = new MetadataReader(geometry, STRUCTURE, bytes, offset);
    reader.position(prefix.position());
    int leafK = positive(reader, "group leaf node K");
    int internalK = positive(reader, "group internal node K");
    int flags = reader.i32();
    int chunkK = Superblock.DEFAULT_CHUNK_INTERNAL_K;
    if (version == 1) {
      chunkK = positive(reader, "indexed storage internal node K");
      reader.skip(2);
    }
    long storedBase = reader.offset();
    long freeSpace = reader.offset();
    long endOfFile = endOfFile(reader, storedBase, offset);
    long driver = reader.offset();
    SymbolTableEntry root = SymbolTableEntry.decode(reader);
    return new Superblock(
        version,
        geometry,
        offset,
        endOfFile,
        root.headerAddress(),
        FileGeometry.UNDEFINED,
        flags,
        Optional.of(new Superblock.Legacy(leafK, internalK, chunkK, freeSpace, driver, root)));
  }

  private static Superblock decodeModern(
      MetadataReader prefix, int version, byte[] bytes, long offset) {
    FileGeometry geometry = geometry(prefix);
    MetadataReader reader = new MetadataReader(geometry, STRUCTURE, bytes, offset);
    reader.position(prefix.position());
    int flags = reader.u8();
    if (version == 3 && (flags & ~(Superblock.OPEN_FOR_WRITE | Superblock.OPEN_FOR_SWMR)) != 0) {
      throw reader.corrupt("consistency flags actual=0x" + Integer.toHexString(flags));
    }
    long storedBase = reader.offset();
    long extension = reader.offset();
    long endOfFile = endOfFile(reader, storedBase, offset);
    long root = reader.offset();
    reader.checksum();
    return new Superblock(
        version, geometry, offset, endOfFile, root, extension, flags, Optional.empty());
  }

  private static FileGeometry geometry(MetadataReader reader) {
    int offsets = size(reader, "size of offsets");
    int lengths = size(reader, "size of lengths");
    return new FileGeometry(reader.geometry().file(), offsets, lengths);
  }

  private static int size(MetadataReader reader, String what) {
    int size = reader.u8();
    return switch (size) {
      case 2, 4, 8 -> size;
      case 16, 32 ->
          throw new UnsupportedFeatureException(
              what + ": actual=" + size + ", expected=2, 4 or 8, at=" + reader.geometry().file());
      default -> throw reader.corrupt(what + " actual=" + size + ", expected=2, 4, 8, 16 or 32");
    };
  }

  private static int positive(MetadataReader reader, String what) {
    int value = reader.u16();
    if (value == 0) {
      throw reader.corrupt(what + " actual=0, expected=at least 1");
    }
    return value;
  }

  /**
   * Returns the end of the file. The stored end is absolute; it is moved with the superblock if a
   * user block was added or removed. It is unsigned, because the split and multi drivers use all 64
   * bits.
   */
  private static long endOfFile(MetadataReader reader, long storedBase, long offset) {
    long stored = reader.offset();
    if (storedBase < 0 || Long.compareUnsigned(stored, storedBase) < 0) {
      throw reader.corrupt(
          "end of file actual="
              + Long.toUnsignedString(stored)
              + ", expected=at least base address "
              + Long.toUnsignedString(storedBase));
    }
    return stored - storedBase + offset;
  }

  /**
   * Appends the superblock in its version.
   *
   * @param superblock the superblock
   * @param writer receives the bytes, at its position
   */
  public static void encode(Superblock superblock, MetadataWriter writer) {
    int start = writer.position();
    writer.bytes(SIGNATURE).u8(superblock.version());
    if (superblock.legacy().isPresent()) {
      encodeLegacy(superblock, superblock.legacy().get(), writer);
      return;
    }
    writer
        .u8(superblock.geometry().sizeOfOffsets())
        .u8(superblock.geometry().sizeOfLengths())
        .u8(superblock.consistencyFlags())
        .offset(superblock.baseAddress())
        .offset(superblock.extensionAddress())
        .offset(superblock.endOfFile())
        .offset(superblock.rootHeaderAddress())
        .checksumFrom(start);
  }

  /**
   * {@return the superblock's bytes}
   *
   * @param superblock the superblock
   */
  public static byte[] encode(Superblock superblock) {
    MetadataWriter writer = new MetadataWriter(superblock.geometry(), MAXIMUM_BYTES);
    encode(superblock, writer);
    return writer.toByteArray();
  }

  private static void encodeLegacy(
      Superblock superblock, Superblock.Legacy legacy, MetadataWriter writer) {
    writer
        .zeros(4)
        .u8(superblock.geometry().sizeOfOffsets())
        .u8(superblock.geometry().sizeOfLengths())
        .u8(0)
        .u16(legacy.groupLeafK())
        .u16(legacy.groupInternalK())
        .u32(superblock.consistencyFlags());
    if (superblock.version() == 1) {
      writer.u16(legacy.chunkInternalK()).u16(0);
    }
    writer
        .offset(superblock.baseAddress())
        .offset(legacy.freeSpaceAddress())
        .offset(superblock.endOfFile())
        .offset(legacy.driverInfoAddress());
    legacy.root().encode(writer);
  }
}
