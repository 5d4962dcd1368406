package org.hyperslab.convert.hdf5;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.scales.ScaleConventions;

/**
 * Writes named dimensions to an HDF5 file as netCDF-4 does: as dimension scales, which are either
 * coordinate variables or datasets without elements.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DimensionWriter {

  private final GroupNode root;
  private final Map<String, Dimension> dimensions = new LinkedHashMap<>();
  private final Map<String, Integer> ids = new HashMap<>();

  /** The coordinate variables, by the path of their dimension. */
  private final Map<String, Variable> coordinates = new HashMap<>();

  DimensionWriter(GroupNode root) {
    this.root = root;
    root.all()
        .flatMap(group -> group.dimensions().stream())
        .forEach(dimension -> {
          ids.put(dimension.path(), dimensions.size());
          dimensions.put(dimension.path(), dimension);
        });
    root.allVariables().filter(this::isCoordinate).forEach(v -> coordinates.put(v.path(), v));
  }

  private boolean isCoordinate(Variable variable) {
    List<Dimension> axes = variable.traits().dimensions();
    return dimensions.containsKey(variable.path())
        && !axes.isEmpty()
        && axes.getFirst().path().equals(variable.path())
        && axes.stream().noneMatch(axis -> axis.path().isEmpty());
  }

  /**
   * Returns the name of a variable's dataset, which differs from the variable's if a dimension
   * needs that name.
   */
  String nameOf(Variable variable) {
    boolean taken = dimensions.containsKey(variable.path()) && !isCoordinate(variable);
    return taken ? ScaleConventions.reserved(variable.name()) : variable.name();
  }

  /** Creates the scales of the dimensions of a group that have no coordinate variable. */
  void createWithoutVariable(Group group, GroupNode node) {
    for (Dimension dimension : node.dimensions()) {
      if (coordinates.containsKey(dimension.path())) {
        continue;
      }
      long length = dimension.unlimited() ? Dataspace.UNLIMITED : dimension.length();
      ScaleConventions.createScale(group, dimension.name(), length, id(dimension)).close();
    }
  }

  /** Converts coordinate variables to scales, and attaches all scales. */
  void attach(H5File file) {
    dimensions.values().stream()
        .filter(dimension -> coordinates.containsKey(dimension.path()))
        .sorted(Comparator.comparingInt(dimension -> id(dimension)))
        .forEach(dimension -> makeCoordinate(file, dimension));
    root.all().forEach(node -> node.variables().forEach(v -> attach(file, node, v)));
  }

  /** Returns the number of a dimension, which all have. */
  private int id(Dimension dimension) {
    return Objects.requireNonNull(ids.get(dimension.path()));
  }

  private void makeCoordinate(H5File file, Dimension dimension) {
    List<Dimension> axes =
        Objects.requireNonNull(coordinates.get(dimension.path())).traits().dimensions();
    try (Dataset scale = file.dataset(dimension.path())) {
      if (scale.hasAttribute("NAME")) {
        DimensionScales.makeScale(scale); // the user has named it
        ScaleConventions.setNumber(scale, id(dimension));
      } else {
        ScaleConventions.makeCoordinate(scale, dimension.name(), id(dimension));
      }
      if (axes.size() > 1) {
        ScaleConventions.setAxes(scale, axisIds(axes));
      }
    }
  }

  private int[] axisIds(List<Dimension> axes) {
    return axes.stream().mapToInt(axis -> ids.get(axis.path())).toArray();
  }

  private void attach(H5File file, GroupNode node, Variable variable) {
    List<Dimension> axes = variable.traits().dimensions();
    if (axes.stream().noneMatch(axis -> dimensions.containsKey(axis.path()))
        || isCoordinate(variable)) {
      return;
    }
    try (Dataset dataset = file.dataset(node.child(nameOf(variable)))) {
      for (int axis = 0; axis < axes.size(); axis++) {
        if (!dimensions.containsKey(axes.get(axis).path())) {
          continue; // an axis without a dimension name
        }
        try (Dataset scale = file.dataset(axes.get(axis).path())) {
          DimensionScales.attach(dataset, axis, scale);
        }
      }
    }
  }
}
