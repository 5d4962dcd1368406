package org.hyperslab.format.type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.NameBytes;

/**
 * Decodes one datatype message, recursively for nested types. The depth is bounded by {@link
 * DatatypeCodec#NESTING_LIMIT} and the number of types by the bytes of the message.
 *
 * <p>Values that the records refuse, such as overlapping members, are reported as corruption of the
 * file.
 */
final class DatatypeDecoder {

  private final MetadataReader in;

  DatatypeDecoder(MetadataReader in) {
    this.in = in;
  }

  /** The four fields that precede every type. */
  private record Prefix(int version, int flags, int size) {
    boolean bit(int number) {
      return (flags >> number & 1) != 0;
    }

    BitPadding padding(int number) {
      return bit(number) ? BitPadding.ONE : BitPadding.ZERO;
    }

    Endian order() {
      return bit(0) ? Endian.BIG : Endian.LITTLE;
    }
  }

  Datatype decode(int depth) {
    if (depth > DatatypeCodec.NESTING_LIMIT) {
      throw in.corrupt("datatype nesting=" + depth + ", expected<=" + DatatypeCodec.NESTING_LIMIT);
    }
    int at = in.position();
    int head = in.u8();
    int flags = in.u8() | in.u8() << 8 | in.u8() << 16;
    long size = in.u32();
    int version = head >> 4;
    int typeClass = head & 0xF;
    if (version < 1 || version > DatatypeCodec.VERSION_LATEST) {
      in.position(at);
      throw in.corrupt("datatype version actual=" + version + ", expected=1..5");
    }
    if (size == 0) {
      throw in.corrupt("datatype size actual=0, expected>=1");
    }
    if (size > Integer.MAX_VALUE) {
      throw new UnsupportedFeatureException(
          "datatype size: actual="
              + size
              + ", expected<=2147483647, at="
              + in.geometry().file()
              + "@"
              + in.fileOffset());
    }
    try {
      return properties(typeClass, new Prefix(version, flags, (int) size), depth);
    } catch (InvalidUseException refused) {
      throw in.corrupt(refused.getMessage());
    }
  }

  private Datatype properties(int typeClass, Prefix prefix, int depth) {
    return switch (typeClass) {
      case 0 -> integer(prefix);
      case 1 -> floating(prefix);
      case 2 -> new TimeType(prefix.size(), prefix.order(), in.u16());
      case 3 -> new StringType(prefix.size(), stringPadding(prefix.flags()), charset(prefix, 4));
      case 4 -> bitfield(prefix);
      case 5 -> opaque(prefix);
      case 6 -> compound(prefix, depth);
      case 7 -> reference(prefix);
      case 8 -> enumeration(prefix, depth);
      case 9 -> vlen(prefix, depth);
      case 10 -> array(prefix, depth);
      case 11 -> complex(prefix, depth);
      default -> throw in.corrupt("datatype class actual=" + typeClass + ", expected=0..11");
    };
  }

  private IntegerType integer(Prefix prefix) {
    int offset = in.u16();
    int precision = in.u16();
    return new IntegerType(
        prefix.size(),
        prefix.order(),
        prefix.bit(3),
        precision,
        offset,
        prefix.padding(1),
        prefix.padding(2));
  }

  private FloatType floating(Prefix prefix) {
    Endian order = prefix.order();
    if (prefix.version() >= 3 && prefix.bit(6)) {
      if (!prefix.bit(0)) {
        throw in.corrupt("float byte order bits actual=0x40, expected=0x00, 0x01 or 0x41");
      }
      order = Endian.VAX;
    }
    Optional<Normalization> normalization = Normalization.ofCode((prefix.flags() >> 4) & 3);
    if (normalization.isEmpty()) {
      throw in.corrupt("float normalisation actual=3, expected=0..2");
    }
    int offset = in.u16();
    int precision = in.u16();
    int exponentPosition = in.u8();
    int exponentSize = in.u8();
    int mantissaPosition = in.u8();
    int mantissaSize = in.u8();
    long bias = in.u32();
    FloatType.Fields fields =
        new FloatType.Fields(
            prefix.flags() >> 8 & 0xFF,
            exponentPosition,
            exponentSize,
            mantissaPosition,
            mantissaSize,
            bias,
            normalization.get());
    FloatType.Padding padding =
        new FloatType.Padding(prefix.padding(1), prefix.padding(2), prefix.padding(3));
    return shared(new FloatType(prefix.size(), order, precision, offset, fields, padding));
  }

  /**
   * Returns the predefined constant, if the type equals one: types are compared for each transfer,
   * and comparing identical objects is faster.
   */
  private static FloatType shared(FloatType type) {
    FloatType constant = type.size() == Double.BYTES ? Datatypes.F64LE : Datatypes.F32LE;
    return type.equals(constant) ? constant : type;
  }

  private BitfieldType bitfield(Prefix prefix) {
    int offset = in.u16();
    int precision = in.u16();
    return new BitfieldType(
        prefix.size(), prefix.order(), precision, offset, prefix.padding(1), prefix.padding(2));
  }

  private OpaqueType opaque(Prefix prefix) {
    byte[] field = in.bytes(prefix.flags() & 0xFF);
    int length = 0;
    while (length < field.length && field[length] != 0) {
      length++;
    }
    return new OpaqueType(prefix.size(), NameBytes.decode(field, 0, length));
  }

  private CompoundType compound(Prefix prefix, int depth) {
    int count = prefix.flags() & 0xFFFF;
    List<CompoundType.Member> members = DatatypeCodec.listFor(count, in.remaining());
    for (int i = 0; i < count; i++) {
      String name = name(prefix.version());
      long offset =
          prefix.version() >= 3 ? in.unsigned(DatatypeCodec.offsetBytes(prefix.size())) : in.u32();
      List<Integer> dimensions = prefix.version() == 1 ? memberDimensions() : List.of();
      Datatype type = decode(depth + 1);
      if (!dimensions.isEmpty()) {
        type = new ArrayType(dimensions, type);
      }
      if (offset + type.size() > prefix.size()) {
        throw in.corrupt(
            "compound member \""
                + name
                + "\" ends at "
                + (offset + type.size())
                + ", expected<="
                + prefix.size());
      }
      members.add(new CompoundType.Member(name, (int) offset, type));
    }
    return new CompoundType(prefix.size(), members);
  }

  /**
   * Returns the dimensions that version 1 stores in a member: up to four lengths, always all
   * encoded.
   */
  private List<Integer> memberDimensions() {
    int rank = in.u8();
    if (rank > 4) {
      throw in.corrupt("compound member dimensionality actual=" + rank + ", expected=0..4");
    }
    in.bytes(11); // reserved, permutation, reserved
    List<Integer> dimensions = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long length = in.u32();
      if (i < rank) {
        dimensions.add(dimension(length));
      }
    }
    return dimensions;
  }

  private int dimension(long length) {
    if (length < 1 || length > Integer.MAX_VALUE) {
      throw in.corrupt("array dimension actual=" + length + ", expected=1..2147483647");
    }
    return (int) length;
  }

  private ReferenceType reference(Prefix prefix) {
    int code = prefix.flags() & 0xF;
    ReferenceKind kind =
        ReferenceKind.ofCode(code)
            .orElseThrow(() -> in.corrupt("reference type actual=" + code + ", expected=0..4"));
    ReferenceType type = new ReferenceType(prefix.size(), kind);
    int encoding = prefix.flags() >> 4 & 0xF;
    if (type.kind().revised() && encoding != 1) {
      throw in.corrupt("reference encoding version actual=" + encoding + ", expected=1");
    }
    return type;
  }

  private EnumType enumeration(Prefix prefix, int depth) {
    int count = prefix.flags() & 0xFFFF;
    Datatype base = decode(depth + 1);
    if (!(base instanceof IntegerType integer)) {
      throw in.corrupt("enum base actual=" + base.describe() + ", expected an integer type");
    }
    if (integer.size() != prefix.size()) {
      throw in.corrupt("enum size actual=" + prefix.size() + ", expected=" + integer.size());
    }
    if (integer.size() > 8) {
      throw new UnsupportedFeatureException(
          "enum base size: actual="
              + integer.size()
              + ", expected=1..8 bytes, at="
              + in.geometry().file()
              + "@"
              + in.fileOffset());
    }
    List<String> names = DatatypeCodec.listFor(count, in.remaining());
    for (int i = 0; i < count; i++) {
      names.add(name(prefix.version()));
    }
    List<EnumType.Constant> constants = DatatypeCodec.listFor(count, in.remaining());
    for (int i = 0; i < count; i++) {
      byte[] value = in.bytes(integer.size());
      constants.add(new EnumType.Constant(names.get(i), IntegerBits.read(integer, value, 0)));
    }
    return new EnumType(integer, constants);
  }

  private Datatype vlen(Prefix prefix, int depth) {
    int kind = prefix.flags() & 0xF;
    Datatype base = decode(depth + 1);
    return switch (kind) {
      case 0 -> new VlenType(prefix.size(), base);
      case 1 ->
          new VlenStringType(
              prefix.size(), stringPadding(prefix.flags() >> 4), charset(prefix, 8), base);
      default -> throw in.corrupt("variable-length type actual=" + kind + ", expected=0 or 1");
    };
  }

  private ArrayType array(Prefix prefix, int depth) {
    int rank = in.u8();
    if (rank < 1 || rank > ArrayType.RANK_LIMIT) {
      throw in.corrupt("array rank actual=" + rank + ", expected=1.." + ArrayType.RANK_LIMIT);
    }
    if (prefix.version() < 3) {
      in.bytes(3);
    }
    List<Integer> dimensions = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      dimensions.add(dimension(in.u32()));
    }
    if (prefix.version() < 3) {
      in.bytes(4 * rank);
    }
    ArrayType type = new ArrayType(dimensions, decode(depth + 1));
    if (type.size() != prefix.size()) {
      throw in.corrupt("array size actual=" + prefix.size() + ", expected=" + type.size());
    }
    return type;
  }

  private ComplexType complex(Prefix prefix, int depth) {
    if (!prefix.bit(0) || (prefix.flags() >> 1 & 3) != 0) {
      throw in.corrupt(
          "complex form bits actual=0x"
              + Integer.toHexString(prefix.flags())
              + ", expected=0x1 (homogeneous, rectangular)");
    }
    Datatype base = decode(depth + 1);
    if (!(base instanceof FloatType part)) {
      throw in.corrupt("complex base actual=" + base.describe() + ", expected a float type");
    }
    ComplexType type = new ComplexType(part);
    if (type.size() != prefix.size()) {
      throw in.corrupt("complex size actual=" + prefix.size() + ", expected=" + type.size());
    }
    return type;
  }

  /**
   * Returns a name; before version 3 it is padded so that name and NUL take a multiple of eight
   * bytes.
   */
  private String name(int version) {
    int from = in.position();
    String name = in.nulTerminatedText();
    if (version < 3) {
      int length = in.position() - from;
      in.bytes((length + 7) / 8 * 8 - length);
    }
    return name;
  }

  private StringPadding stringPadding(int bits) {
    int value = bits & 0xF;
    Optional<StringPadding> padding = StringPadding.ofCode(value);
    if (padding.isEmpty()) {
      throw in.corrupt("string padding actual=" + value + ", expected=0..2");
    }
    return padding.get();
  }

  private CharacterSet charset(Prefix prefix, int shift) {
    int value = prefix.flags() >> shift & 0xF;
    Optional<CharacterSet> charset = CharacterSet.ofCode(value);
    if (charset.isEmpty()) {
      throw in.corrupt("character set actual=" + value + ", expected=0 or 1");
    }
    return charset.get();
  }
}
