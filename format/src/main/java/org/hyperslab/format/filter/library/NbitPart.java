package org.hyperslab.format.filter.library;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.coder.BitReader;
import org.hyperslab.format.filter.coder.BitWriter;
import org.hyperslab.format.filter.coder.NumberBytes;

/**
 * The nbit packing of an element or of a part of one, decoded from the filter's client data.
 *
 * <p>Invariant: every part lies inside the enclosing part, and the members of a compound together
 * take no more bytes than the compound, so packing one element takes time proportional to its size.
 */
sealed interface NbitPart {

  int NUMBER = 1;
  int ARRAY = 2;
  int COMPOUND = 3;
  int PLAIN = 4;

  /**
   * The greatest nesting depth, which datatypes do not exceed in practice; client data from a file
   * might.
   */
  int MAXIMUM_DEPTH = 64;

  /** Returns the size of this part when not packed, in bytes; at least 1 for a number. */
  int sizeBytes();

  /** Packs the part at {@code array[at]}. */
  void pack(byte[] array, int at, BitWriter bits) throws MalformedDataException;

  /** Unpacks to {@code array[at]}, which must contain zeros. */
  void unpack(BitReader bits, byte[] array, int at) throws MalformedDataException;

  /**
   * An element as the library packs it.
   *
   * @param part the element
   * @param lossless false if the library omits members; see {@link Parser}
   */
  record Element(NbitPart part, boolean lossless) {}

  /** Decodes the element that {@code values} describe from {@code index} on. */
  static Element parse(int[] values, int index) throws MalformedDataException {
    Parser parser = new Parser(values, index);
    NbitPart part = parser.part(0);
    if (part.sizeBytes() < 1) {
      throw new MalformedDataException("datatype size: actual=0, expected=1 or more");
    }
    return new Element(part, !parser.misread);
  }

  /**
   * A cursor over client data that advances like the library's. After an array whose elements are
   * arrays or compounds, the library's cursor is at the elements' description and not after it. The
   * following members of a compound are therefore misread, and packed wrongly or not at all (in
   * every release of H5Znbit.c so far). Files with such chunks exist and are read here as the
   * library reads them.
   */
  final class Parser {
    private final int[] values;
    private int index;
    private boolean behind;
    private boolean misread;

    Parser(int[] values, int index) {
      this.values = values;
      this.index = index;
    }

    private int next(String what, int minimum, int maximum) throws MalformedDataException {
      if (index >= values.length) {
        throw new MalformedDataException("parameters end before the " + what);
      }
      misread |= behind;
      int value = values[index++];
      if (value < minimum || value > maximum) {
        throw new MalformedDataException(
            what + ": actual=" + value + ", expected=" + minimum + " to " + maximum);
      }
      return value;
    }

    NbitPart part(int depth) throws MalformedDataException {
      if (depth > MAXIMUM_DEPTH) {
        throw new MalformedDataException("datatype nested deeper than " + MAXIMUM_DEPTH);
      }
      int kind = next("datatype class", NUMBER, PLAIN);
      int size = next("datatype size", kind == NUMBER ? 1 : 0, Integer.MAX_VALUE);
      return switch (kind) {
        case NUMBER -> number(size);
        case ARRAY -> array(size, depth);
        case COMPOUND -> compound(size, depth);
        default -> new Plain(size);
      };
    }

    private NbitPart number(int size) throws MalformedDataException {
      boolean bigEndian = next("byte order", 0, 1) == 1;
      int limit = (int) Math.min(8L * size, Integer.MAX_VALUE);
      int precision = next("precision", 1, limit);
      int offset = next("bit offset", 0, limit - precision);
      return size <= 8
          ? new Word(size, bigEndian, precision, offset)
          : new Wide(size, bigEndian, precision, offset);
    }

    private NbitPart array(int size, int depth) throws MalformedDataException {
      int baseSizeAt = index + 1;
      NbitPart base = part(depth + 1);
      if (base instanceof Plain) {
        return new Plain(size);
      }
      if (base.sizeBytes() < 1) {
        throw new MalformedDataException("array element size: actual=0, expected=1 or more");
      }
      if (base instanceof Repeated || base instanceof Group) {
        index = baseSizeAt;
        behind = true;
      }
      return new Repeated(size, base);
    }

    private NbitPart compound(int size, int depth) throws MalformedDataException {
      int count = next("member count", 0, values.length);
      List<Member> members = new ArrayList<>();
      long used = 0;
      for (int i = 0; i < count; i++) {
        int offset = next("member offset", 0, size);
        NbitPart part = part(depth + 1);
        used += part.sizeBytes();
        if (used > size || part.sizeBytes() > size - offset) {
          throw new MalformedDataException(
              "compound member: actual="
                  + offset
                  + "+"
                  + part.sizeBytes()
                  + " bytes, expected=inside "
                  + size);
        }
        members.add(new Member(offset, part));
      }
      return new Group(size, List.copyOf(members));
    }
  }

  /** A number of up to eight bytes. */
  record Word(int sizeBytes, boolean bigEndian, int precision, int offset) implements NbitPart {

    @Override
    public void pack(byte[] array, int at, BitWriter bits) throws MalformedDataException {
      bits.write(NumberBytes.load(array, at, sizeBytes, bigEndian) >>> offset, precision);
    }

    @Override
    public void unpack(BitReader bits, byte[] array, int at) throws MalformedDataException {
      NumberBytes.store(array, at, sizeBytes, bigEndian, bits.read(precision) << offset);
    }
  }

  /** A longer number, packed byte by byte from the most significant one. */
  record Wide(int sizeBytes, boolean bigEndian, int precision, int offset) implements NbitPart {

    private int index(int significance) {
      return bigEndian ? sizeBytes - 1 - significance : significance;
    }

    @Override
    public void pack(byte[] array, int at, BitWriter bits) throws MalformedDataException {
      for (int i = (offset + precision - 1) / 8; i >= offset / 8; i--) {
        int low = Math.max(0, offset - 8 * i);
        int high = Math.min(8, offset + precision - 8 * i);
        bits.write((array[at + index(i)] & 0xFF) >>> low, high - low);
      }
    }

    @Override
    public void unpack(BitReader bits, byte[] array, int at) throws MalformedDataException {
      for (int i = (offset + precision - 1) / 8; i >= offset / 8; i--) {
        int low = Math.max(0, offset - 8 * i);
        int high = Math.min(8, offset + precision - 8 * i);
        array[at + index(i)] = (byte) (bits.read(high - low) << low);
      }
    }
  }

  /** A sequence of equal parts; remaining bytes at the end are not stored. */
  record Repeated(int sizeBytes, NbitPart base) implements NbitPart {

    @Override
    public void pack(byte[] array, int at, BitWriter bits) throws MalformedDataException {
      int step = base.sizeBytes();
      for (int done = 0; done <= sizeBytes - step; done += step) {
        base.pack(array, at + done, bits);
      }
    }

    @Override
    public void unpack(BitReader bits, byte[] array, int at) throws MalformedDataException {
      int step = base.sizeBytes();
      for (int done = 0; done <= sizeBytes - step; done += step) {
        base.unpack(bits, array, at + done);
      }
    }
  }

  /** A member of a compound. */
  record Member(int offset, NbitPart part) {}

  /** The members of a compound. */
  record Group(int sizeBytes, List<Member> members) implements NbitPart {

    @Override
    public void pack(byte[] array, int at, BitWriter bits) throws MalformedDataException {
      for (int i = 0; i < members.size(); i++) {
        Member member = members.get(i);
        member.part().pack(array, at + member.offset(), bits);
      }
    }

    @Override
    public void unpack(BitReader bits, byte[] array, int at) throws MalformedDataException {
      for (int i = 0; i < members.size(); i++) {
        Member member = members.get(i);
        member.part().unpack(bits, array, at + member.offset());
      }
    }
  }

  /** Bytes whose bits are all stored. */
  record Plain(int sizeBytes) implements NbitPart {

    @Override
    public void pack(byte[] array, int at, BitWriter bits) throws MalformedDataException {
      for (int i = 0; i < sizeBytes; i++) {
        bits.write(array[at + i], 8);
      }
    }

    @Override
    public void unpack(BitReader bits, byte[] array, int at) throws MalformedDataException {
      for (int i = 0; i < sizeBytes; i++) {
        array[at + i] = (byte) bits.read(8);
      }
    }
  }
}
