package org.hyperslab.format.io;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/**
 * Encodes one metadata structure, little-endian, into an array that grows; the counterpart of
 * {@link MetadataReader}.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class MetadataWriter {

  private final FileGeometry geometry;
  private byte[] bytes;
  private int position;

  /**
   * Creates a writer for a file with the given sizes, with initial room for {@code expectedBytes}.
   *
   * @param geometry the sizes of offsets and lengths in the file
   * @param expectedBytes the expected size in bytes; more may follow
   */
  public MetadataWriter(FileGeometry geometry, int expectedBytes) {
    this.geometry = geometry;
    this.bytes = new byte[Math.max(16, expectedBytes)];
  }

  /** {@return the file's sizes and name} */
  public FileGeometry geometry() {
    return geometry;
  }

  /** {@return the number of bytes written so far} */
  public int position() {
    return position;
  }

  /**
   * Discards the bytes written so far and keeps the array, so that one writer can encode many
   * structures.
   */
  public void reset() {
    position = 0;
  }

  /** {@return a copy of the bytes written so far} */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, position);
  }

  /**
   * {@return the array of this writer, valid from 0 to {@link #position()} until the next write}
   */
  public byte[] array() {
    return bytes;
  }

  /**
   * Writes one byte, the low eight bits.
   *
   * @param value the value
   * @return this writer
   */
  public MetadataWriter u8(int value) {
    room(1);
    bytes[position++] = (byte) value;
    return this;
  }

  /**
   * Writes two bytes, the low sixteen bits.
   *
   * @param value the value
   * @return this writer
   */
  public MetadataWriter u16(int value) {
    room(2);
    bytes[position] = (byte) value;
    bytes[position + 1] = (byte) (value >>> 8);
    position += 2;
    return this;
  }

  /**
   * Writes four bytes, the low 32 bits.
   *
   * @param value the value
   * @return this writer
   */
  public MetadataWriter u32(long value) {
    room(4);
    patchU32(position, value);
    position += 4;
    return this;
  }

  /**
   * Writes eight bytes.
   *
   * @param value the value
   * @return this writer
   */
  public MetadataWriter i64(long value) {
    room(8);
    byte[] to = bytes;
    int at = position;
    to[at] = (byte) value;
    to[at + 1] = (byte) (value >>> 8);
    to[at + 2] = (byte) (value >>> 16);
    to[at + 3] = (byte) (value >>> 24);
    to[at + 4] = (byte) (value >>> 32);
    to[at + 5] = (byte) (value >>> 40);
    to[at + 6] = (byte) (value >>> 48);
    to[at + 7] = (byte) (value >>> 56);
    position += 8;
    return this;
  }

  /**
   * Writes an unsigned integer in {@code sizeBytes} bytes, 1 to 8.
   *
   * @param value the value
   * @param sizeBytes the length in bytes
   * @return this writer
   * @throws InvalidUseException if the value needs more bytes; -1 is allowed and sets all bits
   */
  public MetadataWriter unsigned(long value, int sizeBytes) {
    if (sizeBytes == 8) {
      return i64(value);
    }
    if (sizeBytes < 8 && value != -1 && (value >>> (8 * sizeBytes)) != 0) {
      throw new InvalidUseException(
          "encoded integer: actual="
              + Long.toUnsignedString(value)
              + ", expected=at most "
              + sizeBytes
              + " bytes, at="
              + geometry.file());
    }
    room(sizeBytes);
    for (int i = 0; i < sizeBytes; i++) {
      bytes[position++] = (byte) (value >>> (8 * i));
    }
    return this;
  }

  /**
   * Writes a file address in the file's size of offsets; {@link FileGeometry#UNDEFINED} sets all
   * bits.
   *
   * @param address the address, relative to the file's base address
   * @return this writer
   */
  public MetadataWriter offset(long address) {
    return unsigned(address, geometry.sizeOfOffsets());
  }

  /**
   * Writes a length in the file's size of lengths.
   *
   * @param length the number of bytes
   * @return this writer
   */
  public MetadataWriter length(long length) {
    return unsigned(length, geometry.sizeOfLengths());
  }

  /**
   * Writes all of {@code source}.
   *
   * @param source the array that holds the bytes
   * @return this writer
   */
  public MetadataWriter bytes(byte[] source) {
    return bytes(source, 0, source.length);
  }

  /**
   * Writes {@code length} bytes of {@code source} from {@code from}.
   *
   * @param source the array that holds the bytes
   * @param from the index of the first byte
   * @param length the number of bytes
   * @return this writer
   */
  public MetadataWriter bytes(byte[] source, int from, int length) {
    room(length);
    System.arraycopy(source, from, bytes, position, length);
    position += length;
    return this;
  }

  /**
   * Writes {@code count} zero bytes.
   *
   * @param count the number of bytes
   * @return this writer
   */
  public MetadataWriter zeros(int count) {
    if (count == 0) {
      return this;
    }
    room(count);
    Arrays.fill(bytes, position, position + count, (byte) 0);
    position += count;
    return this;
  }

  /**
   * Writes zeros up to the next multiple of {@code alignment}.
   *
   * @param alignment the alignment in bytes
   * @return this writer
   */
  public MetadataWriter align(int alignment) {
    int past = position % alignment;
    return past == 0 ? this : zeros(alignment - past);
  }

  /**
   * Writes zeros up to byte position {@code target}, which must not be before the present position.
   *
   * @param target the position up to which zeros are written
   * @return this writer
   */
  public MetadataWriter zerosTo(int target) {
    return zeros(target - position);
  }

  /**
   * Writes the four-byte ASCII signature that opens a structure.
   *
   * @param ascii the signature, ASCII characters
   * @return this writer
   */
  public MetadataWriter signature(String ascii) {
    return bytes(ascii.getBytes(StandardCharsets.ISO_8859_1));
  }

  /**
   * Writes UTF-8 text followed by one NUL.
   *
   * @param text the text
   * @return this writer
   */
  public MetadataWriter nulTerminatedText(String text) {
    bytes(NameBytes.encode(text));
    return u8(0);
  }

  /**
   * Overwrites four bytes at an earlier position.
   *
   * @param at the position of the field
   * @param value the value
   */
  public void patchU32(int at, long value) {
    bytes[at] = (byte) value;
    bytes[at + 1] = (byte) (value >>> 8);
    bytes[at + 2] = (byte) (value >>> 16);
    bytes[at + 3] = (byte) (value >>> 24);
  }

  /**
   * Appends the lookup3 checksum of all bytes from {@code from} up to the present position.
   *
   * @param from the index of the first byte
   * @return this writer
   */
  public MetadataWriter checksumFrom(int from) {
    return u32(Lookup3.hash(bytes, from, position - from, 0) & 0xFFFF_FFFFL);
  }

  private void room(int count) {
    if (count < 0 || count > bytes.length - position) {
      grow(count);
    }
  }

  private void grow(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count=" + count);
    }
    int needed = Math.addExact(position, count);
    bytes = Arrays.copyOf(bytes, Math.max(needed, Math.multiplyExact(bytes.length, 2)));
  }
}
