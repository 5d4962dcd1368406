package org.hyperslab.convert;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.scales.ScaleConventions;
import org.hyperslab.scales.ScaleIndex;
import org.hyperslab.scales.ScaleIndex.Scale;

/**
 * Converts the dimension scales of an HDF5 file to named dimensions of variables.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DimensionReader {

  private static final String CLASS = "CLASS";
  private static final String NAME = "NAME";
  private static final String REFERENCE_LIST = "REFERENCE_LIST";

  private final ScaleIndex index = new ScaleIndex();
  private final Map<String, Dataset> datasets = new LinkedHashMap<>();
  private final Map<Scale, String> paths = new HashMap<>();
  private final Map<Scale, Dimension> dimensions = new LinkedHashMap<>();

  /** Adds a dataset. All datasets of the file must be added before {@link #resolve}. */
  void met(Dataset dataset, String linkName, Variable variable) {
    index.add(linkName, dataset);
    datasets.put(variable.path(), dataset);
    index.scale(dataset).ifPresent(scale -> paths.put(scale, variable.path()));
  }

  /** Returns the tree with dimensions in place of scales. */
  GroupNode resolve(GroupNode root, ConversionRun work) {
    index.number();
    Map<Scale, Long> lengths = new LinkedHashMap<>();
    index.scales().forEach(scale -> lengths.put(scale, scale.length()));
    datasets.values().forEach(dataset -> growLengths(dataset, lengths));
    lengths.forEach((scale, length) ->
        dimensions.put(scale, new Dimension(paths.get(scale), length, scale.isUnlimited())));
    return resolveGroup(root, work);
  }

  /** Computes the length of each unlimited dimension: that of the longest variable that has it. */
  private void growLengths(Dataset dataset, Map<Scale, Long> lengths) {
    List<Optional<Scale>> axes = index.axes(dataset);
    for (int axis = 0; axis < axes.size(); axis++) {
      Scale scale = axes.get(axis).orElse(null);
      if (scale != null && grows(scale, dataset.space(), axis)) {
        lengths.merge(scale, dataset.space().dim(axis), Math::max);
      }
    }
  }

  private static boolean grows(Scale scale, Dataspace space, int axis) {
    return scale.isUnlimited() && space.maxDim(axis) == Dataspace.UNLIMITED;
  }

  private GroupNode resolveGroup(GroupNode node, ConversionRun work) {
    GroupNode resolved = GroupNode.empty(node.path());
    node.attributes().stream()
        .filter(a -> !isOfRoot(a.name(), node.path()))
        .forEach(resolved.attributes()::add);
    for (Map.Entry<Scale, Dimension> dimension : dimensions.entrySet()) {
      if (node.child(dimension.getValue().name()).equals(dimension.getValue().path())) {
        resolved.dimensions().add(dimension.getValue());
      }
    }
    for (Variable variable : node.variables()) {
      Optional<Scale> scale = index.scale(datasets.get(variable.path()));
      if (scale.isEmpty() || scale.get().hasVariable()) {
        resolved.variables().add(resolve(variable, scale.isPresent(), work));
      }
    }
    resolved.types().addAll(node.types());
    resolved.links().addAll(node.links());
    node.groups().forEach(child -> resolved.groups().add(resolveGroup(child, work)));
    return resolved;
  }

  private static boolean isOfRoot(String attribute, String path) {
    return path.equals("/")
        && (attribute.equals(ScaleConventions.STRICT)
            || attribute.equals(ScaleConventions.PROPERTIES));
  }

  private Variable resolve(Variable variable, boolean isScale, ConversionRun work) {
    String name = ScaleConventions.variableName(variable.name());
    String path = variable.path();
    String folder = path.substring(0, path.length() - variable.name().length());
    List<AttributeValue> attributes =
        variable.traits().attributes().stream().filter(a -> isData(a, variable, isScale)).toList();
    return new Variable(
        folder + name,
        variable.type(),
        variable.space(),
        variable.traits().withAttributes(attributes).withDimensions(axes(variable, work)),
        variable.elements());
  }

  /**
   * Returns whether an attribute belongs to the user. Other conventions, such as that for images,
   * use CLASS and NAME too.
   */
  private static boolean isData(AttributeValue attribute, Variable variable, boolean isScale) {
    return switch (attribute.name()) {
      case CLASS, REFERENCE_LIST -> !isScale;
      case NAME -> !isScale || !repeatsScaleName(attribute, variable);
      default -> !ScaleConventions.isHidden(attribute.name());
    };
  }

  /**
   * Returns whether the attribute NAME just repeats the scale's name, as netCDF-4 and h5py write
   * it.
   */
  private static boolean repeatsScaleName(AttributeValue attribute, Variable variable) {
    return attribute
        .text()
        .filter(
            text -> text.isEmpty() || text.equals(variable.name()) || text.equals(variable.path()))
        .isPresent();
  }

  // --- axes ---

  private List<Dimension> axes(Variable variable, ConversionRun work) {
    Dataset dataset = datasets.get(variable.path());
    List<Optional<Scale>> scales = index.axes(dataset);
    int[] counts = index.referenceCounts(dataset);
    if (paths.isEmpty() && Arrays.stream(counts).allMatch(n -> n == 0)) {
      return List.of();
    }
    Dataspace space = variable.space();
    List<Dimension> axes = new ArrayList<>();
    for (int axis = 0; axis < space.rank(); axis++) {
      boolean unlimited = space.maxDim(axis) == Dataspace.UNLIMITED;
      Dimension unnamed = new Dimension("", space.dim(axis), unlimited);
      Scale scale = scales.get(axis).orElse(null);
      axes.add(fits(scale, space, axis) ? dimensions.get(scale) : unnamed);
      reportScales(variable, axis, counts[axis], scale, work);
    }
    return axes;
  }

  private boolean fits(Scale scale, Dataspace space, int axis) {
    return scale != null
        && (dimensions.get(scale).length() == space.dim(axis) || grows(scale, space, axis));
  }

  private void reportScales(
      Variable variable, int axis, int count, Scale scale, ConversionRun work) {
    if (count > 1) {
      work.reportLoss("several dimension scales on dimension " + axis, variable.path());
    }
    if (count > 0 && scale == null) {
      work.reportLoss(
          "a dimension scale that is not converted, on dimension " + axis, variable.path());
    } else if (scale != null && !fits(scale, variable.space(), axis)) {
      work.reportLoss(
          "a dimension of length "
              + variable.space().dim(axis)
              + " with the scale "
              + paths.get(scale)
              + " of length "
              + dimensions.get(scale).length(),
          variable.path());
    }
  }
}
