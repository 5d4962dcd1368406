package org.hyperslab.format.header;

import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The place where a shared message is stored.
 *
 * <pre>
 *   version 1             version 2              version 3
 *   1  version            1  version             1  version
 *   1  flags              1  flags               1  type: 1 shared message heap, 2 other header,
 *   6  reserved           O  header address             3 own header
 *   L  name offset                               8  heap id (type 1) or O header address
 *   O  header address
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, IV.A.1, "Shared Message"; reference {@code
 * H5Oshared.c}.
 */
public sealed interface SharedPointer {

  /**
   * A message in another object's header: a committed datatype.
   *
   * @param version 1, 2 or 3
   * @param headerAddress the address of the other header
   */
  record InHeader(int version, long headerAddress) implements SharedPointer {}

  /**
   * A message in the file's heap of shared messages.
   *
   * @param heapId the eight bytes of the fractal heap id, little-endian
   */
  record InHeap(long heapId) implements SharedPointer {}

  /**
   * Decodes a pointer.
   *
   * @param reader reads the bytes, from its position
   * @return the pointer
   */
  static SharedPointer decode(MetadataReader reader) {
    int version = reader.u8();
    int type = reader.u8();
    return switch (version) {
      case 1 -> {
        reader.skip(6 + reader.geometry().sizeOfLengths());
        yield new InHeader(1, address(reader));
      }
      case 2 -> new InHeader(2, address(reader));
      case 3 ->
          switch (type) {
            case 1 -> new InHeap(reader.i64());
            case 2 -> new InHeader(3, address(reader));
            default ->
                throw reader.corrupt("shared message type actual=" + type + ", expected=1 or 2");
          };
      default ->
          throw new UnsupportedFeatureException(
              "shared message version: actual="
                  + version
                  + ", expected=1..3, at="
                  + reader.geometry().file());
    };
  }

  private static long address(MetadataReader reader) {
    long address = reader.offset();
    if (address == FileGeometry.UNDEFINED) {
      throw reader.corrupt("shared message address is undefined");
    }
    return address;
  }

  /**
   * Appends the pointer.
   *
   * @param writer receives the bytes, at its position
   */
  default void encode(MetadataWriter writer) {
    switch (this) {
      case InHeader header -> {
        writer.u8(header.version).u8(header.version == 1 ? 0 : 2);
        if (header.version == 1) {
          writer.zeros(6 + writer.geometry().sizeOfLengths());
        }
        writer.offset(header.headerAddress);
      }
      case InHeap heap -> writer.u8(3).u8(1).i64(heap.heapId);
    }
  }
}
