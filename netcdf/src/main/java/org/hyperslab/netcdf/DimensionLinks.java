package org.hyperslab.netcdf;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.DimensionScales.Attachment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.scales.ScaleConventions;

/**
 * Stores dimensions as dimension scales: a coordinate variable is the scale of its dimension, every
 * other dimension has a dataset without elements, and every other variable has the scales of its
 * dimensions attached.
 *
 * <p>Scales without a variable and attachments are made by {@link #write}, so that a dimension
 * whose coordinate variable is created soon after needs no dataset of its own. A rename writes what
 * is pending and takes effect at once.
 */
final class DimensionLinks {

  private final NetcdfFile file;

  DimensionLinks(NetcdfFile file) {
    this.file = file;
  }

  // --- what is pending ---

  /**
   * Creates missing scales and attachments, and extends coordinate variables to their dimensions.
   */
  void write() {
    List<NetcdfGroup> groups = file.root().all().toList();
    for (NetcdfGroup group : groups) {
      for (NetcdfDimension dimension : group.dimensions()) {
        if (dimension.isPhony()) {
          continue;
        }
        if (dimension.scaleDataset() == null) {
          dimension.setScale(createScale(dimension, dimension.name()));
        }
        extendCoordinate(dimension);
      }
    }
    List<Attachment> missing = new ArrayList<>();
    for (NetcdfGroup group : groups) {
      for (NetcdfVariable variable : group.variables()) {
        if (!variable.isAttached()) {
          addAttachments(variable, missing);
          variable.setAttached(true);
        }
      }
    }
    DimensionScales.attachAll(missing);
  }

  private static void addAttachments(NetcdfVariable variable, List<Attachment> to) {
    List<NetcdfDimension> axes = variable.dimensions();
    for (int axis = 0; axis < axes.size(); axis++) {
      to.add(
          new Attachment(
              variable.dataset(), axis, Objects.requireNonNull(axes.get(axis).scaleDataset())));
    }
  }

  /** Extends the coordinate variables of all dimensions to their lengths. */
  void extendCoordinates() {
    file.root()
        .all()
        .flatMap(group -> group.dimensions().stream())
        .filter(dimension -> !dimension.isPhony())
        .forEach(DimensionLinks::extendCoordinate);
  }

  /** Extends the coordinate variable of a dimension to its length. */
  private static void extendCoordinate(NetcdfDimension dimension) {
    dimension
        .coordinate()
        .filter(variable -> dimension.isUnlimited() && variable.dimensions().size() == 1)
        .ifPresent(variable -> variable.growTo(new long[] {dimension.length()}));
  }

  /** Creates the dataset without elements that stands for a dimension. */
  private Dataset createScale(NetcdfDimension dimension, String linkName) {
    requireIds();
    // an unlimited dimension is as long as the longest variable, whatever its scale says
    long length = dimension.isUnlimited() ? Dataspace.UNLIMITED : dimension.length();
    return ScaleConventions.createScale(dimension.group().h5(), linkName, length, dimension.id());
  }

  /** Numbers every scale of the file, if they had no numbers: all have one, or none has. */
  private void requireIds() {
    if (file.hasIds()) {
      return;
    }
    file.setHasIds();
    for (NetcdfGroup group : file.root().all().toList()) {
      for (NetcdfDimension dimension : group.dimensions()) {
        Dataset scale = dimension.isPhony() ? null : dimension.scaleDataset();
        if (scale != null) {
          ScaleConventions.setNumber(scale, dimension.id());
        }
      }
    }
  }

  // --- new names ---

  /** Frees a name that a new dimension needs for its scale. */
  void freeName(NetcdfGroup group, String name) {
    group
        .ownVariable(name)
        .filter(variable -> variable.linkName().equals(name))
        .ifPresent(variable -> move(variable, name, ScaleConventions.reserved(name)));
  }

  private static void move(NetcdfVariable variable, String name, String linkName) {
    if (!variable.linkName().equals(linkName)) {
      variable.group().h5().move(variable.linkName(), linkName);
    }
    variable.setNames(name, linkName);
  }

  /** Frees the name of a dimension's scale for a coordinate variable. */
  void moveAway(NetcdfDimension dimension) {
    if (dimension.scale() != null) {
      dimension.group().h5().move(dimension.name(), NetcdfNames.REPLACED);
    }
  }

  /** Marks a new variable: as the scale of its dimension, or with the numbers of its dimensions. */
  void created(NetcdfVariable variable) {
    List<NetcdfDimension> axes = variable.dimensions();
    if (axes.isEmpty()) {
      return;
    }
    requireIds();
    setAxes(variable);
    if (variable.isCoordinate()) {
      becomeCoordinate(variable);
    }
  }

  private static void setAxes(NetcdfVariable variable) {
    int[] ids = variable.dimensions().stream().mapToInt(NetcdfDimension::id).toArray();
    ScaleConventions.setAxes(variable.dataset(), ids);
  }

  /**
   * Makes a variable the scale of its first dimension. The dataset that was its scale so far has
   * been moved away, and is deleted.
   */
  private void becomeCoordinate(NetcdfVariable variable) {
    NetcdfDimension dimension = variable.dimensions().getFirst();
    List<NetcdfDimension> axes = variable.dimensions();
    if (axes.size() > 1 && axes.stream().noneMatch(NetcdfDimension::isPhony)) {
      // a scale has no scales: numbers are all that is left of its other dimensions
      requireIds();
      setAxes(variable);
    }
    DimensionScales.detachAll(variable.dataset());
    ScaleConventions.makeCoordinate(variable.dataset(), variable.name(), dimension.id());
    Dataset old = dimension.scale();
    if (old != null) {
      DimensionScales.replace(old, variable.dataset());
      dimension.setScale(null);
      dimension.group().h5().delete(NetcdfNames.REPLACED);
      old.close();
    }
    variable.setAttached(true);
  }

  /** Puts a dataset without elements in the place of a coordinate variable. */
  private void ceaseCoordinate(
      NetcdfVariable variable, NetcdfDimension dimension, String linkName) {
    Dataset scale = createScale(dimension, linkName);
    DimensionScales.replace(variable.dataset(), scale);
    ScaleConventions.removeNumber(variable.dataset());
    dimension.setScale(scale);
    variable.setAttached(false);
  }

  void rename(NetcdfVariable variable, String newName) {
    NetcdfGroup group = variable.group();
    String checked = prepare(group, newName, "variable name", variable.name());
    if (checked.equals(variable.name())) {
      return;
    }
    group.requireFreeVariable(checked);
    write();
    NetcdfDimension left = variable.isCoordinate() ? variable.dimensions().getFirst() : null;
    NetcdfDimension taken = group.ownDimension(checked).orElse(null);
    boolean coordinate =
        taken != null
            && !variable.dimensions().isEmpty()
            && variable.dimensions().getFirst() == taken;
    if (taken != null && coordinate) {
      moveAway(taken);
    }
    String linkName = taken == null || coordinate ? checked : ScaleConventions.reserved(checked);
    group.remove(variable);
    move(variable, checked, linkName);
    group.add(variable);
    if (coordinate) {
      becomeCoordinate(variable);
    } else if (left != null) {
      ceaseCoordinate(variable, left, left.name());
      write();
    }
  }

  void rename(NetcdfDimension dimension, String newName) {
    NetcdfGroup group = dimension.group();
    String checked = prepare(group, newName, "dimension name", dimension.name());
    if (checked.equals(dimension.name())) {
      return;
    }
    if (dimension.isPhony()) {
      throw new InvalidUseException(
          "dimension to rename: actual="
              + dimension.name()
              + ", which is not in the file, expected=one that is, at="
              + group.path());
    }
    group.requireFreeDimension(checked);
    write();
    NetcdfVariable left = dimension.coordinate().orElse(null);
    NetcdfVariable met = group.ownVariable(checked).orElse(null);
    boolean coordinate =
        met != null && !met.dimensions().isEmpty() && met.dimensions().getFirst() == dimension;
    if (met != null && !coordinate) {
      freeName(group, checked);
    }
    String scaleName = coordinate ? NetcdfNames.REPLACED : checked;
    group.remove(dimension);
    if (left != null) {
      dimension.setName(checked);
      ceaseCoordinate(left, dimension, scaleName);
    } else {
      group.h5().move(dimension.name(), scaleName);
      dimension.setName(checked);
    }
    group.add(dimension);
    if (met != null && coordinate) {
      move(met, checked, checked);
      becomeCoordinate(met);
    }
    write();
  }

  private String prepare(NetcdfGroup group, String newName, String what, String oldName) {
    group.file().requireWritable();
    return newName.equals(oldName) ? newName : NetcdfNames.checked(newName, what);
  }
}
