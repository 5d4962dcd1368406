package org.hyperslab.format.filter.blosc;

import java.nio.charset.StandardCharsets;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * Reads the few kinds of values that headers in MessagePack have.
 *
 * <p>Source: the specification of MessagePack, "Formats".
 */
final class MessagePack {

  private final Span source;
  private long at;

  /**
   * Creates a reader.
   *
   * @param source the bytes
   * @param at the offset of the first value
   */
  MessagePack(Span source, long at) {
    this.source = source;
    this.at = at;
  }

  /** {@return the number of elements of an array, which begins here} */
  int array() throws MalformedDataException {
    int tag = tag();
    return switch (tag) {
      case 0xDC -> (int) unsigned(2);
      default -> {
        require(tag >>> 4 == 0x9, tag, "an array");
        yield tag & 0xF;
      }
    };
  }

  /** {@return the number of entries of a map, which begins here} */
  int map() throws MalformedDataException {
    int tag = tag();
    if (tag == 0xDE) {
      return (int) unsigned(2);
    }
    require(tag >>> 4 == 0x8, tag, "a map");
    return tag & 0xF;
  }

  /** {@return a text of at most 31 bytes, which begins here} */
  String text() throws MalformedDataException {
    int tag = tag();
    require(tag >>> 5 == 0x5, tag, "a short text");
    int length = tag & 0x1F;
    requireBytes(length);
    String text =
        new String(source.array(), source.offset() + (int) at, length, StandardCharsets.ISO_8859_1);
    at += length;
    return text;
  }

  /** {@return the number of bytes of a binary value, which begin after the call} */
  long binary() throws MalformedDataException {
    int tag = tag();
    require(tag == 0xC6, tag, "a binary value");
    return unsigned(4);
  }

  /** {@return an integer, which begins here} */
  long number() throws MalformedDataException {
    int tag = tag();
    return switch (tag) {
      case 0xCC -> unsigned(1);
      case 0xCD -> unsigned(2);
      case 0xCE -> unsigned(4);
      case 0xCF, 0xD3 -> unsigned(8);
      case 0xD0 -> (byte) unsigned(1);
      case 0xD1 -> (short) unsigned(2);
      case 0xD2 -> (int) unsigned(4);
      default -> {
        require(tag < 0x80, tag, "an integer");
        yield tag;
      }
    };
  }

  private int tag() throws MalformedDataException {
    return (int) unsigned(1);
  }

  private long unsigned(int bytes) throws MalformedDataException {
    requireBytes(bytes);
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | source.array()[source.offset() + (int) at++] & 0xFF;
    }
    return value;
  }

  private void requireBytes(int count) throws MalformedDataException {
    if (at < 0 || at > source.length() - (long) count) {
      throw new MalformedDataException(
          "header: actual=offset " + at + ", expected=below " + source.length());
    }
  }

  private static void require(boolean good, int tag, String what) throws MalformedDataException {
    if (!good) {
      throw new MalformedDataException(
          "header: actual=value of kind " + tag + ", expected=" + what);
    }
  }
}
