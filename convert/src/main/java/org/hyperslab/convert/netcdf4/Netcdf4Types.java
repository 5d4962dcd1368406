package org.hyperslab.convert.netcdf4;

import java.util.Arrays;
import java.util.List;
import org.hyperslab.Memory;
import org.hyperslab.convert.classic.ClassicPlan;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.rewrite.CharArrays;
import org.hyperslab.convert.rewrite.LittleEnums;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.netcdf.NetcdfGroup;
import org.hyperslab.netcdf.NetcdfObject;
import org.hyperslab.netcdf.NetcdfTypes;
import org.hyperslab.netcdf.NetcdfVariable;

/**
 * Converts elements and attributes to types that netCDF-4 has, and defines user-defined types.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Netcdf4Types {

  private Netcdf4Types() {}

  // --- variables ---

  /** Returns a variable of the same bytes, in the type that netCDF-4 has for them. */
  static Variable held(Variable given, ConversionRun work) {
    Variable variable = LittleEnums.of(given);
    Datatype type = variable.type();
    if (type instanceof BitfieldType bits && bits.fillsElement()) {
      work.reportLoss("a bitfield, which is an unsigned integer in netCDF", variable.path());
      type = IntegerType.of(bits.size(), bits.order(), false);
    } else if (type instanceof StringType text && text.size() == 1) {
      type = CharArrays.CHARACTER;
    } else {
      type = held(type);
    }
    return type.equals(variable.type())
        ? variable
        : new Variable(
            variable.path(), type, variable.space(), variable.traits(), variable.elements());
  }

  /** Members that are strings become arrays of characters. */
  static Datatype held(Datatype type) {
    if (!(type instanceof CompoundType compound)) {
      return type;
    }
    CompoundType.Builder builder = CompoundType.builder();
    for (CompoundType.Member member : compound.members()) {
      Datatype part = member.type();
      Datatype held =
          part instanceof StringType text && text.size() > 1
              ? new ArrayType(List.of(text.size()), CharArrays.CHARACTER)
              : held(part);
      builder.member(member.name(), member.offset(), held);
    }
    return builder.size(compound.size()).build();
  }

  /** Returns the type of a variable; a user type that no group above defines is defined. */
  static Datatype defined(NetcdfGroup group, Variable variable) {
    define(group, variable.type(), variable.name() + "_t");
    return variable.type();
  }

  private static void define(NetcdfGroup group, Datatype type, String name) {
    switch (type) {
      case CompoundType compound ->
          compound
              .members()
              .forEach(member -> define(group, member.type(), name + "_" + member.name()));
      case VlenType sequence -> define(group, sequence.base(), name + "_base");
      case ArrayType array -> define(group, array.base(), name);
      default -> {
        // has no parts
      }
    }
    if (isUserType(type) && !isDefined(group, type)) {
      defineUnderFreeName(group, type, name);
    }
  }

  private static boolean isDefined(NetcdfGroup group, Datatype type) {
    return group.types().stream().anyMatch(known -> known.datatype().equals(type))
        || group.parent().filter(above -> isDefined(above, type)).isPresent();
  }

  private static void defineUnderFreeName(NetcdfGroup group, Datatype type, String name) {
    String free = name.replace('/', '_');
    while (true) {
      try {
        group.defineType(free, type);
        return;
      } catch (AlreadyExistsException _) {
        free += "_";
      }
    }
  }

  // --- attributes ---

  /** Sets an attribute of one dimension. Text of one fixed string becomes NC_CHAR. */
  static void setAttribute(NetcdfObject object, AttributeValue given, ConversionRun work) {
    AttributeValue attribute = LittleEnums.of(given);
    String name = attribute.name();
    Datatype type = attribute.type();
    long count = attribute.space().elementCount();
    if (type instanceof StringType && count <= 1) {
      setText(object, attribute);
    } else if (type instanceof StringType) {
      object.setAttribute(name, strings(attribute), NetcdfTypes.STRING);
    } else if (type instanceof VlenStringType) {
      object.setAttribute(name, strings(attribute), NetcdfTypes.STRING);
    } else {
      NetcdfGroup group =
          switch (object) {
            case NetcdfGroup own -> own;
            case NetcdfVariable variable -> variable.group();
          };
      Datatype held = held(type);
      define(group, held, name + "_t");
      object.setAttribute(name, values(attribute, held), held);
    }
  }

  /** Text is bytes, in any encoding. */
  private static void setText(NetcdfObject object, AttributeValue attribute) {
    if (attribute.space().elementCount() == 0) {
      object.setAttribute(attribute.name(), new Object[0], NetcdfTypes.CHAR);
      return;
    }
    byte[] bytes = ClassicPlan.text(attribute);
    if (bytes.length == 0) {
      object.setAttribute(attribute.name(), new Object[0], NetcdfTypes.CHAR);
    } else {
      object.setAttribute(attribute.name(), NameBytes.decode(bytes), NetcdfTypes.CHAR);
    }
  }

  private static String[] strings(AttributeValue attribute) {
    String[] strings = new String[Math.toIntExact(attribute.space().elementCount())];
    for (int i = 0; i < strings.length; i++) {
      strings[i] = (String) attribute.element(i);
    }
    return strings;
  }

  /** Values of user types stay in memory form, in which all of them can be written. */
  private static Object values(AttributeValue attribute, Datatype held) {
    int count = Math.toIntExact(attribute.space().elementCount());
    if (isUserType(held) && count > 0) {
      return new Memory(held, Dataspace.simple(count), Selection.all(), attribute.data());
    }
    Object[] values = new Object[count];
    Arrays.setAll(values, attribute::element);
    return values;
  }

  private static boolean isUserType(Datatype type) {
    return type instanceof CompoundType
        || type instanceof EnumType
        || type instanceof OpaqueType
        || type instanceof VlenType;
  }
}
