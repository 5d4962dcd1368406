package org.hyperslab.format.space;

import org.hyperslab.format.codec.DataspaceCodec;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * A dataspace with a selection as H5Sencode writes them, for comparison with bytes that the HDF5
 * library wrote.
 *
 * <pre>
 * message(1)=1 version(1)=0 L(1) extentBytes(4) dataspace message(extentBytes) selection
 * </pre>
 *
 * L is the size of lengths within the dataspace message, whatever the file's own is.
 *
 * @param space the extent
 * @param selection the selection, of the same rank
 */
record EncodedSpace(Dataspace space, Selection selection) {

  private static final int MESSAGE_DATASPACE = 1;
  private static final int VERSION = 0;

  static EncodedSpace decode(MetadataReader in) {
    in.expectU8("encoded dataspace's message type", MESSAGE_DATASPACE);
    in.expectU8("encoded dataspace's version", VERSION);
    int sizeOfLengths = in.u8();
    if (sizeOfLengths != 2 && sizeOfLengths != 4 && sizeOfLengths != 8) {
      throw in.corrupt("size of lengths actual=" + sizeOfLengths + ", expected=2, 4 or 8");
    }
    long extentBytes = in.u32();
    if (extentBytes > in.remaining()) {
      throw in.corrupt(
          "dataspace bytes actual=" + extentBytes + ", expected=at most " + in.remaining());
    }
    FileGeometry outer = in.geometry();
    long offset = in.fileOffset();
    MetadataReader extent =
        new MetadataReader(
            new FileGeometry(outer.file(), outer.sizeOfOffsets(), sizeOfLengths),
            "encoded dataspace",
            in.bytes((int) extentBytes),
            offset);
    Dataspace space = DataspaceCodec.decode(extent);
    return new EncodedSpace(space, SelectionCodec.decode(in, space.rank()));
  }

  /** Encodes both, with lengths of eight bytes. */
  void encode(MetadataWriter out) {
    MetadataWriter extent = new MetadataWriter(FileGeometry.standard(out.geometry().file()), 64);
    DataspaceCodec.encode(space, extent, DataspaceCodec.minimumVersion(space));
    out.u8(MESSAGE_DATASPACE).u8(VERSION).u8(8).u32(extent.position());
    out.bytes(extent.array(), 0, extent.position());
    SelectionCodec.encode(selection, space.rank(), out);
  }
}
