package org.hyperslab.convert.rewrite;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.interchange.json.JsonText;

/**
 * Converts attributes from and to JSON. Strings, numbers, booleans and homogeneous lists of them
 * become typed attributes. All other JSON is kept as text and listed in the attribute {@value
 * #NAMES}, so that it can be restored unchanged.
 *
 * <p>Thread rule: stateless.
 */
public final class JsonAttributes {

  /**
   * The name of the attribute that lists the attributes holding JSON as text, one name on each
   * line.
   */
  static final String NAMES = "zarr_json_attributes";

  private JsonAttributes() {}

  /**
   * Returns attributes; names that HDF5 does not have are given to {@link
   * ConversionRun#reportLoss}.
   */
  public static List<AttributeValue> parse(Map<?, ?> json, String path, ConversionRun work) {
    List<AttributeValue> attributes = new ArrayList<>();
    List<String> asText = new ArrayList<>();
    for (Map.Entry<?, ?> entry : json.entrySet()) {
      String name = (String) entry.getKey();
      if (name.isEmpty() || !isText(name)) {
        work.reportLoss("an attribute with the name " + JsonText.write(name), path);
        continue;
      }
      Optional<AttributeValue> typed = typed(name, entry.getValue());
      if (typed.isEmpty()) {
        asText.add(name);
      }
      attributes.add(
          typed.orElseGet(() -> AttributeValue.ofText(name, JsonText.write(entry.getValue()))));
    }
    if (!asText.isEmpty()) {
      attributes.add(AttributeValue.ofText(NAMES, String.join("\n", asText)));
    }
    return attributes;
  }

  private static Optional<AttributeValue> typed(String name, Object value) {
    if (value instanceof String text) {
      return isText(text) ? Optional.of(AttributeValue.ofText(name, text)) : Optional.empty();
    }
    boolean isList = value instanceof List<?>;
    List<?> all = value instanceof List<?> list ? list : List.of(value);
    Optional<Datatype> type = commonType(all);
    if (type.isEmpty()) {
      return Optional.empty();
    }
    Dataspace space = isList ? Dataspace.simple(all.size()) : Dataspace.scalar();
    DataBuffer data = DataBuffer.allocate(type.get(), all.size());
    Datatype memory = type.get().inMemory();
    ElementCodec codec = ElementCodec.of(memory);
    try {
      for (int i = 0; i < all.size(); i++) {
        codec.encode(all.get(i), data.elements(), (long) i * memory.size(), data.heap());
      }
    } catch (InvalidUseException _) {
      return Optional.empty(); // an integer of more than 64 bits
    }
    return Optional.of(new AttributeValue(name, type.get(), space, data));
  }

  /** Returns whether HDF5 has a text, which contains neither NUL nor half of a character. */
  private static boolean isText(String text) {
    try {
      NameBytes.requireEncodable(text);
      return text.indexOf('\0') < 0;
    } catch (InvalidUseException unpaired) {
      return false;
    }
  }

  private static Optional<Datatype> commonType(List<?> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    if (values.stream().allMatch(BigInteger.class::isInstance)) {
      boolean large = values.stream().anyMatch(v -> ((BigInteger) v).bitLength() > 63);
      return Optional.of(large ? Datatypes.U64LE : Datatypes.I64LE);
    }
    if (values.stream().allMatch(Double.class::isInstance)) {
      return Optional.of(Datatypes.F64LE);
    }
    if (values.stream().allMatch(Boolean.class::isInstance)) {
      return Optional.of(Datatypes.BOOLEAN);
    }
    boolean texts = values.stream().allMatch(v -> v instanceof String text && isText(text));
    return texts ? Optional.of(Datatypes.vlenString()) : Optional.empty();
  }

  /**
   * Makes attributes of one element scalars, in a group and all below it. netCDF does not
   * distinguish them, and its programs and xarray take them for scalars.
   */
  public static void makeScalars(GroupNode group) {
    group.attributes().replaceAll(JsonAttributes::scalar);
    group
        .variables()
        .replaceAll(variable ->
            new Variable(
                variable.path(),
                variable.type(),
                variable.space(),
                variable
                    .traits()
                    .withAttributes(
                        variable.traits().attributes().stream()
                            .map(JsonAttributes::scalar)
                            .toList()),
                variable.elements()));
    group.groups().forEach(JsonAttributes::makeScalars);
  }

  private static AttributeValue scalar(AttributeValue attribute) {
    boolean isOne =
        attribute.space().kind() != Dataspace.Kind.NULL && attribute.space().elementCount() == 1;
    return isOne
        ? new AttributeValue(
            attribute.name(), attribute.type(), Dataspace.scalar(), attribute.data())
        : attribute;
  }

  /** Attributes as JSON; what has no form in it is given to {@link ConversionRun#reportLoss}. */
  public static Map<String, Object> describe(
      List<AttributeValue> attributes, String path, ConversionRun work) {
    List<String> asText =
        attributes.stream()
            .filter(a -> a.name().equals(NAMES))
            .findFirst()
            .flatMap(AttributeValue::text)
            .map(text -> List.of(text.split("\n")))
            .orElse(List.of());
    Map<String, Object> json = new LinkedHashMap<>();
    for (AttributeValue attribute : attributes) {
      if (attribute.name().equals(NAMES)) {
        continue;
      }
      Optional<String> text = attribute.text();
      if (asText.contains(attribute.name()) && text.isPresent()) {
        json.put(attribute.name(), JsonText.parse(text.get(), path));
      } else if (attribute.space().kind() == Dataspace.Kind.NULL) {
        work.reportLoss(
            "the attribute " + attribute.name() + ", which has no elements (null dataspace)", path);
      } else if (!isKnown(attribute.type())) {
        work.reportLoss(
            "the attribute " + attribute.name() + " of type " + attribute.type().describe(), path);
      } else if (attribute.space().rank() > 1) {
        work.reportLoss("the attribute " + attribute.name() + " of several dimensions", path);
      } else {
        json.put(attribute.name(), value(attribute));
      }
    }
    return json;
  }

  private static boolean isKnown(Datatype type) {
    return switch (type) {
      case IntegerType _, FloatType _, StringType _, VlenStringType _ -> true;
      case EnumType t -> t.isBoolean();
      default -> false;
    };
  }

  private static Object value(AttributeValue attribute) {
    if (attribute.space().rank() == 0) {
      return element(attribute, 0);
    }
    List<Object> list = new ArrayList<>();
    for (long i = 0; i < attribute.space().elementCount(); i++) {
      list.add(element(attribute, i));
    }
    return list;
  }

  private static Object element(AttributeValue attribute, long index) {
    Datatype memory = attribute.type().inMemory();
    MemorySegment elements = attribute.data().elements();
    if (memory instanceof EnumType) {
      return ElementCodec.of(memory)
          .decodeAs(elements, index * memory.size(), attribute.data().heap(), Boolean.class);
    }
    Object value = attribute.element(index);
    return value == null ? JsonText.NULL : value;
  }
}
