package org.hyperslab.interchange.json;

import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.interchange.numpy.PlainTypes;

/**
 * Describes datatypes as h5grove does: HDF5's class numbers, NumPy's names.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class TypeJson {

  private final JsonOutput out;

  /**
   * Creates a writer.
   *
   * @param out receives the text
   */
  public TypeJson(JsonOutput out) {
    this.out = out;
  }

  /**
   * Writes a type as an object.
   *
   * @param type the type as stored
   */
  public void write(Datatype type) {
    out.open('{');
    members(type);
    out.close('}');
  }

  private void members(Datatype type) {
    out.member("class", classNumber(type));
    out.name("dtype");
    dtype(type);
    out.member("size", type.size());
    switch (type) {
      case IntegerType t ->
          out.member("order", order(t.order())).member("sign", t.signed() ? 1 : 0);
      case FloatType t -> out.member("order", order(t.order()));
      case BitfieldType t -> out.member("order", order(t.order()));
      case TimeType t -> out.member("order", order(t.order()));
      case StringType t -> string(t.charset(), t.padding(), false);
      case VlenStringType t -> string(t.charset(), t.padding(), true);
      case OpaqueType t -> out.member("tag", t.tag());
      case CompoundType t -> compound(t);
      case ComplexType t -> pair(t);
      case EnumType t -> enumeration(t);
      case VlenType t -> base(t.base());
      case ArrayType t -> {
        out.name("dims").value(t.dimensions().stream().mapToLong(Integer::longValue).toArray());
        base(t.base());
      }
      case ReferenceType _ -> {}
    }
  }

  /**
   * Returns the class number: variable-length strings are of the class of strings, complex numbers
   * are the compound of h5py.
   */
  private static int classNumber(Datatype type) {
    return switch (type) {
      case VlenStringType _ -> 3;
      case ComplexType _ -> 6;
      default -> type.classNumber();
    };
  }

  private void dtype(Datatype type) {
    switch (type) {
      case VlenStringType _, VlenType _, ReferenceType _ -> out.value("|O");
      case CompoundType t -> {
        out.open('{');
        t.members()
            .forEach(member -> {
              out.name(member.name());
              dtype(member.type());
            });
        out.close('}');
      }
      default -> out.value(PlainTypes.typestr(type).orElse("|V" + type.size()));
    }
  }

  private static int order(Endian order) {
    return switch (order) {
      case LITTLE -> 0;
      case BIG -> 1;
      case VAX -> 2;
    };
  }

  private void string(CharacterSet charset, StringPadding padding, boolean variable) {
    out.member("cset", charset == CharacterSet.UTF8 ? 1 : 0);
    // h5grove writes strpad, h5web reads strPad.
    out.member("strpad", padding.ordinal()).member("strPad", padding.ordinal());
    out.name("vlen").value(variable);
  }

  private void compound(CompoundType type) {
    out.name("members").open('[');
    type.members().forEach(member -> member(member.name(), member.type()));
    out.close(']');
  }

  private void pair(ComplexType type) {
    out.name("members").open('[');
    member("r", type.base());
    member("i", type.base());
    out.close(']');
  }

  private void member(String name, Datatype type) {
    out.open('{').member("name", name);
    members(type);
    out.close('}');
  }

  private void enumeration(EnumType type) {
    out.name("members").open('{');
    type.constants().forEach(constant -> out.member(constant.name(), constant.value()));
    out.close('}');
    base(type.base());
  }

  private void base(Datatype base) {
    out.name("base");
    write(base);
  }
}
