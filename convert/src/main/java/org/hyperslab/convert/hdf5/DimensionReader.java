package org.hyperslab.convert.hdf5;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hyperslab.Dataset;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.scales.DimensionTable;
import org.hyperslab.scales.DimensionTable.Dim;
import org.hyperslab.scales.DimensionTable.Member;
import org.hyperslab.scales.ScaleConventions;

/**
 * Converts the dimension scales of an HDF5 file to named dimensions of variables.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DimensionReader {

  private static final String CLASS = "CLASS";
  private static final String NAME = "NAME";
  private static final String REFERENCE_LIST = "REFERENCE_LIST";

  private final DimensionTable table = new DimensionTable();
  private final Map<String, Member> members = new HashMap<>();
  private final Map<String, Dataset> datasets = new LinkedHashMap<>();
  private boolean hasScales;

  /** Adds a group. */
  void met(GroupNode group) {
    table.addGroup(group.path());
  }

  /** Adds a dataset. All datasets of the file must be added before {@link #resolve}. */
  void met(Dataset dataset, String linkName, Variable variable) {
    String path = variable.path();
    int slash = path.length() - variable.name().length() - 1;
    table.add(slash == 0 ? "/" : path.substring(0, slash), linkName, dataset);
    datasets.put(path, dataset);
  }

  /** Returns the tree with dimensions in place of scales. */
  GroupNode resolve(GroupNode root, ConversionRun work) {
    table.resolve();
    datasets.forEach((path, dataset) -> members.put(path, table.member(dataset).orElseThrow()));
    hasScales = table.dims().stream().anyMatch(dim -> !dim.phony());
    return resolveGroup(root, work);
  }

  private static Dimension dimension(Dim dim) {
    return new Dimension(dim.path(), dim.length(), dim.unlimited());
  }

  private GroupNode resolveGroup(GroupNode node, ConversionRun work) {
    GroupNode resolved = GroupNode.empty(node.path());
    node.attributes().stream()
        .filter(a -> !isOfRoot(a.name(), node.path()))
        .forEach(resolved.attributes()::add);
    table.dims().stream()
        .filter(dim -> !dim.phony() && dim.group().equals(node.path()))
        .forEach(dim -> resolved.dimensions().add(dimension(dim)));
    for (Variable variable : node.variables()) {
      Member member = Objects.requireNonNull(members.get(variable.path()));
      if (member.isVariable()) {
        resolved.variables().add(resolve(variable, member, work));
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

  private Variable resolve(Variable variable, Member member, ConversionRun work) {
    boolean isScale = member.scaleOf().isPresent();
    List<AttributeValue> attributes =
        variable.traits().attributes().stream().filter(a -> isData(a, variable, isScale)).toList();
    variable.traits().attributes().stream()
        .filter(a -> !isData(a, variable, isScale))
        .filter(a -> !ScaleConventions.isOwn(a.name(), a.type()))
        .forEach(a -> work.note(foreign(a, variable)));
    return new Variable(
        member.path(),
        variable.type(),
        variable.space(),
        variable.traits().withAttributes(attributes).withDimensions(axes(variable, member, work)),
        variable.elements());
  }

  /** Returns the note on an attribute that only has the name of one that stores dimensions. */
  private static String foreign(AttributeValue attribute, Variable variable) {
    return variable.path()
        + ": the attribute "
        + attribute.name()
        + " of the type "
        + attribute.type().describe()
        + " is left out, because netCDF-4 keeps this name for itself; rename it to convert it";
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

  private List<Dimension> axes(Variable variable, Member member, ConversionRun work) {
    if (!hasScales && member.scaleCounts().stream().allMatch(n -> n == 0)) {
      return List.of();
    }
    List<Dimension> axes = new ArrayList<>();
    for (int axis = 0; axis < member.dims().size(); axis++) {
      Dim dim = member.dims().get(axis);
      boolean isNamed = member.attached().get(axis).filter(dim::equals).isPresent();
      Dimension named = dimension(dim);
      axes.add(isNamed ? named : new Dimension("", named.length(), named.unlimited()));
      reportScales(variable, axis, member, work);
    }
    return axes;
  }

  private static void reportScales(Variable variable, int axis, Member member, ConversionRun work) {
    int count = member.scaleCounts().get(axis);
    Dim attached = member.attached().get(axis).orElse(null);
    if (count > 1) {
      work.reportLoss("several dimension scales on dimension " + axis, variable.path());
    }
    if (count > 0 && attached == null) {
      work.reportLoss(
          "a dimension scale that is not converted, on dimension " + axis, variable.path());
    } else if (attached != null && !attached.equals(member.dims().get(axis))) {
      work.reportLoss(
          "a dimension of length "
              + variable.space().dim(axis)
              + " with the scale "
              + attached.path()
              + " of length "
              + attached.length(),
          variable.path());
    }
  }
}
