package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.space.SelectionCodec;

/**
 * The block in the global heap that says of which parts a virtual dataset is put together.
 *
 * <pre>
 *   1  version, 0
 *   L  number of mappings
 *      per mapping: source file name, NUL-terminated
 *                   source dataset path, NUL-terminated
 *                   source selection, as serialised dataspace selection
 *                   virtual selection, likewise
 *   4  checksum of all before
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, VII.E "Virtual Dataset global heap block"; reference
 * {@code H5Olayout.c}.
 *
 * @param mappings the parts, in the order of the block
 */
public record VirtualMappings(List<Mapping> mappings) {

  /** No mapping takes fewer bytes: two empty names and two bare selections. */
  private static final int SMALLEST_MAPPING_BYTES = 34;

  /**
   * One part.
   *
   * @param sourceFile the source's file, "." for the same; may hold "%b"
   * @param sourceDataset the source's path; may hold "%b"
   * @param source the elements of the source, perhaps unlimited
   * @param virtual the elements of the virtual dataset, perhaps unlimited
   */
  public record Mapping(
      String sourceFile, String sourceDataset, Selection source, Selection virtual) {}

  /** Keeps its own copy of the list. */
  public VirtualMappings {
    mappings = List.copyOf(mappings);
  }

  /**
   * Decodes the block.
   *
   * @param rank the rank of the virtual dataset
   */
  public static VirtualMappings decode(MetadataReader reader, int rank) {
    int version = reader.u8();
    if (version != 0) {
      throw new UnsupportedFeatureException(
          "virtual dataset block version: actual="
              + version
              + ", expected=0, at="
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
      mappings.add(
          new Mapping(
              reader.nulTerminatedText(),
              reader.nulTerminatedText(),
              SelectionCodec.decode(reader, Selection.ANY_RANK),
              SelectionCodec.decode(reader, rank)));
    }
    reader.checksum();
    return new VirtualMappings(mappings);
  }

  /**
   * Encodes the block.
   *
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
