package org.hyperslab.convert;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.DatasetOptions;

/**
 * Writes named dimensions as netCDF-4 does: as dimension scales, which are the coordinate variables
 * or datasets without elements.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ScaleWriter {

  private final GroupNode root;
  private final Map<String, Dimension> dimensions = new LinkedHashMap<>();
  private final Map<String, Integer> ids = new HashMap<>();

  /** The coordinate variable of a dimension, by the dimension's path. */
  private final Map<String, Variable> coordinates = new HashMap<>();

  ScaleWriter(GroupNode root) {
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

  /** Returns the name of a variable's dataset, which differs where a dimension needs the name. */
  String nameOf(Variable variable) {
    boolean taken = dimensions.containsKey(variable.path()) && !isCoordinate(variable);
    return taken ? ScaleNames.NOT_COORDINATE + variable.name() : variable.name();
  }

  /** Creates the scales of the dimensions of a group that have no coordinate variable. */
  void createWithoutVariable(Group group, GroupNode node) {
    for (Dimension dimension : node.dimensions()) {
      if (coordinates.containsKey(dimension.path())) {
        continue;
      }
      DatasetOptions.Builder options =
          DatasetOptions.builder().attributes(AttributeStorage.DEFAULT.withCreationOrder());
      Dataspace space = Dataspace.simple(dimension.length());
      if (dimension.unlimited()) {
        space = Dataspace.simple(new long[] {dimension.length()}, new long[] {Dataspace.UNLIMITED});
        options.chunks(1024);
      }
      try (Dataset scale =
          group.createDataset(dimension.name(), Datatypes.F32BE, space, options.build())) {
        String text = String.format(Locale.ROOT, "%10d", dimension.length());
        makeScale(scale, dimension, ScaleNames.NO_VARIABLE + text);
      }
    }
  }

  private void makeScale(Dataset scale, Dimension dimension, String name) {
    if (!scale.hasAttribute(ScaleNames.NAME)) {
      DimensionScales.makeScale(scale, name);
    } else {
      DimensionScales.makeScale(scale);
    }
    scale.setAttribute(ScaleNames.DIMENSION_ID, ids.get(dimension.path()));
  }

  /** Makes coordinate variables scales, and attaches all scales. */
  void attach(H5File file) {
    dimensions.values().stream()
        .filter(dimension -> coordinates.containsKey(dimension.path()))
        .sorted(Comparator.comparingInt(dimension -> ids.get(dimension.path())))
        .forEach(dimension -> makeCoordinate(file, dimension));
    root.all().forEach(node -> node.variables().forEach(v -> attach(file, node, v)));
  }

  private void makeCoordinate(H5File file, Dimension dimension) {
    List<Dimension> axes = coordinates.get(dimension.path()).traits().dimensions();
    try (Dataset scale = file.dataset(dimension.path())) {
      makeScale(scale, dimension, dimension.name());
      if (axes.size() > 1) {
        scale.setAttribute(ScaleNames.COORDINATES, axisIds(axes));
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
          continue; // an axis without a name
        }
        try (Dataset scale = file.dataset(axes.get(axis).path())) {
          DimensionScales.attach(dataset, axis, scale);
        }
      }
    }
  }
}
