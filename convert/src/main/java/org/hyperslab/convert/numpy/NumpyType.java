package org.hyperslab.convert.numpy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.jspecify.annotations.Nullable;

/**
 * A NumPy data type as an HDF5 datatype of the same size. Numbers and byte strings also have the
 * same bytes; text (U) becomes UTF-8 in four bytes for each character.
 *
 * @param type the datatype
 * @param text the positions of text in an element, which has different bytes in NumPy; empty if
 *     there is none
 */
public record NumpyType(Datatype type, Optional<UcsText> text) {

  /** The marker for NumPy objects that are strings. */
  public static final NumpyType TEXT = new NumpyType(Datatypes.vlenString(), Optional.empty());

  /** Objects that are sequences of bytes. */
  public static final NumpyType BYTES =
      new NumpyType(Datatypes.vlen(Datatypes.U8LE), Optional.empty());

  private static final int MAX_ELEMENT_BYTES = 1 << 30;

  /**
   * Returns the type for a parsed {@code descr}.
   *
   * @param descr a String, or a List of fields
   * @param file the file, for messages
   * @return the type
   * @throws CorruptFileException if the description is malformed
   * @throws UnsupportedFeatureException if HDF5 has no such type
   */
  public static NumpyType of(Object descr, String file) {
    try {
      return switch (descr) {
        case String code -> scalar(code, file);
        case List<?> fields -> structured(fields, file);
        default -> throw corrupt("actual=" + descr + ", expected=a type", file, null);
      };
    } catch (InvalidUseException wrong) {
      throw corrupt("actual=" + wrong.getMessage(), file, wrong);
    }
  }

  private static CorruptFileException corrupt(
      String problem, String file, @Nullable Exception cause) {
    return new CorruptFileException(
        file, "NumPy type", CorruptFileException.NO_OFFSET, problem, cause);
  }

  private static UnsupportedFeatureException unsupported(String code, String file) {
    return new UnsupportedFeatureException(
        "NumPy type: actual=" + code + ", expected=a type with an HDF5 equivalent, at=" + file);
  }

  private static NumpyType scalar(String code, String file) {
    String rest = code.isEmpty() || "<>|=".indexOf(code.charAt(0)) < 0 ? code : code.substring(1);
    Endian order = code.startsWith(">") ? Endian.BIG : Endian.LITTLE;
    if (rest.isEmpty()) {
      throw corrupt("actual=\"" + code + "\", expected=a type", file, null);
    }
    int size = size(rest, code, file);
    Datatype type =
        switch (rest.charAt(0)) {
          case 'b' -> size == 1 ? Datatypes.BOOLEAN : null;
          case '?' -> Datatypes.BOOLEAN;
          case 'i' -> integer(size, order, true);
          case 'u' -> integer(size, order, false);
          case 'f' -> real(size, order);
          case 'c' -> complex(size, order);
          case 'm', 'M' -> size == 8 ? IntegerType.of(8, order, true) : null;
          case 'S', 'a' ->
              size == 0 ? null : new StringType(size, StringPadding.NULLPAD, CharacterSet.ASCII);
          case 'V' -> size == 0 ? null : Datatypes.opaque(size, "");
          case 'U' -> {
            if (size == 0) {
              throw unsupported(code, file);
            }
            int bytes = Math.multiplyExact(4, size);
            yield new StringType(bytes, StringPadding.NULLPAD, CharacterSet.UTF8);
          }
          default -> null;
        };
    if (type == null) {
      throw unsupported(code, file);
    }
    boolean isText = rest.charAt(0) == 'U';
    return new NumpyType(
        type,
        isText ? Optional.of(new UcsText.Field(size, order == Endian.BIG)) : Optional.empty());
  }

  private static int size(String rest, String code, String file) {
    int end = 1;
    while (end < rest.length() && rest.charAt(end) >= '0' && rest.charAt(end) <= '9') {
      end++;
    }
    boolean isTime = rest.charAt(0) == 'm' || rest.charAt(0) == 'M';
    if (end < rest.length() && !(isTime && rest.charAt(end) == '[')) {
      throw corrupt("actual=\"" + code + "\", expected=a letter and a size", file, null);
    }
    if (end > 11) {
      throw corrupt("actual=\"" + code + "\", expected=a smaller size", file, null);
    }
    long size = end == 1 ? 0 : Long.parseLong(rest.substring(1, end));
    if (size > MAX_ELEMENT_BYTES / 4) {
      throw corrupt("actual=\"" + code + "\", expected=a smaller size", file, null);
    }
    return (int) size;
  }

  private static @Nullable Datatype integer(int size, Endian order, boolean signed) {
    return switch (size) {
      case 1 -> IntegerType.of(1, Endian.LITTLE, signed);
      case 2, 4, 8 -> IntegerType.of(size, order, signed);
      default -> null;
    };
  }

  private static @Nullable FloatType real(int size, Endian order) {
    return switch (size) {
      case 2 -> Datatypes.F16LE.withOrder(order);
      case 4 -> Datatypes.F32LE.withOrder(order);
      case 8 -> Datatypes.F64LE.withOrder(order);
      case 16 -> order == Endian.LITTLE ? Datatypes.X87_LONG_DOUBLE : null;
      default -> null;
    };
  }

  /** Returns the compound type in which h5py stores complex numbers. */
  private static @Nullable Datatype complex(int size, Endian order) {
    FloatType part = size == 8 || size == 16 || size == 32 ? real(size / 2, order) : null;
    return part == null ? null : CompoundType.builder().member("r", part).member("i", part).build();
  }

  private static NumpyType structured(List<?> fields, String file) {
    CompoundType.Builder builder = CompoundType.builder();
    List<UcsText.Part> texts = new ArrayList<>();
    long offset = 0;
    boolean any = false;
    for (Object field : fields) {
      if (!(field instanceof List<?> parts) || parts.size() < 2 || parts.size() > 3) {
        throw corrupt("actual=" + field + ", expected=(name, type)", file, null);
      }
      NumpyType member = of(parts.get(1), file);
      if (parts.size() == 3) {
        member = member.repeated(parts.get(2), file);
      }
      String name = name(parts.getFirst(), file);
      if (!name.isEmpty()) {
        builder.member(name, (int) offset, member.type);
        any = true;
        int at = (int) offset;
        member.text.ifPresent(text -> texts.add(new UcsText.Part(at, text)));
      }
      offset += member.type.size();
      if (offset > MAX_ELEMENT_BYTES) {
        throw corrupt("actual=more than " + MAX_ELEMENT_BYTES + " bytes", file, null);
      }
    }
    if (!any) {
      throw unsupported("a structure without fields", file);
    }
    return new NumpyType(
        builder.size((int) offset).build(),
        texts.isEmpty() ? Optional.empty() : Optional.of(new UcsText.Structure(texts)));
  }

  private static String name(Object name, String file) {
    return switch (name) {
      case String text -> text;
      case List<?> titled when titled.size() == 2 && titled.get(1) instanceof String text -> text;
      default -> throw corrupt("actual=" + name + ", expected=a name", file, null);
    };
  }

  private NumpyType repeated(Object shape, String file) {
    List<?> lengths = shape instanceof List<?> list ? list : List.of(shape);
    List<Integer> dims = new ArrayList<>();
    long count = 1;
    for (Object length : lengths) {
      if (!(length instanceof BigInteger n) || n.signum() <= 0 || n.bitLength() > 31) {
        throw corrupt("actual=" + length + ", expected=a length from 1", file, null);
      }
      dims.add(n.intValue());
      count *= n.longValue();
      if (count > MAX_ELEMENT_BYTES / type.size()) {
        throw corrupt("actual=" + shape + ", expected=a smaller array", file, null);
      }
    }
    if (dims.isEmpty()) {
      return this;
    }
    int times = (int) count;
    return new NumpyType(
        new ArrayType(dims, type),
        text.map(each -> new UcsText.Repeated(each, type.size(), times)));
  }

  /**
   * Returns the attribute needed to restore a type, if the datatype alone does not suffice.
   *
   * @param descr the type, parsed
   * @param type its datatype
   * @param file the file, for messages
   * @return the attribute, or empty
   */
  public static List<AttributeValue> keep(Object descr, Datatype type, String file) {
    return NumpyAttribute.keep(NpyHeader.literal(descr), descr, type, file);
  }

  /**
   * Returns whether the numbers of a type are big-endian.
   *
   * @param descr the type, parsed
   * @return false for types of several numbers
   */
  public static boolean isBigEndian(Object descr) {
    return descr instanceof String code && code.startsWith(">");
  }

  /** Returns a NumPy name for the opaque bytes of a type. */
  static String opaque(OpaqueType type) {
    return "|V" + type.size();
  }
}
