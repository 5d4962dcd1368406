package org.hyperslab.convert;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.VlenStringType;

/**
 * Rewrites the root group such that the classic model of netCDF-4 holds it, as a classic file
 * would: variable-length strings become fixed-length ones, a single string of an attribute becomes
 * characters, and only the dimension of records may grow or have the length 0. Everything else that
 * the model does not hold is left for the {@code netcdf} module to reject.
 *
 * <p>Thread rule: stateless.
 */
final class ClassicModel {

  private ClassicModel() {}

  /**
   * Rewrites a group.
   *
   * @param root the root group
   * @param work reads strings, and receives reports of what is lost
   */
  static void apply(GroupNode root, ConversionRun work) {
    root.groups().forEach(group -> work.reportLoss("a group", group.path()));
    root.groups().clear();
    root.types().clear(); // their names have been reported
    Optional<Dimension> record = ClassicPlan.recordOf(root);
    root.dimensions().removeIf(dimension -> isLost(dimension, record, work));
    root.dimensions().replaceAll(dimension -> fixed(dimension, record, dimension.path(), work));
    root.attributes().replaceAll(attribute -> held(attribute, root.path(), work));
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
      work.reportLoss("a dimension of length 0", dimension.path());
    }
    return isEmpty;
  }

  private static Dimension fixed(
      Dimension dimension, Optional<Dimension> record, String at, ConversionRun work) {
    if (!isToBeFixed(dimension, record)) {
      return dimension;
    }
    work.reportLoss(
        "a dimension that may grow, beside the one of records, or not as the first axis", at);
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
      work.reportLoss(
          "a variable without elements, for a dimension of length 0 would become one of records",
          variable.path());
      return Optional.empty();
    }
    Optional<Variable> text =
        variable.type() instanceof VlenStringType
            ? FixedText.ofBytes(variable, work)
            : Optional.of(variable);
    return text.map(one -> withType(withDimensions(one, record, work), work));
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

  private static Variable withType(Variable variable, ConversionRun work) {
    List<AttributeValue> attributes = new ArrayList<>();
    for (AttributeValue attribute : variable.traits().attributes()) {
      attributes.add(held(attribute, variable.path(), work));
    }
    return new Variable(
        variable.path(),
        number(variable.type(), variable.path(), work),
        variable.space(),
        variable.traits().withAttributes(attributes),
        variable.elements());
  }

  /** Enumerations that could not become flags lose their names. */
  private static Datatype number(Datatype type, String path, ConversionRun work) {
    if (!(type instanceof EnumType enumeration)) {
      return type;
    }
    work.reportLoss("the names of an enumeration", path);
    return enumeration.base();
  }

  private static AttributeValue held(AttributeValue attribute, String path, ConversionRun work) {
    Dataspace space = attribute.space();
    if (attribute.type() instanceof VlenStringType && space.elementCount() == 1) {
      byte[] text = ClassicPlan.text(attribute);
      byte[] padded = Arrays.copyOf(text, Math.max(1, text.length));
      Datatype type =
          Datatypes.fixedString(padded.length, StringPadding.NULLTERM, CharacterSet.UTF8);
      return new AttributeValue(
          attribute.name(), type, space, DataBuffer.of(MemorySegment.ofArray(padded)));
    }
    return new AttributeValue(
        attribute.name(),
        number(attribute.type(), path + " " + attribute.name(), work),
        space,
        attribute.data());
  }
}
