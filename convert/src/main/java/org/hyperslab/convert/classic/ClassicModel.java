package org.hyperslab.convert.classic;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.ClassicType;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.rewrite.CharArrays;
import org.hyperslab.convert.rewrite.FixedText;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;

/**
 * Rewrites the root group such that the classic model of netCDF-4 holds it, as a classic file
 * would. Variable-length strings become fixed-length ones, a single string of an attribute becomes
 * characters, and only the dimension of records may grow or have the length 0. Everything else that
 * the model does not hold is left for the {@code netcdf} module to reject.
 *
 * <p>Thread rule: stateless.
 */
public final class ClassicModel {

  private ClassicModel() {}

  /**
   * Rewrites a group.
   *
   * @param root the root group
   * @param work reads strings, and receives reports of what is lost
   */
  public static void apply(GroupNode root, ConversionRun work) {
    root.groups()
        .forEach(group -> ClassicLosses.report("the group " + group.name(), group.path(), work));
    root.groups().clear();
    root.types().clear(); // their names have been reported
    Optional<Dimension> record = ClassicPlan.recordOf(root);
    root.dimensions().removeIf(dimension -> isLost(dimension, record, work));
    root.dimensions().replaceAll(dimension -> fixed(dimension, record, dimension.path(), work));
    List<AttributeValue> attributes = held(root.attributes(), root.path(), work);
    root.attributes().clear();
    root.attributes().addAll(attributes);
    List<Variable> held = new ArrayList<>();
    for (Variable variable : root.variables()) {
      held(variable, record, work).ifPresent(held::add);
    }
    root.variables().clear();
    root.variables().addAll(held);
  }

  /** netCDF-C takes any dimension of length 0 for one that may grow. */
  private static boolean isEmpty(Dimension dimension, Optional<Dimension> record) {
    return dimension.length() == 0 && !record.equals(Optional.of(dimension));
  }

  private static boolean isLost(
      Dimension dimension, Optional<Dimension> record, ConversionRun work) {
    boolean isEmpty = isEmpty(dimension, record);
    if (isEmpty) {
      String path = dimension.path();
      ClassicLosses.report("the dimension " + path + " of length 0", path, work);
    }
    return isEmpty;
  }

  private static Dimension fixed(
      Dimension dimension, Optional<Dimension> record, String at, ConversionRun work) {
    if (!isToBeFixed(dimension, record)) {
      return dimension;
    }
    String name = dimension.path().isEmpty() ? "without a name" : dimension.path();
    ClassicLosses.report(
        "the dimension "
            + name
            + ", which may grow, beside the one of records, or not as the first axis",
        at,
        work);
    return new Dimension(dimension.path(), dimension.length(), false);
  }

  private static boolean isToBeFixed(Dimension dimension, Optional<Dimension> record) {
    return dimension.unlimited() && !record.equals(Optional.of(dimension));
  }

  private static Optional<Variable> held(
      Variable variable, Optional<Dimension> record, ConversionRun work) {
    if (variable.space().kind() == Dataspace.Kind.NULL) {
      return Optional.of(variable);
    }
    if (ClassicPlan.dimensionsOf(variable).stream().anyMatch(d -> isEmpty(d, record))) {
      ClassicLosses.reportEmpty(variable, work);
      return Optional.empty();
    }
    Optional<Variable> text =
        variable.type() instanceof VlenStringType
            ? FixedText.ofBytes(variable, work)
            : Optional.of(variable);
    return text.flatMap(one -> withType(withDimensions(one, record, work), work));
  }

  private static Variable withDimensions(
      Variable variable, Optional<Dimension> record, ConversionRun work) {
    List<Dimension> dimensions = ClassicPlan.dimensionsOf(variable);
    if (dimensions.stream().noneMatch(dimension -> isToBeFixed(dimension, record))) {
      return variable;
    }
    Dataspace space = variable.space();
    long[] most = new long[space.rank()];
    long[] chunk = variable.traits().chunk().stream().mapToLong(Long::longValue).toArray();
    List<Dimension> fixed = new ArrayList<>();
    for (int axis = 0; axis < most.length; axis++) {
      Dimension dimension = dimensions.get(axis);
      boolean toBeFixed = isToBeFixed(dimension, record);
      most[axis] = toBeFixed ? space.dim(axis) : space.maxDim(axis);
      if (toBeFixed && chunk.length > 0) { // HDF5 limits chunks to lengths that are fixed
        chunk[axis] = Math.min(space.dim(axis), chunk[axis]);
      }
      boolean isReported = !dimension.path().isEmpty(); // with the group's dimensions
      fixed.add(
          toBeFixed && isReported
              ? new Dimension(dimension.path(), dimension.length(), false)
              : fixed(dimension, record, variable.path(), work));
    }
    return new Variable(
        variable.path(),
        variable.type(),
        Dataspace.simple(space.dims(), most),
        variable.traits().withDimensions(fixed).withChunk(chunk),
        variable.elements());
  }

  private static Optional<Variable> withType(Variable variable, ConversionRun work) {
    String whose = "the variable " + variable.name();
    Datatype type = number(whose, variable.type(), variable.path(), work);
    if (!isHeld(type)) {
      ClassicLosses.reportType(whose, type, variable.path(), work);
      return Optional.empty();
    }
    return Optional.of(
        new Variable(
            variable.path(),
            type,
            variable.space(),
            variable
                .traits()
                .withAttributes(held(variable.traits().attributes(), variable.path(), work)),
            variable.elements()));
  }

  /** Returns whether a type is one of the model, or is made characters or reported later. */
  private static boolean isHeld(Datatype type) {
    return type instanceof StringType
        || type instanceof BitfieldType
        || ClassicType.of(type).filter(known -> !known.needsCdf5()).isPresent();
  }

  /** Enumerations that could not become flags lose their names. */
  private static Datatype number(String whose, Datatype type, String path, ConversionRun work) {
    if (!(type instanceof EnumType enumeration)) {
      return type;
    }
    ClassicLosses.reportNames(whose, enumeration, path, work);
    return enumeration.base();
  }

  private static List<AttributeValue> held(
      List<AttributeValue> attributes, String path, ConversionRun work) {
    List<AttributeValue> held = new ArrayList<>();
    attributes.forEach(attribute -> held(attribute, path, work).ifPresent(held::add));
    return held;
  }

  private static Optional<AttributeValue> held(
      AttributeValue attribute, String path, ConversionRun work) {
    Dataspace space = attribute.space();
    boolean isText =
        attribute.type() instanceof VlenStringType || attribute.type() instanceof StringType;
    if (isText && space.elementCount() > 1 && !CharArrays.CHARACTER.equals(attribute.type())) {
      ClassicLosses.reportStrings(attribute, path, work);
      return Optional.empty();
    }
    if (attribute.type() instanceof VlenStringType && space.elementCount() == 1) {
      byte[] text = ClassicPlan.text(attribute);
      byte[] padded = Arrays.copyOf(text, Math.max(1, text.length));
      Datatype type =
          Datatypes.fixedString(padded.length, StringPadding.NULLTERM, CharacterSet.UTF8);
      return Optional.of(
          new AttributeValue(
              attribute.name(), type, space, DataBuffer.of(MemorySegment.ofArray(padded))));
    }
    String whose = "the attribute " + attribute.name();
    Datatype type = number(whose, attribute.type(), path, work);
    if (!isText && !isHeld(type)) {
      ClassicLosses.reportType(whose, type, path, work);
      return Optional.empty();
    }
    return Optional.of(new AttributeValue(attribute.name(), type, space, attribute.data()));
  }
}
