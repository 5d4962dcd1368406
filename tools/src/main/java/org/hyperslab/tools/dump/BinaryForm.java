package org.hyperslab.tools.dump;

import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.tools.walk.NativeTypes;

/** The datatype of elements that are written as bytes. */
enum BinaryForm {
  /** The form in the memory of this machine. */
  NATIVE,
  /** The form in the file. */
  FILE,
  /** Little-endian numbers of 1, 2, 4 and 8 bytes; nothing else is written. */
  LITTLE,
  /** Big-endian numbers of 1, 2, 4 and 8 bytes; nothing else is written. */
  BIG;

  /**
   * Returns the form with a name.
   *
   * @throws InvalidUseException if no form has the name
   */
  static BinaryForm of(String name) {
    return switch (name) {
      case "NATIVE", "MEMORY" -> NATIVE;
      case "FILE" -> FILE;
      case "LE" -> LITTLE;
      case "BE" -> BIG;
      default ->
          throw new InvalidUseException(
              "dump -b: actual=" + name + ", expected=NATIVE, FILE, LE or BE");
    };
  }

  /**
   * Returns the datatype, in memory form, with which elements are read.
   *
   * @return the type; empty if elements of that type are not written in this form
   */
  Optional<Datatype> of(Datatype file) {
    return switch (this) {
      case NATIVE -> Optional.of(NativeTypes.ofNumbers(file.inMemory()));
      case FILE -> Optional.of(file.inMemory());
      case LITTLE -> ordered(file.inMemory(), Endian.LITTLE);
      case BIG -> ordered(file.inMemory(), Endian.BIG);
    };
  }

  private static Optional<Datatype> ordered(Datatype file, Endian order) {
    if (file.size() > 8 || Integer.bitCount(file.size()) != 1) {
      return Optional.empty();
    }
    return switch (file) {
      case IntegerType t -> Optional.of(IntegerType.of(t.size(), order, t.signed()));
      case FloatType t ->
          Optional.of(
              t.size() == Double.BYTES
                  ? Datatypes.F64LE.withOrder(order)
                  : t.size() == Float.BYTES
                      ? Datatypes.F32LE.withOrder(order)
                      : t.withOrder(order));
      case BitfieldType t -> Optional.of(BitfieldType.of(t.size(), order));
      case TimeType _,
          StringType _,
          OpaqueType _,
          CompoundType _,
          ReferenceType _,
          EnumType _,
          VlenType _,
          VlenStringType _,
          ArrayType _,
          ComplexType _ ->
          Optional.empty();
    };
  }
}
