package org.hyperslab;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.space.SelectionCodec;

/** Encodes and decodes the selections of region references. */
final class RegionCodec {

  private RegionCodec() {}

  static byte[] encode(Selection selection, int rank) {
    MetadataWriter out = new MetadataWriter(FileGeometry.standard("region reference"), 64);
    SelectionCodec.encode(selection, rank, out);
    return out.toByteArray();
  }

  static Selection decode(byte[] bytes, int rank, String file) {
    FileGeometry geometry = FileGeometry.standard(file);
    return SelectionCodec.decode(new MetadataReader(geometry, "region reference", bytes, 0), rank);
  }
}
