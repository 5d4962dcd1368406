package org.hyperslab.web.zarr;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.interchange.json.ElementJson;
import org.hyperslab.interchange.json.JsonOutput;

/**
 * The attribute {@code _FillValue} of a variable as the fill value of an array of Zarr version 2:
 * xarray takes the latter for the value of missing elements, and for nothing else. So an array has
 * this fill value or none, whatever that of its dataset is.
 *
 * @param element one element in the array's type; empty for texts
 * @param json the value of the member {@code fill_value}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FillAttribute(byte[] element, JsonOutput json) {

  /** The name of the attribute. */
  static final String NAME = "_FillValue";

  private static final int LIMIT_BYTES = 1 << 20;

  /**
   * {@return the attribute of a dataset; empty if there is none, or the array's type does not
   * represent it exactly, or Zarr has no form for it}
   *
   * @param dataset the dataset
   * @param type the type of the array's elements
   */
  static Optional<FillAttribute> of(Dataset dataset, Datatype type) {
    try {
      if (!hasForm(type) || !dataset.hasAttribute(NAME)) {
        return Optional.empty();
      }
      Attribute attribute = dataset.attribute(NAME);
      if (attribute.space().kind() == Dataspace.Kind.NULL
          || attribute.space().elementCount() != 1) {
        return Optional.empty();
      }
      Memory memory = ElementJson.memory(attribute.type(), 1);
      attribute.read(memory.type().inMemory(), memory.data());
      if (type instanceof VlenStringType) {
        return text(memory).map(text -> new FillAttribute(new byte[0], out().value(text)));
      }
      return ZarrElementBytes.of(memory.type().inMemory(), memory.data(), type)
          .map(element -> new FillAttribute(element, json(element, type)));
    } catch (HyperslabException damaged) {
      return Optional.empty(); // it is an attribute like others, if at all
    }
  }

  private static Optional<String> text(Memory memory) {
    Object value =
        ElementCodec.of(memory.type().inMemory())
            .decode(memory.data().elements(), 0, memory.data().heap());
    return value instanceof String text ? Optional.of(text) : Optional.empty();
  }

  private static boolean hasForm(Datatype type) {
    return switch (type) {
      case IntegerType _, FloatType _, BitfieldType _, EnumType _ -> true;
      case StringType _, VlenStringType _ -> true;
      default -> false;
    };
  }

  private static JsonOutput out() {
    return JsonOutput.ofPython(LIMIT_BYTES);
  }

  private static JsonOutput json(byte[] element, Datatype type) {
    return switch (type) {
      case EnumType t when t.isBoolean() -> out().value(element[0] != 0);
      case EnumType t -> json(element, t.base());
      case StringType _ -> out().value(Base64.getEncoder().encodeToString(element));
      default -> {
        Number value =
            (Number)
                ElementCodec.of(type).decode(MemorySegment.ofArray(element), 0, VlenHeap.none());
        double real = value.doubleValue();
        yield type instanceof FloatType && !Double.isFinite(real)
            ? out().value(word(real))
            : out().number(value);
      }
    };
  }

  /** Returns the word by which Zarr writes a number that JSON lacks. */
  private static String word(double value) {
    return Double.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  }

  /**
   * {@return whether an element of the array is this one}
   *
   * @param other the element's bytes
   * @param type the type of the array's elements
   */
  public boolean is(byte[] other, Datatype type) {
    return Arrays.equals(element, other)
        || type instanceof FloatType && isNan(element, type) && isNan(other, type);
  }

  private static boolean isNan(byte[] element, Datatype type) {
    Object value = ElementCodec.of(type).decode(MemorySegment.ofArray(element), 0, VlenHeap.none());
    return value instanceof Number number && Double.isNaN(number.doubleValue());
  }
}
