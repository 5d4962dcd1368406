package org.hyperslab.tools.edit;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.StringPadding;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the name of a datatype on a command line, such as {@code int32}, to the datatype. */
final class TypeWord implements ITypeConverter<Datatype> {

  /** What the names are, for help and messages. */
  static final String NAMES =
      "int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64 (little"
          + " endian, with be behind it big endian), bool, string (variable length), string:N (N"
          + " bytes)";

  private static final Pattern FIXED = Pattern.compile("string:([1-9]\\d{0,8})");

  private static final Map<String, Datatype> TYPES = types();

  /** The names without a number of bytes, for the completion of words by a shell. */
  static final class Candidates implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return TYPES.keySet().iterator();
    }
  }

  private static Map<String, Datatype> types() {
    Map<String, Datatype> types = new LinkedHashMap<>();
    types.put("int8", Datatypes.I8LE);
    types.put("int16", Datatypes.I16LE);
    types.put("int32", Datatypes.I32LE);
    types.put("int64", Datatypes.I64LE);
    types.put("uint8", Datatypes.U8LE);
    types.put("uint16", Datatypes.U16LE);
    types.put("uint32", Datatypes.U32LE);
    types.put("uint64", Datatypes.U64LE);
    types.put("float16", Datatypes.F16LE);
    types.put("float32", Datatypes.F32LE);
    types.put("float64", Datatypes.F64LE);
    types.put("int8be", Datatypes.I8BE);
    types.put("int16be", Datatypes.I16BE);
    types.put("int32be", Datatypes.I32BE);
    types.put("int64be", Datatypes.I64BE);
    types.put("uint8be", Datatypes.U8BE);
    types.put("uint16be", Datatypes.U16BE);
    types.put("uint32be", Datatypes.U32BE);
    types.put("uint64be", Datatypes.U64BE);
    types.put("float16be", Datatypes.F16BE);
    types.put("float32be", Datatypes.F32BE);
    types.put("float64be", Datatypes.F64BE);
    types.put("bool", Datatypes.BOOLEAN);
    types.put("string", Datatypes.vlenString());
    return Collections.unmodifiableMap(types);
  }

  @Override
  public Datatype convert(String word) {
    Matcher fixed = FIXED.matcher(word);
    if (fixed.matches()) {
      int bytes = Integer.parseInt(fixed.group(1));
      return Datatypes.fixedString(bytes, StringPadding.NULLPAD, CharacterSet.UTF8);
    }
    Datatype type = TYPES.get(word);
    if (type == null) {
      throw new TypeConversionException("actual=" + word + ", expected=one of " + NAMES);
    }
    return type;
  }
}
