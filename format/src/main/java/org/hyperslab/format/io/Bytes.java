package org.hyperslab.format.io;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A short sequence of bytes as a value, for use in records: equal if the bytes are equal.
 *
 * <p>Thread rule: immutable; arrays are copied when passed and returned.
 */
public final class Bytes {

  /** The empty sequence of bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private static final int SHOWN = 32;

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /**
   * {@return a copy of {@code source}}
   *
   * @param source the array that holds the bytes
   */
  public static Bytes of(byte[] source) {
    return source.length == 0 ? EMPTY : new Bytes(source.clone());
  }

  /**
   * {@return a copy of the bytes that a writer has written so far}
   *
   * @param writer the writer
   */
  public static Bytes of(MetadataWriter writer) {
    return writer.position() == 0 ? EMPTY : new Bytes(writer.toByteArray());
  }

  /**
   * {@return the next {@code count} bytes of a reader}
   *
   * @param reader reads the bytes, from its position
   * @param count the number of bytes
   */
  public static Bytes read(MetadataReader reader, int count) {
    return count == 0 ? EMPTY : new Bytes(reader.bytes(count));
  }

  /** {@return the number of bytes} */
  public int size() {
    return content.length;
  }

  /**
   * {@return the byte at an index, zero-based}
   *
   * @param index the index, counted from 0
   */
  public byte get(int index) {
    return content[index];
  }

  /** {@return a copy of the bytes as an array} */
  public byte[] toByteArray() {
    return content.clone();
  }

  /**
   * {@return the first {@code count} bytes, or these bytes if there are not more}
   *
   * @param count the number of bytes
   */
  public Bytes first(int count) {
    return count >= content.length ? this : new Bytes(Arrays.copyOf(content, count));
  }

  /**
   * Appends these bytes to a structure.
   *
   * @param writer receives the bytes, at its position
   */
  public void writeTo(MetadataWriter writer) {
    writer.bytes(content);
  }

  /**
   * {@return a reader over these bytes, read from {@code fileOffset}, for a named structure}
   *
   * @param geometry the sizes of offsets and lengths in the file
   * @param structure the structure's name, for errors
   * @param fileOffset the file offset of the first byte; negative if unknown
   */
  public MetadataReader reader(FileGeometry geometry, String structure, long fileOffset) {
    return new MetadataReader(geometry, structure, content, fileOffset);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(content, that.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    int shown = Math.min(SHOWN, content.length);
    String hex = HexFormat.of().formatHex(content, 0, shown);
    return content.length + " bytes " + hex + (shown < content.length ? "…" : "");
  }
}
