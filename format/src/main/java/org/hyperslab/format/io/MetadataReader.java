package org.hyperslab.format.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hyperslab.error.CorruptFileException;

/**
 * A cursor over the bytes of one metadata structure, little-endian, which checks the bounds of
 * every read.
 *
 * <p>Positions are bytes from the start of the block; {@link #fileOffset()} adds the block's offset
 * in the file, so that errors can state the place. A read past the end, or a length that does not
 * fit, causes a {@link CorruptFileException} that names the structure.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class MetadataReader {

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final FileGeometry geometry;
  private final String structure;
  private final byte[] bytes;
  private final long blockOffset;
  private final int start;
  private final int end;
  private int position;

  /**
   * Creates a reader over a whole block.
   *
   * @param geometry the file's sizes and name
   * @param structure the name of the structure being decoded, for errors
   * @param bytes the block; not copied
   * @param blockOffset the file offset of {@code bytes[0]}
   */
  public MetadataReader(FileGeometry geometry, String structure, byte[] bytes, long blockOffset) {
    this(geometry, structure, bytes, blockOffset, 0, bytes.length);
  }

  private MetadataReader(
      FileGeometry geometry, String structure, byte[] bytes, long blockOffset, int start, int end) {
    this.geometry = geometry;
    this.structure = structure;
    this.bytes = bytes;
    this.blockOffset = blockOffset;
    this.start = start;
    this.end = end;
    this.position = start;
  }

  /** {@return the file's sizes and name} */
  public FileGeometry geometry() {
    return geometry;
  }

  /** {@return the number of bytes read so far, from the start of this reader} */
  public int position() {
    return position - start;
  }

  /**
   * Moves to a byte position from the start of this reader.
   *
   * @param newPosition the new position, counted from the structure's first byte
   */
  public void position(int newPosition) {
    if (newPosition < 0 || newPosition > end - start) {
      throw corrupt("position=" + newPosition + ", expected=0.." + (end - start));
    }
    position = start + newPosition;
  }

  /** {@return the number of bytes left} */
  public int remaining() {
    return end - position;
  }

  /** {@return the file offset of the next byte} */
  public long fileOffset() {
    return blockOffset + position;
  }

  /**
   * {@return a reader over the next {@code length} bytes, which this reader skips} Errors of the
   * new reader name {@code part}.
   *
   * @param length the number of bytes
   * @param part the name of the part, for errors
   */
  public MetadataReader slice(int length, String part) {
    require(length);
    MetadataReader slice =
        new MetadataReader(geometry, part, bytes, blockOffset, position, position + length);
    position += length;
    return slice;
  }

  /** {@return the next byte as an unsigned number} */
  public int u8() {
    require(1);
    return bytes[position++] & 0xFF;
  }

  /** {@return the next byte as a signed number} */
  public byte i8() {
    require(1);
    return bytes[position++];
  }

  /** {@return the next two bytes as an unsigned number} */
  public int u16() {
    require(2);
    int value = (short) SHORT.get(bytes, position) & 0xFFFF;
    position += 2;
    return value;
  }

  /** {@return the next four bytes as an unsigned number} */
  public long u32() {
    return i32() & 0xFFFF_FFFFL;
  }

  /** {@return the next four bytes as a signed number} */
  public int i32() {
    require(4);
    int value = (int) INT.get(bytes, position);
    position += 4;
    return value;
  }

  /**
   * {@return the next eight bytes as a number; unsigned values above 2^63-1 are returned as
   * negative}
   */
  public long i64() {
    require(8);
    long value = (long) LONG.get(bytes, position);
    position += 8;
    return value;
  }

  /**
   * {@return the next 1 to 8 bytes as an unsigned number; eight-byte values above 2^63-1 are
   * returned as negative}
   *
   * @param sizeBytes the length in bytes
   */
  public long unsigned(int sizeBytes) {
    if (sizeBytes < 1 || sizeBytes > 8) {
      throw corrupt("integer size=" + sizeBytes + ", expected=1..8");
    }
    require(sizeBytes);
    long value = 0;
    for (int i = sizeBytes - 1; i >= 0; i--) {
      value = (value << 8) | (bytes[position + i] & 0xFFL);
    }
    position += sizeBytes;
    return value;
  }

  /**
   * {@return the next file address, of the file's size of offsets; {@link FileGeometry#UNDEFINED}
   * if all bits are set}
   */
  public long offset() {
    int size = geometry.sizeOfOffsets();
    long value = unsigned(size);
    return size < 8 && value == (1L << (8 * size)) - 1 ? FileGeometry.UNDEFINED : value;
  }

  /**
   * {@return the next length, of the file's size of lengths; {@link FileGeometry#UNDEFINED} if all
   * bits are set}
   */
  public long length() {
    int size = geometry.sizeOfLengths();
    long value = unsigned(size);
    return size < 8 && value == (1L << (8 * size)) - 1 ? FileGeometry.UNDEFINED : value;
  }

  /**
   * {@return a copy of the next {@code count} bytes}
   *
   * @param count the number of bytes
   */
  public byte[] bytes(int count) {
    require(count);
    byte[] copy = Arrays.copyOfRange(bytes, position, position + count);
    position += count;
    return copy;
  }

  /**
   * Skips {@code count} bytes.
   *
   * @param count the number of bytes
   */
  public void skip(int count) {
    require(count);
    position += count;
  }

  /**
   * Skips to the next multiple of {@code alignment} from the start of this reader.
   *
   * @param alignment the alignment in bytes
   */
  public void align(int alignment) {
    int past = (position - start) % alignment;
    if (past != 0) {
      skip(alignment - past);
    }
  }

  /**
   * {@return the text in a field of {@code fieldBytes} bytes, UTF-8 or ASCII, up to the first NUL}
   *
   * @param fieldBytes the length of the field in bytes
   */
  public String text(int fieldBytes) {
    require(fieldBytes);
    int length = 0;
    while (length < fieldBytes && bytes[position + length] != 0) {
      length++;
    }
    String text = NameBytes.decode(bytes, position, length);
    position += fieldBytes;
    return text;
  }

  /**
   * Reads text up to and including a NUL, which must come before the end.
   *
   * @return the text, without the NUL
   */
  public String nulTerminatedText() {
    int stop = position;
    while (stop < end && bytes[stop] != 0) {
      stop++;
    }
    if (stop == end) {
      throw corrupt("text without terminating NUL in the remaining " + remaining() + " bytes");
    }
    String text = NameBytes.decode(bytes, position, stop - position);
    position = stop + 1;
    return text;
  }

  /**
   * Requires the four-byte ASCII signature that opens a structure.
   *
   * @param expected the signature that must follow
   */
  public void signature(String expected) {
    String actual = new String(bytes(expected.length()), StandardCharsets.ISO_8859_1);
    if (!actual.equals(expected)) {
      position -= expected.length();
      throw corrupt("signature actual=" + printable(actual) + ", expected=" + expected);
    }
  }

  /**
   * Reads one byte that must be {@code expected}; an error names it {@code what}.
   *
   * @param what the name of the field, for errors
   * @param expected the value that must follow
   */
  public void expectU8(String what, int expected) {
    int actual = u8();
    if (actual != expected) {
      position--;
      throw corrupt(what + " actual=" + actual + ", expected=" + expected);
    }
  }

  /**
   * Requires that the next four bytes are the lookup3 checksum of all bytes of this reader before
   * them.
   */
  public void checksum() {
    int computed = Lookup3.hash(bytes, start, position - start, 0);
    int stored = i32();
    if (computed != stored) {
      position -= 4;
      throw corrupt(
          "checksum actual=0x"
              + Integer.toHexString(computed)
              + ", expected=0x"
              + Integer.toHexString(stored));
    }
  }

  /**
   * {@return an error at the present position, for the caller to throw}
   *
   * @param problem the problem, with actual and expected values
   */
  public CorruptFileException corrupt(String problem) {
    return new CorruptFileException(geometry.file(), structure, fileOffset(), problem);
  }

  private void require(int count) {
    if (count < 0 || count > end - position) {
      throw corrupt("needs " + count + " bytes, remaining=" + (end - position));
    }
  }

  private static String printable(String raw) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      text.append(c >= ' ' && c < 127 ? String.valueOf(c) : String.format("\\x%02x", (int) c));
    }
    return text.toString();
  }
}
