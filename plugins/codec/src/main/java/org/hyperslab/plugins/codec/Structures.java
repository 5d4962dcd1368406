package org.hyperslab.plugins.codec;

import com.google.protobuf.ByteString;
import org.hyperslab.format.codec.DataspaceCodec;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.space.SelectionStructureCodec;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.DatatypeCodec;

/** Encodes datatypes, dataspaces and selections as fields of messages. Thread rule: stateless. */
final class Structures {

  private static final FileGeometry GEOMETRY = FileGeometry.standard("message");

  private Structures() {}

  static ByteString bytes(Datatype type) {
    MetadataWriter out = new MetadataWriter(GEOMETRY, 32);
    DatatypeCodec.encode(type, out, DatatypeCodec.VERSION_1_8);
    return finish(out);
  }

  static ByteString bytes(Dataspace space) {
    MetadataWriter out = new MetadataWriter(GEOMETRY, 4 + 16 * space.rank());
    DataspaceCodec.encode(space, out, 2);
    return finish(out);
  }

  static ByteString bytes(Selection selection) {
    MetadataWriter out = new MetadataWriter(GEOMETRY, 32);
    SelectionStructureCodec.encode(selection, out);
    return finish(out);
  }

  private static ByteString finish(MetadataWriter out) {
    return ByteString.copyFrom(out.array(), 0, out.position());
  }

  static Datatype type(ByteString bytes) {
    MetadataReader in = reader("datatype", bytes);
    Datatype type = DatatypeCodec.decode(in);
    requireEnd(in);
    return type;
  }

  static Dataspace space(ByteString bytes) {
    MetadataReader in = reader("dataspace", bytes);
    Dataspace space = DataspaceCodec.decode(in);
    requireEnd(in);
    return space;
  }

  static Selection selection(ByteString bytes) {
    MetadataReader in = reader("selection", bytes);
    Selection selection = SelectionStructureCodec.decode(in);
    requireEnd(in);
    return selection;
  }

  private static MetadataReader reader(String what, ByteString bytes) {
    return new MetadataReader(GEOMETRY, what, bytes.toByteArray(), 0);
  }

  private static void requireEnd(MetadataReader in) {
    if (in.remaining() > 0) {
      throw in.corrupt("bytes left over actual=" + in.remaining() + ", expected=0");
    }
  }
}
