package org.hyperslab.netcdf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkKind;
import org.hyperslab.scales.DimensionTable;
import org.hyperslab.scales.DimensionTable.Dim;
import org.hyperslab.scales.DimensionTable.Member;
import org.hyperslab.scales.ScaleConventions;

/**
 * Reads groups, dimensions and variables from an HDF5 file. First every object is visited, in the
 * order of netCDF-C: the datasets of a group, then its groups. Then scales become dimensions, and
 * datasets become variables.
 *
 * <p>Thread rule: confined to one thread.
 */
final class TreeReader {

  /** The maximum nesting depth of groups; deeper paths are longer than programs accept. */
  private static final int DEEPEST = 1000;

  private final NetcdfFile file;
  private final Map<Long, Dataset> datasets = new LinkedHashMap<>();
  private final Map<String, NetcdfGroup> groups = new HashMap<>();
  private final Set<Long> seen = new HashSet<>();
  private final List<String> leftOut = new ArrayList<>();
  private final DimensionTable table = new DimensionTable();
  private final Map<Dim, NetcdfDimension> dimensions = new HashMap<>();

  TreeReader(NetcdfFile file) {
    this.file = file;
  }

  List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  int nextDimensionId() {
    return table.nextNumber();
  }

  /** Returns whether every scale has a number. */
  boolean hasIds() {
    return table.isNumbered();
  }

  void read(NetcdfGroup root) {
    meet(root);
    table.resolve();
    table.dims().forEach(this::makeDimension);
    table.members().forEach(this::makeMember);
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
    groups.put(group.path(), group);
    table.addGroup(group.path());
    boolean tracked = h5.groupInfo().options().creationOrderTracked();
    IterationIndex index = tracked ? IterationIndex.CREATION_ORDER : IterationIndex.NAME;
    for (Link link : h5.links(index, false).toList()) {
      String path = group.child(link.name());
      if (path.equals(ScaleConventions.STEPS)) {
        continue; // the table of steps, which is no data of the program
      }
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
    Optional<String> foreign = ScaleConventions.foreign(dataset);
    if (foreign.isPresent()) {
      leftOut.add(group.child(name) + ": " + foreign.get());
      dataset.close();
      return;
    }
    table.add(group.path(), name, dataset);
    datasets.put(dataset.token().address(), dataset);
  }

  // --- dimensions and variables ---

  private void makeDimension(Dim dim) {
    NetcdfGroup group = group(dim.group());
    NetcdfDimension.Spec spec =
        new NetcdfDimension.Spec(
            dim.name(), dim.length(), dim.unlimited(), dim.number(), dim.phony());
    NetcdfDimension dimension = new NetcdfDimension(group, spec);
    dimensions.put(dim, dimension);
    group.add(dimension);
  }

  /** Returns a group that has been read. */
  private NetcdfGroup group(String path) {
    return Objects.requireNonNull(groups.get(path));
  }

  private void makeMember(long token, Member member) {
    Dataset dataset = Objects.requireNonNull(datasets.get(token));
    if (!member.isVariable()) {
      Objects.requireNonNull(dimensions.get(member.scaleOf().orElseThrow())).setScale(dataset);
      return;
    }
    NetcdfGroup group = group(member.group());
    // attachments are left alone: an axis without a label keeps none
    NetcdfVariable.Stored stored = new NetcdfVariable.Stored(dataset, member.linkName(), true);
    List<NetcdfDimension> axes = member.dims().stream().map(dimensions::get).toList();
    group.add(new NetcdfVariable(group, member.name(), stored, axes));
  }
}
