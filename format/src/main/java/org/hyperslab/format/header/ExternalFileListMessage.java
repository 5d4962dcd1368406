package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The external file list message: the files that hold a dataset's elements, one after another.
 *
 * <pre>
 *   1  version, 1
 *   3  reserved
 *   2  allocated slots
 *   2  used slots
 *   O  local heap of the file names
 *      per slot: L name offset in the heap, L offset in the file, L bytes reserved in the file
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.h; reference {@code H5Oefl.c}.
 *
 * @param allocatedSlots the number of slots with space in the message; at least the number of slots
 * @param heapAddress the address of the local heap of file names
 * @param slots the files, in order
 */
public record ExternalFileListMessage(int allocatedSlots, long heapAddress, List<Slot> slots)
    implements Message {

  /** The size of a file that may grow without bound; all bits set. */
  public static final long UNLIMITED = -1;

  /**
   * A part of an external file.
   *
   * @param nameOffset the offset of the file's name in the local heap's data segment, in bytes
   * @param fileOffset the offset of the elements in the file, in bytes
   * @param sizeBytes the number of bytes reserved in the file, or {@link #UNLIMITED}
   */
  public record Slot(long nameOffset, long fileOffset, long sizeBytes) {}

  /** Copies the list. */
  public ExternalFileListMessage {
    slots = List.copyOf(slots);
  }

  @Override
  public int typeCode() {
    return MessageType.EXTERNAL_FILE_LIST.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static ExternalFileListMessage decode(MetadataReader reader) {
    reader.expectU8("version", 1);
    reader.skip(3);
    int allocated = reader.u16();
    int used = reader.u16();
    if (used > allocated) {
      throw reader.corrupt("used slots actual=" + used + ", expected=at most " + allocated);
    }
    long heap = reader.offset();
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < used; i++) {
      slots.add(new Slot(reader.length(), reader.length(), reader.length()));
    }
    return new ExternalFileListMessage(allocated, heap, slots);
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(1).zeros(3).u16(allocatedSlots).u16(slots.size()).offset(heapAddress);
    for (Slot slot : slots) {
      writer.length(slot.nameOffset).length(slot.fileOffset).length(slot.sizeBytes);
    }
  }
}
