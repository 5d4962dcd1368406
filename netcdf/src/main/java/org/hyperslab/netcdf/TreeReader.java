package org.hyperslab.netcdf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.Group;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkKind;

/**
 * Reads groups, dimensions and variables from an HDF5 file. First every object is visited, in the
 * order of netCDF-C: the datasets of a group, then its groups. Then scales become dimensions, and
 * datasets become variables.
 *
 * <p>Thread rule: confined to one thread.
 */
final class TreeReader {

  /**
   * Holds a dataset with the attributes by which netCDF stores its model, and whether it is a
   * scale.
   */
  private record Met(
      NetcdfGroup group, String linkName, Dataset dataset, Set<String> attributes, boolean scale) {

    Dataspace space() {
      return dataset.space();
    }

    String name() {
      return linkName.startsWith(NetcdfNames.NOT_COORDINATE)
          ? linkName.substring(NetcdfNames.NOT_COORDINATE.length())
          : linkName;
    }
  }

  /** The maximum depth of groups in groups; deeper paths are longer than programs accept. */
  private static final int DEEPEST = 1000;

  private final NetcdfFile file;
  private final List<Met> all = new ArrayList<>();
  private final Set<Long> seen = new HashSet<>();
  private final List<String> leftOut = new ArrayList<>();
  private final Map<Long, NetcdfDimension> byToken = new LinkedHashMap<>();
  private final Map<Integer, NetcdfDimension> byId = new HashMap<>();
  private int nextId;
  private boolean hasIds = true;

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
    return hasIds;
  }

  void read(NetcdfGroup root) {
    meet(root);
    makeDimensions();
    Map<NetcdfGroup, List<Met>> members =
        all.stream().collect(Collectors.groupingBy(Met::group, Collectors.toList()));
    makeVariables(root, members);
  }

  /**
   * Creates the variables of the groups below first, as netCDF-C does, so that phony names agree.
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
    Set<String> attributes =
        dataset
            .attributes()
            .map(Attribute::name)
            .filter(NetcdfNames.HIDDEN::contains)
            .collect(Collectors.toUnmodifiableSet());
    boolean scale =
        attributes.contains(NetcdfNames.CLASS)
            && dataset.rank() > 0
            && DimensionScales.isScale(dataset);
    all.add(new Met(group, name, dataset, attributes, scale));
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
    List<Met> scales = all.stream().filter(Met::scale).toList();
    Map<Met, Integer> ids = readIds(scales);
    hasIds = ids != null;
    for (Met scale : scales) {
      Dataspace space = scale.space();
      int id = ids == null ? nextId++ : ids.get(scale);
      boolean unlimited = space.maxDim(0) == Dataspace.UNLIMITED;
      boolean own = isOnlyDimension(scale);
      long length = unlimited && own ? 0 : space.dim(0);
      NetcdfDimension dimension =
          new NetcdfDimension(
              scale.group, new NetcdfDimension.Spec(scale.linkName, length, unlimited, id, false));
      if (own) {
        dimension.setScale(scale.dataset);
      }
      byToken.put(scale.dataset.token().address(), dimension);
      byId.put(id, dimension);
    }
    Map<Integer, NetcdfDimension> inOrder = new TreeMap<>(byId);
    inOrder.values().forEach(dimension -> dimension.group().add(dimension));
    nextId = inOrder.isEmpty() ? 0 : Math.addExact(((TreeMap<Integer, ?>) inOrder).lastKey(), 1);
  }

  /** Returns the numbers of scales; null unless each has a distinct number. */
  private static Map<Met, Integer> readIds(List<Met> scales) {
    Map<Met, Integer> ids = new HashMap<>();
    Set<Integer> used = new HashSet<>();
    for (Met scale : scales) {
      if (!scale.attributes.contains(NetcdfNames.DIMENSION_ID)) {
        return null;
      }
      Integer id = scale.dataset.attribute(NetcdfNames.DIMENSION_ID).read(Integer.class);
      if (id < 0 || id == Integer.MAX_VALUE || !used.add(id)) {
        return null;
      }
      ids.put(scale, id);
    }
    return ids;
  }

  private static boolean isOnlyDimension(Met scale) {
    return scale.scale
        && scale.attributes.contains(NetcdfNames.NAME)
        && DimensionScales.name(scale.dataset)
            .filter(name -> name.startsWith(NetcdfNames.NO_VARIABLE))
            .isPresent();
  }

  // --- variables ---

  private void makeVariable(Met met) {
    if (isOnlyDimension(met)) {
      return;
    }
    if (met.group.ownVariable(met.name()).isPresent()) {
      leftOut.add(met.group.child(met.linkName) + ": a second variable " + met.name());
      return;
    }
    List<NetcdfDimension> axes = new ArrayList<>();
    Dataspace space = met.space();
    List<NetcdfDimension> labelled = labelled(met);
    for (int axis = 0; axis < space.rank(); axis++) {
      NetcdfDimension dimension = labelled.get(axis);
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

  /** Returns the dimension of each axis, null where there is none. */
  private List<NetcdfDimension> labelled(Met met) {
    int rank = met.space().rank();
    List<NetcdfDimension> axes = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      axes.add(null);
    }
    if (met.scale) {
      fromIds(met, axes);
      axes.set(0, byToken.get(met.dataset.token().address()));
    } else if (met.attributes.contains(NetcdfNames.DIMENSION_LIST)) {
      List<List<Reference>> lists = DimensionScales.scaleReferences(met.dataset);
      for (int axis = 0; axis < Math.min(rank, lists.size()); axis++) {
        List<Reference> list = lists.get(axis);
        if (!list.isEmpty()) {
          axes.set(axis, byToken.get(list.getLast().token()));
        }
      }
    }
    return axes;
  }

  private void fromIds(Met met, List<NetcdfDimension> axes) {
    if (!met.attributes.contains(NetcdfNames.COORDINATES)) {
      return;
    }
    int[] ids = met.dataset.attribute(NetcdfNames.COORDINATES).read(int[].class);
    for (int axis = 0; axis < axes.size() && axis < ids.length; axis++) {
      axes.set(axis, byId.get(ids[axis]));
    }
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
