package org.hyperslab.netcdf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkKind;
import org.hyperslab.scales.ScaleConventions;
import org.hyperslab.scales.ScaleIndex;
import org.hyperslab.scales.ScaleIndex.Scale;

/**
 * Reads groups, dimensions and variables from an HDF5 file. First every object is visited, in the
 * order of netCDF-C: the datasets of a group, then its groups. Then scales become dimensions, and
 * datasets become variables.
 *
 * <p>Thread rule: confined to one thread.
 */
final class TreeReader {

  /** A dataset and the path by which it was found. */
  private record Met(NetcdfGroup group, String linkName, Dataset dataset) {

    Dataspace space() {
      return dataset.space();
    }

    String name() {
      return ScaleConventions.variableName(linkName);
    }

    long token() {
      return dataset.token().address();
    }
  }

  /** The maximum nesting depth of groups; deeper paths are longer than programs accept. */
  private static final int DEEPEST = 1000;

  private final NetcdfFile file;
  private final List<Met> all = new ArrayList<>();
  private final Set<Long> seen = new HashSet<>();
  private final List<String> leftOut = new ArrayList<>();
  private final ScaleIndex index = new ScaleIndex();
  private final Map<Scale, NetcdfDimension> dimensions = new HashMap<>();
  private int nextId;

  TreeReader(NetcdfFile file) {
    this.file = file;
  }

  List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  int nextDimensionId() {
    return nextId;
  }

  /** Returns whether every scale has a number. */
  boolean hasIds() {
    return index.isNumbered();
  }

  void read(NetcdfGroup root) {
    meet(root);
    makeDimensions();
    Map<NetcdfGroup, List<Met>> members =
        all.stream().collect(Collectors.groupingBy(Met::group, Collectors.toList()));
    makeVariables(root, members);
  }

  /**
   * Creates the variables, those of subgroups first, so that phony dimensions get the same names as
   * in netCDF-C.
   */
  private void makeVariables(NetcdfGroup group, Map<NetcdfGroup, List<Met>> members) {
    group.groups().forEach(child -> makeVariables(child, members));
    members.getOrDefault(group, List.of()).forEach(this::makeVariable);
  }

  // --- meeting ---

  private void meet(NetcdfGroup root) {
    seen.add(root.h5().token().address());
    List<NetcdfGroup> level = List.of(root);
    for (int depth = 0; !level.isEmpty(); depth++) {
      if (depth > DEEPEST) {
        throw new UnsupportedFeatureException(
            "groups: actual=nested more than " + DEEPEST + " deep, expected=fewer, at=" + file);
      }
      List<NetcdfGroup> below = new ArrayList<>();
      for (NetcdfGroup group : level) {
        meetMembers(group);
        below.addAll(group.groups());
      }
      level = below;
    }
  }

  private void meetMembers(NetcdfGroup group) {
    Group h5 = group.h5();
    boolean tracked = h5.groupInfo().options().creationOrderTracked();
    IterationIndex index = tracked ? IterationIndex.CREATION_ORDER : IterationIndex.NAME;
    for (Link link : h5.links(index, false).toList()) {
      String path = group.child(link.name());
      if (link.kind() != LinkKind.HARD) {
        leftOut.add(path + ": a link that is not hard");
        continue;
      }
      H5Object object = h5.get(link.name());
      if (!seen.add(object.token().address())) {
        leftOut.add(path + ": a second link to an object");
        object.close();
        continue;
      }
      switch (object) {
        case Group child -> group.add(new NetcdfGroup(file, group, link.name(), child));
        case CommittedType type ->
            group.add(new NetcdfUserType(link.name(), type.datatype(), type));
        case Dataset dataset -> meetDataset(group, link.name(), dataset);
      }
    }
  }

  private void meetDataset(NetcdfGroup group, String name, Dataset dataset) {
    Optional<String> unknown = unknown(dataset);
    if (unknown.isPresent()) {
      leftOut.add(group.child(name) + ": " + unknown.get());
      dataset.close();
      return;
    }
    index.add(name, dataset);
    all.add(new Met(group, name, dataset));
  }

  private static Optional<String> unknown(Dataset dataset) {
    if (dataset.space().kind() == Dataspace.Kind.NULL) {
      return Optional.of("a null dataspace");
    }
    return isUnknown(dataset.type())
        ? Optional.of("the type " + dataset.type().describe())
        : Optional.empty();
  }

  private static boolean isUnknown(Datatype type) {
    return switch (type) {
      case ReferenceType _, BitfieldType _, TimeType _ -> true;
      case CompoundType compound ->
          compound.members().stream().anyMatch(member -> isUnknown(member.type()));
      case ArrayType array -> isUnknown(array.base());
      case VlenType vlen -> isUnknown(vlen.base());
      default -> false;
    };
  }

  // --- dimensions ---

  private void makeDimensions() {
    Map<Long, NetcdfGroup> groups = new HashMap<>();
    all.forEach(met -> groups.put(met.token(), met.group));
    index.number();
    for (Scale scale : index.scales()) {
      NetcdfGroup group = groups.get(scale.dataset().token().address());
      NetcdfDimension dimension =
          new NetcdfDimension(
              group,
              new NetcdfDimension.Spec(
                  scale.linkName(),
                  scale.length(),
                  scale.isUnlimited(),
                  index.number(scale),
                  false));
      if (!scale.hasVariable()) {
        dimension.setScale(scale.dataset());
      }
      dimensions.put(scale, dimension);
      group.add(dimension);
    }
    nextId = index.nextNumber();
  }

  // --- variables ---

  private void makeVariable(Met met) {
    if (index.scale(met.dataset).filter(scale -> !scale.hasVariable()).isPresent()) {
      return;
    }
    if (met.group.ownVariable(met.name()).isPresent()) {
      leftOut.add(met.group.child(met.linkName) + ": a second variable " + met.name());
      return;
    }
    List<NetcdfDimension> axes = new ArrayList<>();
    Dataspace space = met.space();
    List<Optional<Scale>> scales = index.axes(met.dataset);
    for (int axis = 0; axis < space.rank(); axis++) {
      NetcdfDimension dimension = scales.get(axis).map(dimensions::get).orElse(null);
      boolean fits =
          dimension != null
              && (dimension.isUnlimited()
                  ? space.maxDim(axis) == Dataspace.UNLIMITED
                  : dimension.length() == space.dim(axis));
      axes.add(fits ? dimension : phony(met, axis, axes));
    }
    // attachments are left alone: an axis without a label keeps none
    NetcdfVariable.Stored stored = new NetcdfVariable.Stored(met.dataset, met.linkName, true);
    NetcdfVariable variable = new NetcdfVariable(met.group, met.name(), stored, axes);
    for (int axis = 0; axis < axes.size(); axis++) {
      if (axes.get(axis).isUnlimited()) {
        axes.get(axis).grow(space.dim(axis));
      }
    }
    met.group.add(variable);
  }

  /**
   * Returns a dimension for an axis without one: one of the group of the same length that the
   * variable does not have yet, or a new one.
   *
   * <p>Source: libhdf5/hdf5open.c (create_phony_dims).
   */
  private NetcdfDimension phony(Met met, int axis, List<NetcdfDimension> before) {
    long length = met.space().dim(axis);
    boolean unlimited = met.space().maxDim(axis) == Dataspace.UNLIMITED;
    for (NetcdfDimension known : met.group.dimensions()) {
      if (known.length() == length && known.isUnlimited() == unlimited && !before.contains(known)) {
        return known;
      }
    }
    int id = nextId++;
    NetcdfDimension made =
        new NetcdfDimension(
            met.group, new NetcdfDimension.Spec("phony_dim_" + id, length, unlimited, id, true));
    met.group.add(made);
    return made;
  }
}
