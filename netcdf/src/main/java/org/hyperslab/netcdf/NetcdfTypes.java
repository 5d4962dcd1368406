package org.hyperslab.netcdf;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.jspecify.annotations.Nullable;

/**
 * The types of netCDF, as HDF5 datatypes. Numbers are little-endian; their big-endian twins in
 * {@link Datatypes} are netCDF types as well.
 */
public final class NetcdfTypes {

  /** Signed integer of 8 bits, NC_BYTE. */
  public static final Datatype BYTE = Datatypes.I8LE;

  /** Unsigned integer of 8 bits, NC_UBYTE. */
  public static final Datatype UBYTE = Datatypes.U8LE;

  /** One byte of text, NC_CHAR. */
  public static final Datatype CHAR =
      Datatypes.fixedString(1, StringPadding.NULLTERM, CharacterSet.ASCII);

  /** Signed integer of 16 bits, NC_SHORT. */
  public static final Datatype SHORT = Datatypes.I16LE;

  /** Unsigned integer of 16 bits, NC_USHORT. */
  public static final Datatype USHORT = Datatypes.U16LE;

  /** Signed integer of 32 bits, NC_INT. */
  public static final Datatype INT = Datatypes.I32LE;

  /** Unsigned integer of 32 bits, NC_UINT. */
  public static final Datatype UINT = Datatypes.U32LE;

  /** Signed integer of 64 bits, NC_INT64. */
  public static final Datatype INT64 = Datatypes.I64LE;

  /** Unsigned integer of 64 bits, NC_UINT64. */
  public static final Datatype UINT64 = Datatypes.U64LE;

  /** IEEE floating point of 32 bits, NC_FLOAT. */
  public static final Datatype FLOAT = Datatypes.F32LE;

  /** IEEE floating point of 64 bits, NC_DOUBLE. */
  public static final Datatype DOUBLE = Datatypes.F64LE;

  /** Text of any length in UTF-8, NC_STRING. */
  public static final Datatype STRING = Datatypes.vlenString(CharacterSet.UTF8);

  private NetcdfTypes() {}

  /** Returns the netCDF type for elements of a Java class, or null if there is none. */
  static @Nullable Datatype of(Class<?> elementClass) {
    if (elementClass == String.class) {
      return STRING;
    }
    return switch (elementClass.getName()) {
      case "byte" -> BYTE;
      case "char" -> CHAR;
      case "short" -> SHORT;
      case "int" -> INT;
      case "long" -> INT64;
      case "float" -> FLOAT;
      case "double" -> DOUBLE;
      default -> null;
    };
  }

  static boolean isChar(Datatype type) {
    return type instanceof StringType text && text.size() == 1;
  }

  /**
   * Requires that text is not written as elements of NC_CHAR, each of which is one byte.
   *
   * @param values what is written
   * @param type the type of the variable
   * @param path the path of the variable, for the message
   */
  static void requireNoText(Object values, Datatype type, String path) {
    Class<?> leaf = values == null ? Object.class : values.getClass();
    while (leaf.isArray()) {
      leaf = leaf.componentType();
    }
    if (leaf == String.class && isChar(type)) {
      throw new InvalidUseException(
          "text: actual=a String for NC_CHAR, expected=the bytes of texts along the last axis:"
              + " section(origin, shape).writeText(text...), or all().writeText(text...), at="
              + path);
    }
  }

  static boolean isUserType(Datatype type) {
    return type instanceof CompoundType
        || type instanceof EnumType
        || type instanceof OpaqueType
        || type instanceof VlenType;
  }

  static boolean isClassic(Datatype type) {
    return isChar(type)
        || type instanceof FloatType
        || type instanceof IntegerType number && number.signed() && number.size() <= 4;
  }

  /**
   * Checks that netCDF-4 has a type.
   *
   * @throws UnsupportedFeatureException if it, or a part of it, is not a netCDF type
   */
  static void require(Datatype type, String at) {
    if (!isNetcdf(type)) {
      throw new UnsupportedFeatureException(
          "type: actual="
              + (type == null ? "null" : type.describe())
              + ", expected=a type of netCDF-4: integers of 1, 2, 4, 8 bytes, IEEE floats of 4 and"
              + " 8, NetcdfTypes.CHAR, NetcdfTypes.STRING, or a compound, enum, opaque or"
              + " variable-length type of these, at="
              + at);
    }
  }

  private static boolean isNetcdf(Datatype type) {
    return switch (type) {
      case IntegerType number ->
          number.fillsElement() && Integer.bitCount(number.size()) == 1 && number.size() <= 8;
      case FloatType number ->
          number.equals(Datatypes.F32LE)
              || number.equals(Datatypes.F32BE)
              || number.equals(Datatypes.F64LE)
              || number.equals(Datatypes.F64BE);
      case StringType text -> text.size() == 1;
      case VlenStringType _, OpaqueType _ -> true;
      case EnumType e -> isNetcdf(e.base());
      case VlenType v -> isNetcdf(v.base());
      case CompoundType c ->
          c.members().stream()
              .map(CompoundType.Member::type)
              .allMatch(m -> isNetcdf(m instanceof ArrayType a ? a.base() : m));
      case null, default -> false;
    };
  }
}
