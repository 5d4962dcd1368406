package org.hyperslab.format.superblock;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The information that the driver which wrote a file needs to reopen it. It is the block that a
 * superblock of version 0 or 1 refers to, or the content of the driver info message in a superblock
 * extension.
 *
 * <pre>
 *   1  version, 0
 *   3  reserved
 *   4  size of the driver's information
 *   8  driver identification, ASCII: NCSAfami, NCSAmult
 *      the driver's information
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, II.B "File Driver Info"; reference {@code
 * H5FDfamily.c}, {@code H5FDmulti.c}.
 *
 * @param driver the identification, eight characters or fewer
 * @param information the driver's own bytes
 */
public record DriverInfo(String driver, Bytes information) {

  /** The identification of the family driver: one file divided into members of equal size. */
  public static final String FAMILY = "NCSAfami";

  /** The identification of the multi and split drivers: a file per kind of data. */
  public static final String MULTI = "NCSAmult";

  /** The number of bytes before the driver's own in a driver information block. */
  public static final int BLOCK_PREFIX_BYTES = 16;

  private static final int NAME_BYTES = 8;
  private static final int MULTI_KINDS = 6;
  private static final int MAXIMUM_BYTES = 65_535;

  /** The undefined address, unsigned: all bits set. */
  private static final long GREATEST_ADDRESS = -2L;

  /**
   * The member file in which the multi driver stores one kind of data.
   *
   * @param kind 1 superblock, 2 B-tree, 3 raw data, 4 global heap, 5 local heap, 6 object header
   * @param startAddress the first address of the member
   * @param endAddress the address after the member's last byte
   * @param nameTemplate the member's name, with {@code %s} for the base name
   */
  public record Member(int kind, long startAddress, long endAddress, String nameTemplate) {}

  /**
   * {@return the size of a driver information block, from its first 16 bytes}
   *
   * @param prefix reads the first bytes of the block
   */
  public static int blockSize(MetadataReader prefix) {
    prefix.expectU8("driver information block version", 0);
    prefix.skip(3);
    long size = prefix.u32();
    if (size > MAXIMUM_BYTES) {
      throw prefix.corrupt("driver information size actual=" + size + ", expected=0..65535");
    }
    return BLOCK_PREFIX_BYTES + (int) size;
  }

  /**
   * Decodes a driver information block.
   *
   * @param reader reads the bytes, from its position
   * @return the driver information
   */
  public static DriverInfo decodeBlock(MetadataReader reader) {
    int size = blockSize(reader) - BLOCK_PREFIX_BYTES;
    String name = reader.text(NAME_BYTES);
    return new DriverInfo(name, Bytes.read(reader, size));
  }

  /**
   * Encodes a driver information block.
   *
   * @param writer receives the bytes, at its position
   */
  public void encodeBlock(MetadataWriter writer) {
    writer.zeros(4).u32(information.size());
    encodeName(writer);
    information.writeTo(writer);
  }

  /**
   * Decodes the payload of a driver info message.
   *
   * @param reader reads the bytes, from its position
   * @return the driver information
   */
  public static DriverInfo decodeMessage(MetadataReader reader) {
    reader.expectU8("driver info message version", 0);
    String name = reader.text(NAME_BYTES);
    int size = reader.u16();
    return new DriverInfo(name, Bytes.read(reader, size));
  }

  /**
   * Encodes the payload of a driver info message.
   *
   * @param writer receives the bytes, at its position
   */
  public void encodeMessage(MetadataWriter writer) {
    writer.u8(0);
    encodeName(writer);
    writer.u16(information.size());
    information.writeTo(writer);
  }

  private void encodeName(MetadataWriter writer) {
    int start = writer.position();
    for (int i = 0; i < Math.min(NAME_BYTES, driver.length()); i++) {
      writer.u8(driver.charAt(i));
    }
    writer.zerosTo(start + NAME_BYTES);
  }

  /**
   * {@return the information of the family driver for members of a size in bytes}
   *
   * @param geometry the sizes of offsets and lengths in the file
   * @param memberSizeBytes the size of each member in bytes
   */
  public static DriverInfo family(FileGeometry geometry, long memberSizeBytes) {
    MetadataWriter writer = new MetadataWriter(geometry, 8).i64(memberSizeBytes);
    return new DriverInfo(FAMILY, Bytes.of(writer));
  }

  /**
   * {@return the size of a family's members in bytes}
   *
   * @param geometry the sizes of offsets and lengths in the file
   * @throws org.hyperslab.error.CorruptFileException if the information is not eight bytes long, or
   *     the size is not positive
   */
  public long familyMemberSize(FileGeometry geometry) {
    MetadataReader reader = information.reader(geometry, "family driver information", -1);
    long size = reader.i64();
    if (size <= 0) {
      throw reader.corrupt("family member size actual=" + size + ", expected=at least 1");
    }
    return size;
  }

  /**
   * {@return the members of the multi (or split) driver, in order of first mention} Several kinds
   * may share a member: the returned list has one entry per member, with the first kind that is
   * mapped to it.
   *
   * <pre>
   *   6  for each kind of data the kind whose member holds it (0: its own)
   *   2  reserved
   *      for each distinct member: 8 start address, 8 end address
   *      for each distinct member: its name, NUL-terminated, padded to 8 bytes
   * </pre>
   *
   * @param geometry the sizes of offsets and lengths in the file
   */
  public List<Member> multiMembers(FileGeometry geometry) {
    MetadataReader reader = information.reader(geometry, "multi driver information", -1);
    List<Integer> kinds = new ArrayList<>();
    for (int kind : multiMapping(reader)) {
      if (!kinds.contains(kind)) {
        kinds.add(kind);
      }
    }
    reader.skip(2);
    long[] starts = new long[kinds.size()];
    long[] ends = new long[kinds.size()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = reader.i64();
      ends[i] = reader.i64();
    }
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < starts.length; i++) {
      String name = reader.nulTerminatedText();
      reader.align(8);
      members.add(new Member(kinds.get(i), starts[i], ends[i], name));
    }
    return members;
  }

  /**
   * {@return the default members of the multi driver, with each kind in a file of its own} A
   * superblock of version 2 or 3 stores the driver's information in an object header, and so in a
   * member that cannot be found without the information; the reference implementation tries these
   * members.
   */
  public static List<Member> usualMultiMembers() {
    long room = Long.divideUnsigned(GREATEST_ADDRESS, MULTI_KINDS);
    List<Member> members = new ArrayList<>();
    for (int kind = 1; kind <= MULTI_KINDS; kind++) {
      String name = "%s-" + "sbrglo".charAt(kind - 1) + ".h5";
      members.add(new Member(kind, (kind - 1) * room, kind * room, name));
    }
    return members;
  }

  /**
   * Returns, for each of the six kinds, 1 to 6 in that order, the kind whose member stores it.
   *
   * @param geometry the sizes of offsets and lengths in the file
   * @return the member for each kind of data
   */
  public List<Integer> multiMapping(FileGeometry geometry) {
    return multiMapping(information.reader(geometry, "multi driver information", -1));
  }

  private static List<Integer> multiMapping(MetadataReader reader) {
    List<Integer> mapping = new ArrayList<>();
    for (int kind = 1; kind <= MULTI_KINDS; kind++) {
      int target = reader.u8();
      if (target > MULTI_KINDS) {
        throw reader.corrupt("member mapping actual=" + target + ", expected=0..6");
      }
      mapping.add(target == 0 ? kind : target);
    }
    return mapping;
  }
}
