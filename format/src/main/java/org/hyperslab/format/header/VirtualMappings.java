package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.space.SelectionCodec;

/**
 * The block in the global heap that lists the mappings of a virtual dataset.
 *
 * <pre>
 *   1  version, 0 or 1
 *   L  number of mappings
 *      per mapping: flags, one byte: 0x01 the file's name is another mapping's, 0x02 the path is,
 *                   0x04 the source is in the same file        (if version 1)
 *                   source file name, NUL-terminated; or the number of that mapping, L bytes; or
 *                   nothing
 *                   source dataset path, NUL-terminated; or the number of that mapping, L bytes
 *                   source selection, as serialised dataspace selection
 *                   virtual selection, likewise
 *   4  checksum of all before
 * </pre>
 *
 * <p>Version 1 was introduced by HDF5 2.0; it is read, and version 0 is written. Source: HDF5 File
 * Format Specification, VII.E "Virtual Dataset global heap block"; reference {@code H5Olayout.c};
 * the meaning of the flags and numbers in version 1 was derived from files of h5repack 2.x.
 *
 * @param mappings the mappings, in the order of the block
 */
public record VirtualMappings(List<Mapping> mappings) {

  /**
   * The least size of a mapping in bytes: two empty names, or flags and one name, and two minimal
   * selections.
   */
  private static final int SMALLEST_MAPPING_BYTES = 34;

  private static final int NEWEST_VERSION = 1;
  private static final int SHARED_FILE = 1;
  private static final int SHARED_DATASET = 2;
  private static final int SAME_FILE = 4;
  private static final int ALL_FLAGS = SHARED_FILE | SHARED_DATASET | SAME_FILE;

  /**
   * The mapping of one part of a virtual dataset.
   *
   * @param sourceFile the source's file, "." for the virtual dataset's own file; may contain "%b"
   * @param sourceDataset the source's path; may contain "%b"
   * @param source the elements of the source, possibly unlimited
   * @param virtual the elements of the virtual dataset, possibly unlimited
   */
  public record Mapping(
      String sourceFile, String sourceDataset, Selection source, Selection virtual) {}

  /** Copies the list. */
  public VirtualMappings {
    mappings = List.copyOf(mappings);
  }

  /**
   * Decodes the block.
   *
   * @param reader reads the bytes, from its position
   * @param rank the rank of the virtual dataset
   * @return the mappings
   */
  public static VirtualMappings decode(MetadataReader reader, int rank) {
    int version = reader.u8();
    if (version > NEWEST_VERSION) {
      throw new UnsupportedFeatureException(
          "virtual dataset block version: actual="
              + version
              + ", expected=0 or 1, at="
              + reader.geometry().file());
    }
    long count = reader.length();
    if (count < 0 || count > reader.remaining() / SMALLEST_MAPPING_BYTES) {
      throw reader.corrupt(
          "virtual mappings actual="
              + Long.toUnsignedString(count)
              + ", expected=at most "
              + reader.remaining() / SMALLEST_MAPPING_BYTES);
    }
    List<Mapping> mappings = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      int flags = version == 0 ? 0 : flags(reader);
      mappings.add(
          new Mapping(
              sourceFile(reader, flags, mappings),
              sourceDataset(reader, flags, mappings),
              SelectionCodec.decode(reader, Selection.ANY_RANK),
              SelectionCodec.decode(reader, rank)));
    }
    reader.checksum();
    return new VirtualMappings(mappings);
  }

  private static int flags(MetadataReader reader) {
    int flags = reader.u8();
    if ((flags & ~ALL_FLAGS) != 0) {
      throw reader.corrupt("flags actual=0x" + Integer.toHexString(flags) + ", expected=0..7");
    }
    return flags;
  }

  private static String sourceFile(MetadataReader reader, int flags, List<Mapping> before) {
    if ((flags & SAME_FILE) != 0) {
      return ".";
    }
    return (flags & SHARED_FILE) != 0
        ? shared(reader, before).sourceFile()
        : reader.nulTerminatedText();
  }

  private static String sourceDataset(MetadataReader reader, int flags, List<Mapping> before) {
    return (flags & SHARED_DATASET) != 0
        ? shared(reader, before).sourceDataset()
        : reader.nulTerminatedText();
  }

  /**
   * Returns the mapping whose name is shared. It must come before this one, so that references
   * cannot form a cycle.
   */
  private static Mapping shared(MetadataReader reader, List<Mapping> before) {
    long number = reader.length();
    if (number < 0 || number >= before.size()) {
      throw reader.corrupt(
          "mapping with the same name actual="
              + Long.toUnsignedString(number)
              + ", expected=below "
              + before.size());
    }
    return before.get((int) number);
  }

  /**
   * Encodes the block.
   *
   * @param writer receives the bytes, at its position
   * @param rank the rank of the virtual dataset
   * @param sourceRanks the ranks of the sources, in the order of the mappings
   */
  public void encode(MetadataWriter writer, int rank, List<Integer> sourceRanks) {
    int start = writer.position();
    writer.u8(0).length(mappings.size());
    for (int i = 0; i < mappings.size(); i++) {
      Mapping mapping = mappings.get(i);
      writer.nulTerminatedText(mapping.sourceFile()).nulTerminatedText(mapping.sourceDataset());
      SelectionCodec.encode(mapping.source(), sourceRanks.get(i), writer);
      SelectionCodec.encode(mapping.virtual(), rank, writer);
    }
    writer.checksumFrom(start);
  }
}
