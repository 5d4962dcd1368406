package org.hyperslab.tools.stat;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.DatatypeCodec;
import org.hyperslab.tools.listing.TypeDescription;

/** Computes the sizes of datatypes and of their elements. */
final class TypeSizes {

  /**
   * The length of the prefix of an encoded type in the C library: the message's number and a
   * version.
   */
  private static final int PREFIX_BYTES = 2;

  private TypeSizes() {}

  /** Returns the number of bytes of an element in the C library's memory. */
  static long memory(Datatype type) {
    return TypeDescription.memorySize(type);
  }

  /**
   * Returns the number of bytes of the type in the encoding of H5Tencode, which has the version of
   * the file's.
   */
  static long encoded(FileStatistics.TypeUse use) {
    if (use.storedBytes > 0) {
      return PREFIX_BYTES + use.storedBytes;
    }
    MetadataWriter writer = new MetadataWriter(FileGeometry.standard(""), 64);
    DatatypeCodec.encode(use.type, writer, DatatypeCodec.VERSION_EARLIEST);
    return PREFIX_BYTES + (long) writer.position();
  }
}
