package org.hyperslab.convert;

import org.hyperslab.error.CorruptFileException;

/**
 * Decodes one block of LZ4.
 *
 * <pre>
 * sequence = token (literals in its high 4 bits, match in its low ones), more of the literals'
 *            length, literals, offset (2 bytes, little-endian), more of the match's length
 * more     = bytes that are added, up to the first that is not 255; there if the 4 bits are 15
 * </pre>
 *
 * A match has 4 bytes more than is counted; the last sequence ends after its literals.
 *
 * <p>Thread rule: confined to one thread.
 *
 * <p>Source: lz4_Block_format.md of LZ4.
 */
final class Lz4Block {

  private static final int LEAST_MATCH = 4;

  private final byte[] in;
  private final byte[] out;
  private final String file;
  private int at;
  private int written;

  private Lz4Block(byte[] in, int from, int length, String file) {
    this.in = in;
    this.at = from;
    this.out = new byte[length];
    this.file = file;
  }

  /**
   * Decodes a block.
   *
   * @param in holds the block, up to its end
   * @param from where the block begins
   * @param length how many bytes it expands to
   * @param file what it is in, for messages
   * @return the bytes
   * @throws CorruptFileException if it expands to another number of bytes, or is no block
   */
  static byte[] decode(byte[] in, int from, int length, String file) {
    Lz4Block block = new Lz4Block(in, from, length, file);
    block.decode();
    return block.out;
  }

  private void decode() {
    while (true) {
      int token = next();
      literals(length(token >>> 4));
      if (at == in.length) {
        break;
      }
      int offset = next() | next() << 8;
      match(offset, length(token & 15) + LEAST_MATCH);
    }
    require(written == out.length, "another length");
  }

  private int next() {
    require(at < in.length, "an end too soon");
    return in[at++] & 0xFF;
  }

  private int length(int short4) {
    int length = short4;
    int more = short4 == 15 ? 255 : 0;
    while (more == 255) {
      more = next();
      length += more;
      require(length <= out.length, "a length beyond the end");
    }
    return length;
  }

  private void literals(int length) {
    require(length <= in.length - at && length <= out.length - written, "literals beyond the end");
    System.arraycopy(in, at, out, written, length);
    at += length;
    written += length;
  }

  private void match(int offset, int length) {
    require(offset > 0 && offset <= written, "a match before the start");
    require(length <= out.length - written, "a match beyond the end");
    for (int i = 0; i < length; i++) { // byte by byte, for a match may overlap what it makes
      out[written] = out[written - offset];
      written++;
    }
  }

  private void require(boolean right, String actual) {
    if (!right) {
      throw new CorruptFileException(
          file,
          "chunk, lz4",
          CorruptFileException.NO_OFFSET,
          "actual=" + actual + ", expected=a block of LZ4 of " + out.length + " bytes");
    }
  }
}
