package org.hyperslab.convert;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.Dataset;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Reference;

/**
 * Finds the dimensions that dimension scales stand for, and gives them to the variables.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ScaleReader {

  /** A dataset that is a scale, its place in the order of dimensions, and its dimension. */
  private record Scale(Variable variable, long order, Dimension dimension) {}

  private final Map<Long, Scale> byToken = new HashMap<>();
  private final Map<String, Scale> byPath = new HashMap<>();
  private boolean labelled;

  /** Notes a dataset. Every dataset of the file is told before {@link #resolve}. */
  void met(Dataset dataset, Variable variable) {
    labelled |= variable.attribute(ScaleNames.DIMENSION_LIST).isPresent();
    boolean isScale =
        variable
            .attribute(ScaleNames.CLASS)
            .flatMap(AttributeValue::text)
            .filter(ScaleNames.SCALE::equals)
            .isPresent();
    if (!isScale || variable.space().rank() == 0) {
      return;
    }
    long order =
        variable
            .attribute(ScaleNames.DIMENSION_ID)
            .map(id -> ((Number) id.element(0)).longValue())
            .orElse((long) byToken.size());
    Dataspace space = variable.space();
    Dimension dimension =
        new Dimension(variable.path(), space.dim(0), space.maxDim(0) == Dataspace.UNLIMITED);
    Scale scale = new Scale(variable, order, dimension);
    byToken.put(dataset.token().address(), scale);
    byPath.put(variable.path(), scale);
  }

  /** Returns the tree with dimensions instead of scales. */
  GroupNode resolve(GroupNode node, Work work) {
    GroupNode resolved = GroupNode.empty(node.path());
    visible(node.attributes()).forEach(resolved.attributes()::add);
    node.variables().stream()
        .map(variable -> byPath.get(variable.path()))
        .filter(scale -> scale != null)
        .sorted(Comparator.comparingLong(Scale::order))
        .forEach(scale -> resolved.dimensions().add(scale.dimension));
    for (Variable variable : node.variables()) {
      if (!isOnlyDimension(variable)) {
        resolved.variables().add(resolve(variable, work));
      }
    }
    resolved.links().addAll(node.links());
    node.groups().forEach(child -> resolved.groups().add(resolve(child, work)));
    return resolved;
  }

  private static List<AttributeValue> visible(List<AttributeValue> attributes) {
    return attributes.stream().filter(a -> !ScaleNames.HIDDEN.contains(a.name())).toList();
  }

  private boolean isOnlyDimension(Variable variable) {
    return byPath.containsKey(variable.path())
        && variable
            .attribute(ScaleNames.NAME)
            .flatMap(AttributeValue::text)
            .filter(name -> name.startsWith(ScaleNames.NO_VARIABLE))
            .isPresent();
  }

  private Variable resolve(Variable variable, Work work) {
    List<Dimension> dimensions = dimensions(variable, work);
    String name = variable.name();
    String path = variable.path();
    if (name.startsWith(ScaleNames.NOT_COORDINATE)) {
      path =
          path.substring(0, path.length() - name.length())
              + name.substring(ScaleNames.NOT_COORDINATE.length());
    }
    List<AttributeValue> attributes = new ArrayList<>(visible(variable.traits().attributes()));
    variable
        .attribute(ScaleNames.NAME)
        .filter(attribute -> !isOwnName(attribute, variable))
        .ifPresent(attributes::add);
    return new Variable(
        path,
        variable.type(),
        variable.space(),
        variable.traits().withAttributes(attributes).withDimensions(dimensions),
        variable.elements());
  }

  /** Returns whether NAME says nothing but the scale's own name, as netCDF-4 and h5py write it. */
  private boolean isOwnName(AttributeValue attribute, Variable variable) {
    return byPath.containsKey(variable.path())
        && attribute
            .text()
            .filter(text ->
                text.isEmpty()
                    || text.equals(variable.name())
                    || text.equals(variable.path())
                    || (ScaleNames.NOT_COORDINATE + text).equals(variable.name()))
            .isPresent();
  }

  private List<Dimension> dimensions(Variable variable, Work work) {
    if (!labelled && byPath.isEmpty()) {
      return List.of();
    }
    Dataspace space = variable.space();
    List<Dimension> dimensions = new ArrayList<>();
    for (int axis = 0; axis < space.rank(); axis++) {
      dimensions.add(new Dimension("", space.dim(axis), space.maxDim(axis) == Dataspace.UNLIMITED));
    }
    Scale own = byPath.get(variable.path());
    if (own != null && space.rank() > 0) {
      dimensions.set(0, own.dimension);
      coordinates(variable, dimensions);
    }
    variable
        .attribute(ScaleNames.DIMENSION_LIST)
        .ifPresent(list -> fromList(variable, list, dimensions, work));
    return dimensions;
  }

  /** The further dimensions of a scale of several dimensions, which netCDF-4 names by number. */
  private void coordinates(Variable variable, List<Dimension> dimensions) {
    AttributeValue ids = variable.attribute(ScaleNames.COORDINATES).orElse(null);
    if (ids == null || ids.space().elementCount() != dimensions.size()) {
      return;
    }
    for (int axis = 0; axis < dimensions.size(); axis++) {
      long id = ((Number) ids.element(axis)).longValue();
      for (Scale scale : byToken.values()) {
        if (scale.order == id
            && scale.variable.attribute(ScaleNames.DIMENSION_ID).isPresent()
            && scale.dimension.length() == variable.space().dim(axis)) {
          dimensions.set(axis, scale.dimension);
        }
      }
    }
  }

  private void fromList(
      Variable variable, AttributeValue list, List<Dimension> dimensions, Work work) {
    long axes = list.space().kind() == Dataspace.Kind.NULL ? 0 : list.space().elementCount();
    for (int axis = 0; axis < Math.min(axes, dimensions.size()); axis++) {
      if (!(list.element(axis) instanceof List<?> references) || references.isEmpty()) {
        continue;
      }
      if (references.size() > 1) {
        work.lose("several dimension scales on dimension " + axis, variable.path());
      }
      Scale scale =
          references.getLast() instanceof Reference reference
              ? byToken.get(reference.token())
              : null;
      if (scale == null) {
        work.lose("a dimension scale that is not converted, on dimension " + axis, variable.path());
      } else if (scale.dimension.length() != variable.space().dim(axis)) {
        work.lose(
            "a dimension of length "
                + variable.space().dim(axis)
                + " with the scale "
                + scale.variable.path()
                + " of length "
                + scale.dimension.length(),
            variable.path());
      } else {
        dimensions.set(axis, scale.dimension);
      }
    }
  }
}
